# A scenario replays wherever and however the program is started. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring unnamed.c
must ${CC:-gcc} -g -pthread -o unnamed unnamed.c
verisoft ./unnamed --quiet > /dev/null
is "the search" 1 $?
grep -q 0x error1.path && { echo "an address in error1.path:"; cat error1.path; failed=1; }

again() {                            # HOW COMMAND...
    how=$1
    shift
    "$@" > ../output 2>&1
    is "status $how" 1 $?
    grep -q '^error: deadlock at depth 5' ../output && return
    echo "$how:"
    cat ../output
    failed=1
}

here=$PWD
long=$(printf '%0200d' 0)
mkdir -p elsewhere "$long/$long"
again "here" verisoft replay ./unnamed error1.path
again "with another PATH" env PATH="$PATH:/some/where/else" verisoft replay ./unnamed error1.path
again "with another HOME" env HOME=/some/other/home verisoft replay ./unnamed error1.path
again "with another LD_LIBRARY_PATH" env LD_LIBRARY_PATH=/some/where verisoft replay ./unnamed error1.path
again "with a large environment" env $(seq -f 'V%.0f=0123456789012345678901234567890123456789' 500) verisoft replay ./unnamed error1.path
again "by its whole path" verisoft replay "$here/unnamed" error1.path
ln -s "$here/unnamed" elsewhere/link
cp unnamed "$long/$long/$long"
cd elsewhere || exit 1
again "from another folder" verisoft replay ../unnamed ../error1.path
again "by a link" verisoft replay ./link ../error1.path
again "by a long name" verisoft replay "../$long/$long/$long" ../error1.path
cd ..

# The same program, made otherwise.
strip -o stripped unnamed
again "without symbols" verisoft replay ./stripped error1.path
{ echo '/* a comment more */'; cat unnamed.c; } > commented.c
must ${CC:-gcc} -g -pthread -o commented commented.c
again "compiled again" verisoft replay ./commented error1.path

# Files that were written when objects without a name had their address; one of two locks as the other does not fit.
old() {
    printf 'verisoft-path 1\nerror: deadlock\n\n1  start\n1  pthread_create = process 2\n1  pthread_mutex_lock(0x7fffffffe%s)\n' $1
    printf '2  start\n2  pthread_mutex_lock(0x7fffffffe%s)\n' $2
}
old a50 a80 > old.path
again "of an older file" verisoft replay ./unnamed old.path
old a50 a50 > wrong.path
verisoft replay ./unnamed wrong.path > ../output 2>&1
is "status of a wrong one" 2 $?
exit $failed
