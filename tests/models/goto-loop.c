/* expect: assertion */
#include <verisoft.h>
int main(void)
{
    int n = 0;
again:
    n += VS_toss(1) + 1;
    if (n < 3)
        goto again;
    VS_assert(n == 3);
    return 0;
}
