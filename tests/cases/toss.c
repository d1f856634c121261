/* expect: assertion at depth 2 in process 1.  errors: assertion 1.  none: 2,100 transitions, 1,000 executions.
 * stateful: 1,102 states, 2,100 transitions.  searches: auto, none, stateful, bfs, random.
 *
 * Tosses with a hundred and more values; the program is one process. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int sum = VS_toss(99) * 10;
    sum += VS_toss(9);
    VS_assert(sum != 777);                                       /* ERROR */
    return 0;
}
