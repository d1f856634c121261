/* expect: assertion at depth 2 in process 1.  errors: assertion 1.  none: 18 transitions, 6 executions.
 * message: "VS_assert(first == 'a') is false in process 1".
 *
 * Who comes first? SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(2);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            send_to_queue(queue, 2, i ? "b" : "a");
            exit(0);
        }
    char first = *(char *)rcv_from_queue(queue, 2);
    VS_assert(first == 'a');                                     /* ERROR */
    return 0;
}
