/* expect: none */
#include <verisoft.h>
int main(void)
{
    int i, j;
    for (i = 0, j = 10; i < j; i++, j--)
        ;
    int k = (i++, i + j);
    VS_assert(VS_toss(1) <= 1);
    VS_assert(i == 6 && j == 5 && k == 11);
    return 0;
}
