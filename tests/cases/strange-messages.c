/* expect: assertion at depth 2 in process 1.  errors: assertion 1.
 *
 * Any bytes in a message, in a note and in an assertion: the scenario still replays. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(2);
    send_to_queue(queue, 2, "\"quoted\\\n\t\001\033[31m\377\303\274 # = 3)");
    VS_print("note with \"quotes\", a \\ and\ntwo lines # 1");
    VS_assert(*(char *)rcv_from_queue(queue, 2) == '"' && "a \"string\" ) # with\nthings" == 0);   /* ERROR */
    return 0;
}
