/* expect: assertion */
#include <verisoft.h>
static int f(void) { return VS_toss(1); }
int main(void)
{
    int a = f() ? f() ? 3 : 2 : 1;
    VS_assert(a != 2);
    return 0;
}
