# On a machine that refuses what it can: verdicts and counts are the same, or it is said what was refused. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring examples/transfer.c examples/philosophers.c tests/cases/open-file.c
MADVISE=28 KILL=62 SETSID=112 GETDENTS=217 WAITID=247 DUP3=292
PTRACE=101 PERSONALITY=135 PRCTL=157 SETAFFINITY=203 PRLIMIT=302 READV=310 MEMFD=319 CLOSE_RANGE=436
[ -z "$SAN" ] || { PRLIMIT=; export ASAN_OPTIONS=detect_leaks=0; }   # the sanitizer itself cannot do without that one, nor look for leaks without ptrace

refused $PERSONALITY true
[ $? = 77 ] && { echo "system calls cannot be refused here"; exit 77; }
must ${CC:-gcc} -g -pthread -o transfer transfer.c
must ${CC:-gcc} -g -DVERIFY -I"$project/include" -o philosophers philosophers.c "$B/verisoft-rt.o"
build open-file open-file.c
for name in counter handover publish; do
    must verisoft cc -O0 -w -pthread -DSTORE=relaxed -DLOAD=acquire -DRELAXED "$project/tests/commands/races/$name.c" -o $name
done

counts() {                           # what a report says of the search; where states of variables are kept steps are tried beforehand only if addresses are fixed
    sed -n 's/.*"\(result\|kind\|depth\|states\|transitions\|executions\|native_transitions\)": *\([^,]*\).*/\1 \2/p' "$1" |
        case $tried in yes) grep -v native ;; *) cat ;; esac
}
compare() {                          # NUMBERS PROGRAM OPTIONS...
    numbers=$1
    shift
    verisoft "$@" --quiet --output found --json usual.json > /dev/null
    refused $numbers verisoft "$@" --quiet --output found --json refused.json > /dev/null
    is "status of $* without $numbers" 1 $?
    is "search of $* without $numbers" "$(counts usual.json)" "$(counts refused.json)"
}

for numbers in $PERSONALITY $PTRACE $PERSONALITY,$PTRACE $PRCTL $SETAFFINITY $PRLIMIT $READV $CLOSE_RANGE $SETSID $MADVISE; do
    compare $numbers ./transfer --stop-at-error 0
    compare $numbers ./transfer --stop-at-error 0 --restart 1
    compare $numbers ./philosophers --stop-at-error 0
done
compare $READV ./transfer --stop-at-error 0 --search stateful --invariant 'alice.balance >= 100'     # its memory is read otherwise
for numbers in $PERSONALITY $PERSONALITY,$PTRACE; do     # shared variables are the same ones, wherever they lie
    compare $numbers ./counter --stop-at-error 0
    tried=yes; compare $numbers ./counter --stop-at-error 0 --search stateful; tried=
    compare $numbers ./handover --stop-at-error 0
    compare $numbers ./publish --stop-at-error 0           # its variable holds addresses
done
verisoft ./transfer --quiet > /dev/null
refused $PERSONALITY,$PTRACE verisoft replay ./transfer error1.path > ../output 2>&1
is "status of the replay" 1 $?

# What it cannot do without is named.
named() {                            # NUMBER WORDS PROGRAM
    refused $1 verisoft $3 --quiet > ../output 2>&1
    is "status of $3 without $1" 2 $?
    grep -q "$2" ../output || { echo "of $3 without $1 this is said:"; cat ../output; failed=1; }
}
named $MEMFD 'shared memory.*memfd_create.*not permitted' ./transfer
named $KILL 'kill is refused' ./philosophers
named $WAITID 'waitid is refused' ./transfer
named $GETDENTS '/proc/self/fd cannot be read' ./open-file
named $DUP3 'dup3 is refused' ./open-file
exit $failed
