# A program that finds what an execution before left does not do the same again: that is seen. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring left-over.c
must ${CC:-gcc} -g -pthread -o left-over left-over.c
for options in "" "--restart 1" "--stop-at-error 0" "--reduction none" "--reduction source"; do
    rm -f left.tmp
    verisoft ./left-over $options > ../output 2>&1
    is "status with '$options'" 1 $?
    grep -q '^error 1: nondeterminism' ../output || { cat ../output; failed=1; }
done
exit $failed
