/* expect: assertion at depth 104 in process 1.  searches: auto, source.  options: --max-depth 0.
 *
 * Eight processes with a semaphore each: there is one order to try, but it is longer than the layers of auto are deep, and
 * breadth first there are too many states. SPDX-License-Identifier: MIT */
#include <verisoft.h>

enum { PROCESSES = 9, TURNS = 6 };

int main(void)
{
    int semaphores = semget(IPC_PRIVATE, PROCESSES, 0600);
    for (int i = 0; i < PROCESSES; i++)
        semsetval(semaphores, i, 1);
    for (int i = 1; i < PROCESSES; i++)
        if (fork() == 0) {
            for (int turn = 0; turn < TURNS; turn++) {
                semwait(semaphores, i, 1);
                semsignal(semaphores, i, 1);
            }
            exit(0);
        }
    for (int i = 1; i < PROCESSES; i++)
        waitpid(1000 + i, NULL, 0);
    VS_assert(0);                                                /* ERROR */
    exit(0);
}
