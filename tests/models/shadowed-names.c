/* expect: none */
#include <verisoft.h>
static int x = 1;
static int f(int x)
{
    { int x = 5; x++; { int x = 9; x++; } VS_assert(x == 6); }
    for (int x = 0; x < 2; x++)
        ;
    return x;
}
int main(void)
{
    int y = f(3);
    { extern int z; int x = VS_toss(1); y += x - x; VS_assert(z == 4); }
    VS_assert(x == 1 && y == 3);
    return 0;
}
int z = 4;
