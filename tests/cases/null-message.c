/* expect: structure at depth 0 in process 1.  message: "the message is NULL".
 * expect -DRIGHT: complete.
 *
 * Nothing is no message; an empty one is. SPDX-License-Identifier: MIT */
#include <verisoft.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef RIGHT
#define MESSAGE ""
#else
#define MESSAGE NULL
#endif

int main(void)
{
    int queue = get_bounded_queue(1);
    send_to_queue(queue, 1, MESSAGE);    /* ERROR */
    VS_assert(rcv_from_queue(queue, 1) != NULL);
    exit(0);
}
