# Packages are installed while a search runs: the dynamic linker's cache grows, and libraries lie elsewhere in the next start. That is no nondeterminism of the
# program: an error is confirmed all the same, and a search that has to start the program again says why it cannot. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_fixed_addresses
[ -e /etc/ld.so.cache ] || { echo "there is no /etc/ld.so.cache"; exit 77; }
if [ -z "$APART" ]; then
    unshare -rm true 2> /dev/null || { echo "unshare is refused here"; exit 77; }
    APART=1 unshare -rm sh "$0"
    exit
fi
must cp /etc/ld.so.cache cache
mount --bind cache /etc/ld.so.cache || { echo "mount is refused here"; exit 77; }

cat > late.c <<'END'
#include <verisoft.h>                /* the error is in the second half of all orders */
static void both(int self, int semaphores, int queue)
{
    if (self == 0)
        send_to_queue(queue, 1, "first");
    else
        VS_assert(!is_queue_empty(queue));
    for (int i = 0; i < 12; i++)
        semsignal(semaphores, self, 1);
}
int main(void)
{
    int semaphores = semget(IPC_PRIVATE, 2, 0600), queue = get_bounded_queue(1);
    int self = fork() ? 0 : 1;
    both(self, semaphores, queue);
    return 0;
}
END
build late late.c
must ${CC:-cc} -g -o counter "$project/bench/threads/counter.c" -pthread

while_it_runs() {                    # PROGRAM OPTIONS...: when the program runs, the cache grows by three pages
    verisoft "$@" > said 2>&1 &
    until ls -l /proc/[0-9]*/exe 2> /dev/null | grep -q " $PWD/${1#./}\$" || ! kill -0 $! 2> /dev/null; do :; done
    truncate -s +12288 cache
    wait $!
}
while_it_runs ./late --search dfs --json report
is "status with an error" 1 $?
is "the error" assertion "$(json report errors.0.kind)"
while_it_runs ./counter --restart 1 --reduction none -- 2 4
is "status with starts" 2 $?
grep -q 'the libraries of this machine were changed' said || { cat said; failed=1; }

# Parts of a certificate that are followed before and after that: nobody has lied, but their states cannot be compared.
cp "$project/examples/certification/readers-writers.c" "$project/examples/certification/monitor.h" .
build writers readers-writers.c
must verisoft ./writers --certificate writers.scc --quiet -- 2 1
must verisoft certify ./writers writers.scc --tasks 2 --parts parts --quiet -- 2 1
must verisoft certify ./writers parts/1.part --quiet -- 2 1
truncate -s +12288 cache
must verisoft certify ./writers parts/2.part --quiet -- 2 1
verisoft certify ./writers writers.scc --merge parts --quiet -- 2 1 > said 2>&1
is "status of parts that began otherwise" 2 $?
grep -q '2.map: when this part was followed, the program did not begin as it did for others' said || { cat said; failed=1; }
must verisoft certify ./writers parts/1.part --quiet -- 2 1
verisoft certify ./writers writers.scc --merge parts --quiet -- 2 1
is "status when the first was followed again" 0 $?
exit $failed
