/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * What the linker runs at the end of a program (destructors) belongs to it. SPDX-License-Identifier: MIT */
#include <verisoft.h>

#include <stdlib.h>

static int chosen;

__attribute__((destructor)) static void look(void)
{
#ifdef WRONG
    VS_assert(chosen != 1);                                      /* ERROR */
#else
    VS_assert(chosen == 0 || chosen == 1);
#endif
}

int main(void)
{
    chosen = VS_toss(1);
    exit(0);
}
