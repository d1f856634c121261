/* expect: none */
#include <verisoft.h>
int main(void)
{
    int n = VS_toss(3), r = 0;
    switch (n) {
    case 0:
        r += 1;
        __attribute__((fallthrough));
    case 1:
        r += 10;
        break;
    default:
        r += 100;
    case 2:
        r += 1000;
    }
    VS_assert(r == (n == 0 ? 11 : n == 1 ? 10 : n == 2 ? 1000 : 1100));
    return 0;
}
