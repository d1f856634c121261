/* expect: assertion.  What the compiler does itself ends the program, too. */
#include "verisoft.h"
int main(void)
{
    int n = 0;
    VS_assert(!__builtin_constant_p(n++) && n == 0);
    VS_assert((n ?: 3) == 3);
    if (VS_toss(1))
        __builtin_trap();
    return 0;
}
