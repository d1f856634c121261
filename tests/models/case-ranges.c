/* expect: assertion */
#include <verisoft.h>
static int kind(unsigned char c)
{
    switch (c) {
    case '0' ... '9': return 1;
    case 'a' ... 'f':
    case 'A' ... 'F': return 2;
    case 200 ... 255: return 3;
    }
    return 0;
}
int main(void)
{
    static const char text[] = "7Fg";
    VS_assert(kind((unsigned char)250) == 3 && kind('F') == 2 && kind('9') == 1);
    VS_assert(kind((unsigned char)text[VS_toss(2)]) != 0);
    return 0;
}
