/* expect: none */
#include <stdbool.h>
#include <verisoft.h>
int main(void)
{
    bool b = VS_toss(2), c = 256, d = 0.5;
    unsigned char low = 256 & 255;
    VS_assert((b == true || b == false) && c == 1 && d == 1 && low == 0);
    b++;
    VS_assert(b == true);
    b--;
    VS_assert(b == false && sizeof b == 1);
    b |= 6;
    VS_assert(b == 1);
    return 0;
}
