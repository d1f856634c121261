/* Ever new local states: a counter that grows without end, so that the program itself runs during the whole search.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 4, 0600);
    long count = 0;
    for (int i = 0; i < 4; i++)
        semsetval(semaphore, i, 1);
    int me = 0;
    while (me < 3 && fork())
        me++;
    for (;; count++) {
        semwait(semaphore, me, 1);
        semsignal(semaphore, me, 1);
    }
}
