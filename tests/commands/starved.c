/* Process 1 starves while process 2 talks to itself. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 2, 0600);
    if (fork() == 0)
        for (;;) {
            semsignal(semaphore, 1, 1);
            semwait(semaphore, 1, 1);
        }
    semwait(semaphore, 0, 1);
    return 0;
}
