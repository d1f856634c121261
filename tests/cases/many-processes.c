/* expect: complete.  options: --livelock-limit 0.  searches: auto, source.  source: 20 transitions, 1 executions.
 * expect -DTOGETHER: deadlock at depth 19.  options: --livelock-limit 0.  searches: auto, source, bfs, stateful, random.
 * stateful: 20 states, 19 transitions.
 *
 * Twenty processes, each with a semaphore of its own; or in a row, each waiting for the one before, which one forgets.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

enum { N = 20 };

int main(void)
{
    int semaphores = semget(IPC_PRIVATE, N, 0600), me = 0;
    for (int i = 0; i < N; i++)
#ifdef TOGETHER
        semsetval(semaphores, i, i == 0);
#else
        semsetval(semaphores, i, 1);
#endif
    while (me < N - 1 && fork())
        me++;
    semwait(semaphores, me, 1);                                  /* ERROR */
#ifdef TOGETHER
    if (me < N - 1 && me != 9)
        semsignal(semaphores, me + 1, 1);
#endif
    return 0;
}
