/* expect: none */
#include <verisoft.h>
static inline int twice(int x) { static int calls; calls++; return calls > 2 ? -1 : 2 * x; }
static inline __attribute__((always_inline)) void put(int *to, int x) { *to = x; }
static int last(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n, int o, int p, int q, int r)
{
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q == 17 ? r : -1;
}
int main(void)
{
    int x;
    put(&x, twice(VS_toss(2)));
    VS_assert(x % 2 == 0 && x <= 4);
    VS_assert(last(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, x) == x);
    put(&x, twice(x));
    VS_assert(twice(1) == -1);
    return 0;
}
