/* expect: complete.
 *
 * Operations on objects that were removed: a receive gets NULL, the others fail, and whoever waits is let go.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(1), semaphore = semget(IPC_PRIVATE, 1, 0600);
    if (fork() == 0) {
        VS_assert(rcv_from_queue(queue, 1) == NULL);
        VS_assert(semwait(semaphore, 0, 1) == -1);
        exit(0);
    }
    VS_assert(remove_queue(queue) == 0);
    VS_assert(semctl(semaphore, 0, IPC_RMID) == 0);
    VS_assert(send_to_queue(queue, 1, "too late") == -1);
    VS_assert(semsignal(semaphore, 0, 1) == -1);
    VS_assert(remove_queue(queue) == -1);
    return 0;
}
