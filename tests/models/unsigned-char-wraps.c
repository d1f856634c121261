/* expect: assertion */
#include <verisoft.h>
int main(void)
{
    unsigned char c = 254;
    signed char s = 127;
    c += (unsigned char)(1 + VS_toss(1));
    s = (signed char)(s + 1);
    VS_assert(s == -128);
    VS_assert(c > 200);
    return 0;
}
