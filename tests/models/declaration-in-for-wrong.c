/* expect: assertion */
#include <verisoft.h>
int main(void)
{
    int sum = 0;
    for (int i = 0, n = VS_toss(3); i < n; i++)
        sum += i;
    VS_assert(sum != 3);
    return 0;
}
