# Who took whose message, and who holds what: event, process, text, role, part and the events that the message came from.
# Every process goes in turn, as far as it can. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
turns() { i=0; while [ $i -lt 25 ]; do printf 'go 1 0\ngo 2 0\ngo 3 0\n'; i=$((i + 1)); done; echo '{"do": "trace"}'; }
roles() {
    bring "$1"
    echo "# $1"
    turns | verisoft "$(basename "$1")" -simul --terminal | sed -n '/^{"events"/s/{"process"/\n&/gp' |
        sed -n 's/^{"process":\([0-9]*\),"text":"\(.*\)","operation".*"role":"\([a-z]*\)","part":\([0-9]*\),"from":\(\[[^]]*\]\).*/\1 \2: \3 \4 \5/p;
                s/^{"process":\([0-9]*\),"text":"\(.*\)","operation".*"role":null.*/\1 \2/p' | nl -v 0 | grep -v '\(start\|end of the .*\)$'
}
roles examples/alternating-bit.c
roles tests/cases/posix-messages.c
roles tests/cases/posix-pipe.c
roles tests/cases/posix-mutex-recursive.c
roles tests/cases/posix-trylock.c
roles tests/cases/posix-rwlock.c
roles tests/cases/posix-semaphore.c
roles tests/cases/posix-semop.c
roles tests/cases/posix-cond-any.c
