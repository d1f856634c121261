/* expect: none */
#include <verisoft.h>
struct pair { int a, b; };
static int sum(struct pair p) { return p.a + p.b; }
static int first(const int *a) { return a[0] + a[1]; }
int main(void)
{
    int n = VS_toss(1);
    struct pair *p = &(struct pair){ .b = n };
    VS_assert(sum((struct pair){ n, 2 }) == n + 2);
    VS_assert(first((int[]){ 4, n }) == 4 + n);
    p->a = 5;
    VS_assert(sum(*p) == 5 + n);
    return 0;
}
