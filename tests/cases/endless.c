/* expect: complete.  local: 8, 5.  searches: stateful, bfs, auto.  native: 18.  compiler: gcc.
 *
 * A server that runs for ever and prints has few local states: what was printed is not part of them, what was
 * received last is. So there are 4 places x 2 (nothing, "yes") in process 1, and 3 + 2 in process 2.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

int main(void)
{
    int question = get_bounded_queue(1), answer = get_bounded_queue(1);
    if (fork() == 0)
        for (;;) {
            printf("asked: %s\n", (char *)rcv_from_queue(question, 1));
            send_to_queue(answer, 1, "yes");
        }
    for (;;) {
        int value = VS_toss(1);
        send_to_queue(question, 1, value ? "really?" : "is it?");
        value = 0;
        printf("answer: %s\n", (char *)rcv_from_queue(answer, 1));
    }
}
