/* expect: assertion at depth 1 .  errors: assertion 1.  stateful: 25 states, 60 transitions.
 * message: "VS_assert(coin != 2)" "is false in process".
 *
 * Each of two children tosses a coin that may come to stand on its edge.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            int coin = VS_toss(2);
            VS_assert(coin != 2);                                /* ERROR */
            exit(0);
        }
    return 0;
}
