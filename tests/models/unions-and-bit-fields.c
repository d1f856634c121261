/* expect: none */
#include <string.h>
#include <verisoft.h>
union word { unsigned u; unsigned char b[4]; };
struct bits { unsigned a : 3, b : 5; int c : 4; };
int main(void)
{
    union word w = { .u = 0x01020304 };
    struct bits x = { 7, 1, -1 }, *p = &x;
    x.a += 1 + (unsigned)VS_toss(1);
    p->b--;
    VS_assert(w.b[0] == 4 && w.b[3] == 1);
    VS_assert(x.a <= 1 && x.b == 0 && x.c == -1);
    x.a = 7;
    VS_assert(++x.a == 0 && (p->b = 33) == 1 && (p->a += 9) == 1 && x.a-- == 1 && --x.a == 7);   /* the value is what was stored */
    w.b[1] = 0xff;
    VS_assert(w.u == 0x0102ff04);
    return 0;
}
