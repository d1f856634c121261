# Memory that is given back while somebody uses it is in a race, also when that is for a lock or its like; memory that was given back and got again
# is not. And a program that has
# nothing of C++ but new and delete is linked with the library that has them. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring tests/commands/races/freed.c tests/commands/races/gone.c tests/commands/races/deleted.cc

try() {                              # FILE KINDS [FLAGS]: the kinds of errors, each once
    file=$1 expected=$2
    shift 2
    verisoft "$file" -pthread "$@" --stop-at-error 0 --output out --json r.json --quiet
    is "$file $*" "$expected" "$? $(json r.json errors.0.kind 2> /dev/null)$(json r.json errors.0.variable 2> /dev/null)"
}

try freed.c '1 raceblock[0]'
try freed.c '1 raceblock[0]' -DMOVED=1000
try freed.c '1 raceblock[0]' -DMOVED=4 -DSTAYS                      # it stays where it is
try freed.c '0 ' -DAFTER
try freed.c '0 ' -DANEW
try freed.c '0 ' -DANEW --search stateful
try deleted.cc '1 raceit[0].value'
try deleted.cc '0 ' -DRIGHT
try gone.c '1 racejob->ready' -DWHICH=1
for which in 2 3 4; do try gone.c '0 ' -DWHICH=$which; done
try gone.c '1 racejob->posted' -DWHICH=5
try gone.c '1 racejob->lock #2' -DWHICH=6
exit $failed
