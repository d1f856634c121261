/* expect: none */
#include <verisoft.h>
static const int table[3][2] = { { 1, 2 }, { 3 } };
int main(void)
{
    int a[4] = { 1, 2 }, b[] = { 5, [3] = 7, 8 };
    int n = VS_toss(2);
    VS_assert(a[0] + a[1] + a[2] + a[3] == 3);
    VS_assert(sizeof b / sizeof *b == 5 && b[0] == 5 && b[1] == 0 && b[3] == 7 && b[4] == 8);
    VS_assert(table[n][1] == (n == 0 ? 2 : 0));
    return 0;
}
