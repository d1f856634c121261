/* expect: deadlock at depth 2 in process 0.  errors: deadlock 1.  none: 2 transitions, 1 executions.
 * stateful: 3 states, 2 transitions.  native: 2.  message: "the only process waits for ever".
 *
 * A send more than the queue has room for.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(2);
    for (int i = 0; i < 3; i++)
        send_to_queue(queue, 2, "message");                      /* ERROR */
    return 0;
}
