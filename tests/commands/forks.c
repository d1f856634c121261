/* As many philosophers as the argument says, a meal each. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[argc - 1]), me = 0, forks = semget(IPC_PRIVATE, n, 0600);
    for (int i = 0; i < n; i++)
        semsetval(forks, i, 1);
    while (me < n - 1 && fork())
        me++;
    semwait(forks, me, 1);
    semwait(forks, (me + 1) % n, 1);
    semsignal(forks, me, 1);
    semsignal(forks, (me + 1) % n, 1);
    return 0;
}
