/* Dies when the coin says so. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    if (VS_toss(1) == VALUE)
        abort();
    return 0;
}
