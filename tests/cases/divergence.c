/* expect: divergence at depth 1 in process 2.  options: --divergence-limit 1.  message: "spin()".
 * searches: auto, stateful.  needs: tracing.
 *
 * A loop without an operation, after a receive.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

static void spin(int times)
{
    for (volatile int i = 0; times; i++)                         /* ERROR */
        ;
}

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    semsetval(semaphore, 0, 1);
    if (fork() == 0) {
        semwait(semaphore, 0, 1);
        spin(1);                                                 /* ERROR */
    }
    return 0;
}
