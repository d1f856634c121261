/* Ever new local states: what was tossed is never forgotten, so the program itself runs during the whole search.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 4, 0600);
    static unsigned char tossed[1 << 16];
    int me = 0;
    while (me < 3 && fork())
        me++;
    for (int i = 0;; i = (i + 1) % (int)sizeof tossed) {
        tossed[i] = (unsigned char)VS_toss(2);
        semsignal(semaphore, me, 1);
    }
}
