/* expect: none */
#include <verisoft.h>
static int calls;
static int f(int x) { calls++; return x; }
int main(void)
{
    int n = VS_toss(2);
    int x = n ? f(n) : 7, y = n > 1 ? 1 : n ? 2 : 3;
    unsigned u = 1;
    VS_assert(x == (n ? n : 7) && calls == !!n);
    VS_assert(y == (n == 2 ? 1 : n == 1 ? 2 : 3));
    VS_assert((n ? -1 : u) > 0 || n == 0);       /* the branches meet as unsigned */
    VS_assert((n ?: 5) == (n ? n : 5));
    return 0;
}
