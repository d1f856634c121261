/* expect: assertion */
#include <verisoft.h>
int main(void)
{
    int n = VS_toss(3), d = n - 2;
    if (10 / d > 4)
        VS_assert(d < 3);
    return 0;
}
