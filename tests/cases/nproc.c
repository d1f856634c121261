/* expect: structure.  options: --nproc 2.
 * expect: structure.  options: --nproc 4.
 * expect: complete.  options: --nproc 3.  stateful: 1 states, 0 transitions.
 *
 * nproc is exact when it is given. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            exit(0);
    return 0;
}
