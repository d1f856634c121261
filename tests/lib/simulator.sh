# For tests of the simulator's terminal: what is typed (standard input), then what is answered.   SPDX-License-Identifier: MIT

simulate() {                         # ARGUMENTS... < COMMANDS
    cat > ../typed
    echo "\$ verisoft $* --terminal"
    sed 's/^/> /' ../typed
    verisoft "$@" --terminal < ../typed 2>&1
    echo "[$?]"
}
