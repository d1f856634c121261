# A program with VeriSoft's objects reads the same with and without shared memory. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
bring tests/cases/shared-objects.c
sed 's/^ *shmat(.*//' shared-objects.c > alone.c
build shared shared-objects.c -DRIGHT
build alone alone.c -DRIGHT
build shared-wrong shared-objects.c
build alone-wrong alone.c

# nproc is exact in both, and the scenario shows it.
for program in shared alone; do
    verisoft ./$program --nproc 2 --quiet > /dev/null
    is "status of $program with nproc 2" 0 $?
    for nproc in 1 3; do
        rm -f error*.path
        verisoft ./$program --nproc $nproc > ../output
        is "status of $program with nproc $nproc" 1 $?
        grep -q "nproc says $nproc process.*, but the program has 2" ../output || { cat ../output; failed=1; }
        verisoft replay ./$program --nproc $nproc error1.path > ../output
        is "status of its replay" 1 $?
        grep -q "nproc says $nproc process.*, but the program has 2" ../output || { cat ../output; failed=1; }
    done
done

# The same operations under the same names.
operations() { sed -n 's/^[0-9]*  \([a-z_]*([^=#]*\).*/\1/p' error1.path | grep -v 'SETVAL\|^semget' | sed 's/ *$//' | sort -u; }
rm -f error*.path
verisoft ./alone-wrong --quiet > /dev/null
operations > alone.txt
rm -f error*.path
verisoft ./shared-wrong --quiet > /dev/null
operations > shared.txt
is "operations" "$(cat alone.txt)" "$(cat shared.txt)"
grep -q '^semwait(0, 1, 1)$' shared.txt || { cat shared.txt; failed=1; }

# A line of the configuration that names what is not there is told by its own number.
printf 'semwait 0 0 1\nsemwait 0 0 2\nsemwait 0 0 7\nsemwait 0 1 1\nsemwait 0 1 2\nsemwait 3 0 1\n' > lines.VS
for program in shared alone; do
    verisoft ./$program --config lines.VS > ../output
    is "status of $program with lines.VS" 0 $?
    for line in 'line 3 of the configuration: the program has only 2 processes' \
                'line 6 of the configuration: the program has no semaphore 3 with index 0'; do
        tr -s ' \n' ' ' < ../output | grep -q "$line" || { echo "$program: not told: $line"; cat ../output; failed=1; }
    done
done
exit $failed
