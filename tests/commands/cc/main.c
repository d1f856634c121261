/* SPDX-License-Identifier: MIT */
#include "count.h"
#include <assert.h>
int main(void)
{
    twice(count);
    assert(counter == 2);
    return 0;
}
