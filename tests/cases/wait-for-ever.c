/* expect: deadlock at depth 0 in process 0.  errors: deadlock 1.  none: 0 transitions.  stateful: 1 states, 0 transitions.
 * native: 0.
 *
 * wait() for a child that never ends.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    if (fork() == 0) {
        semwait(semaphore, 0, 1);                                /* ERROR */
        exit(0);
    }
    wait(NULL);                                                  /* ERROR */
    return 0;
}
