/* Two processes, no error. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    if (fork() == 0) {
        semsignal(semaphore, 0, 1);
        exit(0);
    }
    semwait(semaphore, 0, 1);
    return 0;
}
