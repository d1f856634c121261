/* expect: assertion */
#include <verisoft.h>
static int calls;
static int f(int x) { calls++; return x; }
int main(void)
{
    int x = (f(1), f(2), VS_toss(2));
    VS_assert(calls == 2 && x != 2);
    return 0;
}
