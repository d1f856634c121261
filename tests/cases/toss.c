/* expect: assertion at depth 2 in process 1.  errors: assertion 1.  none: 600 transitions, 240 executions.
 * stateful: 362 states, 600 transitions.  searches: auto, none, stateful, bfs, random.
 *
 * Tosses with a hundred and more values; the program is one process. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int sum = VS_toss(119) * 2;
    sum += VS_toss(1);
    VS_assert(sum != 177);                                       /* ERROR */
    return 0;
}
