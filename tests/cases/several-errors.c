/* expect: assertion at depth 1.  errors: assertion 4.  none: 9 transitions, 5 executions.
 *
 * Five ways, four of them wrong. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    switch (VS_toss(4)) {
    case 1: VS_assert(0);                                        /* ERROR */
            break;
    case 2: VS_assert(0);                                        /* ERROR */
            break;
    case 3: VS_assert(0);                                        /* ERROR */
            break;
    case 4: VS_assert(0);                                        /* ERROR */
    }
    return 0;
}
