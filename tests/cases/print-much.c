/* expect: assertion at depth 1 in process 1.  note: "more was printed than VeriSoft keeps".  searches: auto, none.
 *
 * What is printed on the way to one operation, and does not fit, is missing, and that is said. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    semsetval(semaphore, 0, 1);
    semwait(semaphore, 0, 1);
    for (int i = 0; i < 2000; i++)
        VS_print("a line of thirty-three characters");
    VS_assert(0);                                                /* ERROR */
    return 0;
}
