# For command tests: each command is printed, with what it prints and, in brackets, its exit status.
# SPDX-License-Identifier: MIT

# The manual's programs have void main(), of which clang warns and gcc does not.
case ${CC:-} in *clang*) export CC="$CC -Wno-main-return-type" ;; esac

run() {
    echo "\$ $*"
    "$@" 2>&1
    echo "[$?]"
}

# As run, for a command line with pipes and redirections.
line() {
    echo "\$ $1"
    sh -c "$1" 2>&1
    echo "[$?]"
}

# As run, but of what is printed only lines with these words: the rest is the compiler's, or has its place in another test.
find_in() {
    words=$1
    shift
    echo "\$ $*"
    "$@" > ../output 2>&1
    echo "[$?]"
    grep -e "$words" ../output
}

needs_gdb() {                        # which is no use where tracing is refused
    command -v gdb > /dev/null || { echo "gdb is not installed"; exit 77; }
    may-trace || { echo "ptrace is refused here"; exit 77; }
}

needs_fixed_addresses() {            # else names are not found in memory, nor callers on stacks, and states of two starts cannot be compared
    setarch "$(uname -m)" -R true 2> /dev/null || { echo "personality is refused here"; exit 77; }
}

needs_parser() {                     # which is built only where libclang is
    [ -x "$B/verisoft-extract" ] || { echo "verisoft-extract was not built: libclang is not installed"; exit 77; }
    command -v clang > /dev/null || { echo "clang is not installed"; exit 77; }
}

needs_spin() {
    needs_parser
    command -v spin > /dev/null || { echo "spin is not installed"; exit 77; }
}

needs_farm() {
    needs_spin
    grep -q "^sqlite='yes'" "$project/build/parts" || { echo "the farm was not built: libsqlite3-dev or libcrypt-dev is not installed"; exit 77; }
}

must() {                             # a command that goes without saying
    "$@" && return
    echo "this failed: $*"
    exit 1
}

bring() {                            # FILE...: from the folder of command tests, or from the project
    for file; do
        if [ -e "$project/tests/commands/$file" ]; then must cp "$project/tests/commands/$file" .
        else must cp "$project/$file" .; fi
    done
}

# For tests that compare numbers: nothing is printed unless something is wrong, and then the test has failed.
failed=0
is() {                               # WHAT EXPECTED ACTUAL
    [ "$2" = "$3" ] && return
    echo "$1: $3, expected $2"
    failed=1
}
at_most() {                          # WHAT LIMIT ACTUAL
    [ "$3" -le "$2" ] && return
    echo "$1: $3, expected at most $2"
    failed=1
}
build() {                            # PROGRAM SOURCE FLAGS...
    program=$1
    shift
    must ${CC:-gcc} -g -DVERIFY -w -std=gnu11 -I"$project/include" -o "$program" "$@" "$B/verisoft-rt.o"
}
