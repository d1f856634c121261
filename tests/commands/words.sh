# Why nobody can go on is told as it happened: who took and did not give back, which signal woke whom, how a thread ended; and in the
# program's own lines. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_fixed_addresses
bring words.c words.cc
${CC:-gcc} -g -pthread -o words words.c || exit 1
for i in 0 1 2 3 4 5; do
    line "verisoft ./words -- $i | sed -n 's/words.c:85/words.c:86/; /^ *step  process/,/^$/p; /^  process 1/,/^$/p'"      # where patient() returns: some compilers say its brace
done
line "verisoft ./words -- 6 | sed -n '/^error/,/alarm expires/p'"
command -v ${CXX:-c++} > /dev/null || { echo "c++ is not installed"; exit 77; }
for flags in -O0 -O2; do
    ${CXX:-c++} -g $flags -pthread -o library words.cc || exit 1
    line "verisoft ./library | grep -o 'waits in pthread[^:]*:[0-9]*'"
    rm -f error1.path
    verisoft ./library --quiet
    for command in "verisoft ./library" "verisoft replay ./library error1.path"; do
        $command > ../output
        if grep pthread_once ../output; then echo "[$command]"; fi
    done
done
