/* expect: complete.  stateful: 8 states, 7 transitions.  none: 7 transitions, 1 executions.  native: 7.  local: 8.
 *
 * is_queue_full and is_queue_empty, with the size and without. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(1);
    if (!is_queue_empty(queue, 1) || is_queue_full(queue, 1))
        abort();
    send_to_queue(queue, 1, "message");
    if (is_queue_empty(queue) || !is_queue_full(queue))
        abort();
    if (strcmp(rcv_from_queue(queue), "message"))
        abort();
    if (!is_queue_empty(queue))
        abort();
    return 0;
}
