/* expect: assertion at depth 3 in process 2.  searches: auto, stateful, none.
 *
 * 100 MB of zeros that a process hardly touches. SPDX-License-Identifier: MIT */
#include <verisoft.h>

static char memory[100 << 20];

int main(void)
{
    int queue = get_bounded_queue(1);
    if (fork() == 0) {
        memory[50 << 20] = 1;
        int where = VS_toss(3);
        memory[where << 20] = 1;
        rcv_from_queue(queue, 1);
        VS_assert(memory[2 << 20] == 0);                         /* ERROR */
        exit(0);
    }
    send_to_queue(queue, 1, "look");
    return 0;
}
