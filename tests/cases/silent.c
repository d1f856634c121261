/* expect: complete.  none: 0 transitions.  stateful: 1 states, 0 transitions.  native: 0.  local: 1.
 * expect -DTWO: complete.  none: 0 transitions.  stateful: 1 states, 0 transitions.  local: 1, 1.
 *
 * No visible operation at all. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

int main(void)
{
#ifdef TWO
    fork();
#endif
    printf("hello\n");
    return 0;
}
