/* It asks somebody. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

int main(void)
{
    if (VS_toss(1))
        return 0;
    return getchar() == 'y';
}
