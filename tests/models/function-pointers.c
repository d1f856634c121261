/* expect: none */
#include <verisoft.h>
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*const table[2])(int, int) = { add, sub };
struct op { const char *name; int (*run)(int, int); };
static int apply(int (*f)(int, int), int a, int b) { return (*f)(a, b); }
int main(void)
{
    int n = VS_toss(1);
    struct op o = { "op", n ? sub : &add };
    VS_assert(table[n](5, 2) == (n ? 3 : 7));
    VS_assert(o.run(5, 2) == table[n](5, 2) && apply(o.run, 5, 2) == apply(table[n], 5, 2));
    VS_assert(o.run == table[n] && o.run != table[!n] && o.run);
    return 0;
}
