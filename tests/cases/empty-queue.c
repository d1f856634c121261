/* expect: deadlock at depth 2 in process 0.  errors: deadlock 1.  none: 2 transitions, 1 executions.
 * stateful: 3 states, 2 transitions.  native: 2.  message: "the last process waits for ever".
 *
 * A receive more than there are sends.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(2);
    if (fork() == 0) {
        send_to_queue(queue, 2, "only one");
        exit(0);
    }
    rcv_from_queue(queue, 2);
    rcv_from_queue(queue, 2);                                    /* ERROR */
    return 0;
}
