# The simulator's terminal when it is interrupted, where it waits and while the program computes. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring examples/transfer.c tests/cases/divergence.c
mkfifo in
interrupt() {                        # PROGRAM COMMAND SEEN: when that was printed
    : > out                          # not what the one before printed
    verisoft "$1" -simul --terminal < in > out 2>&1 &
    exec 3> in
    echo "$2" >&3
    until grep -q "$3" out; do sleep 0.1; done
    kill -INT $!
    wait $!
    echo "$1 [$?] $(tail -n 1 out)"
    exec 3>&-
}
interrupt transfer.c 'go 1' 'position 1'
interrupt transfer.c 'hello' 'source files'
interrupt divergence.c 'go 2' 'the beginning'
run sh -c 'echo where | verisoft transfer.c -simul --terminal | head -n 1'
