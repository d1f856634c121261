/* expect: assertion */
#include <verisoft.h>
int main(void)
{
    double x = 0.1 * (1 + VS_toss(2));
    float f = (float)x;
    VS_assert(f > 0.05f && (int)(x * 10.5) >= 1);
    VS_assert(x != 0.1 + 0.2);
    return 0;
}
