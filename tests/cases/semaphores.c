/* expect: deadlock at depth 4.  errors: deadlock 1.
 *
 * Semaphores counted by more than one: 2 + 2 of 3 cannot be had at a time, nor 4 ever.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    semsetval(semaphore, 0, 3);
    if (fork() == 0) {
        semwait(semaphore, 0, 2);
        semsignal(semaphore, 0, 2);
        exit(0);
    }
    semwait(semaphore, 0, 2);
    semsignal(semaphore, 0, 2);
    semwait(semaphore, 0, 4);                                    /* ERROR */
    return 0;
}
