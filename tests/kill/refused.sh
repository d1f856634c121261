# Where the kernel refuses to end a process with its parent (prctl), nothing is left all the same. SPDX-License-Identifier: MIT
. "$project/tests/lib/kill.sh"
PRCTL=157
refused $PRCTL true
[ $? = 77 ] && { echo "system calls cannot be refused here"; exit 77; }
bring endless.c
build program endless.c
${CC:-cc} -g -o threads "$project/bench/threads/philosophers.c" -pthread || exit 1
for moment in 0 1000 30000 200000 500000; do
    cut 9 $moment program refused $PRCTL verisoft ./program --search dfs --max-depth 0 --livelock-limit 0 --quiet
    nothing_left "SIGKILL at $moment, of processes"
    cut 9 $moment threads refused $PRCTL verisoft ./threads --quiet -- ordered 6 2
    nothing_left "SIGKILL at $moment, of threads"
done
exit $failed
