/* expect: none */
#include <verisoft.h>
int main(void)
{
    int n = VS_toss(2), r = 0;
    if (n == 1)
        goto inside;
    for (int i = 0; i < 2; i++) {
        r++;
        if (0) {
inside:
            r += 10;
            goto out;
        }
    }
out:
    VS_assert(r == (n == 1 ? 10 : 2));
    return 0;
}
