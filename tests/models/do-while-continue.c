/* expect: none */
#include <verisoft.h>
int main(void)
{
    int i = 0, odd = 0, limit = 3 + VS_toss(1);
    do {
        if (i % 2 == 0)
            continue;
        odd++;
        if (i > 100)
            break;
    } while (++i < limit);
    VS_assert(odd == limit / 2 && i == limit);
    while (1) {
        if (i-- > 0)
            continue;
        break;
    }
    VS_assert(i == -1);
    return 0;
}
