# What the user limits is named when it is too little, and no verdict is made of it. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
[ "$SAN" ] && { echo "a sanitizer needs memory without limit"; exit 77; }
bring examples/transfer.c
must ${CC:-cc} -g -o program transfer.c -pthread

# The deadlock is found, or the command ends with 2, or with 3 when it could not be replayed, and words that tell the limit.
under() {                            # LIMIT VALUE WORDS
    (ulimit $1 $2; exec verisoft ./program) > said 2>&1
    status=$?
    case $status in
    1) grep -q '^error 1: deadlock' said && return ;;
    2) grep -q -e "$3" said && return ;;
    3) grep -q 'out of memory.*ulimit' said && grep -q 'There was no more memory' said && return
       grep -q '^not confirmed 1: deadlock' said && grep -q -e "$3" said && return ;;
    esac
    echo "ulimit $1 $2: status $status"
    cat said
    failed=1
}
found_under() {                      # LIMIT VALUE
    (ulimit $1 $2; exec verisoft ./program --quiet) > said 2>&1
    is "status under ulimit $1 $2" 1 $?
}

for kb in 20000 30000 40960 43008 60000; do under -v $kb "memory is limited (ulimit -v $kb)"; done
for kb in 1000 3000 6000 10000 30000 50000; do under -d $kb "memory is limited (ulimit -d $kb)"; done
for number in 5 6 7 8; do under -n $number 'files'; done
for kb in 64 100 200 400 900; do under -s $kb 'ulimit -s'; done
for kb in 200000 500000 1000000 2000000; do found_under -v $kb; done
found_under -d 200000
found_under -n 20
found_under -s 2000
found_under -s unlimited
found_under -c unlimited
exit $failed
