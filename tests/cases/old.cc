/* expect: complete.  none: 2 transitions, 1 executions.  searches: auto, none, stateful.
 *
 * The header that old C++ sources include. SPDX-License-Identifier: MIT */
#include <verisoft-c++.h>

int main()
{
    int queue = get_bounded_queue(1);
    if (fork() == 0) {
        send_to_queue(queue, 1, "message");
        exit(0);
    }
    return strcmp((char *)rcv_from_queue(queue, 1), "message");
}
