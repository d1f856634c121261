/* expect: complete.  none: 7 transitions, 5 executions.  stateful: 8 states, 7 transitions.
 *
 * VS_abort ends the path: the assertion behind it is never reached.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int value = VS_toss(4);
    VS_abort(value == 0);
    VS_assert(value == 0);
    return 0;
}
