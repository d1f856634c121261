/* expect: none */
#include <verisoft.h>
static inline int twice(int x) { static int calls; calls++; return calls > 2 ? -1 : 2 * x; }
static inline __attribute__((always_inline)) void put(int *to, int x) { *to = x; }
int main(void)
{
    int x;
    put(&x, twice(VS_toss(2)));
    VS_assert(x % 2 == 0 && x <= 4);
    put(&x, twice(x));
    VS_assert(twice(1) == -1);
    return 0;
}
