/* expect: none */
#include <verisoft.h>
static int calls;
static int yes(void) { calls++; return 1; }
static int no(void) { calls += 10; return 0; }
int main(void)
{
    int r = 0;
    if (no() && yes())
        r = 1;
    VS_assert(calls == 10 && !r);
    if (yes() || no())
        r = 2;
    VS_assert(calls == 11 && r == 2);
    if ((no() || yes()) && (yes() || no()) && !(no() && no()))
        r = 3;
    VS_assert(calls == 33 && r == 3);
    VS_assert(VS_toss(1) < 2 && yes());
    return 0;
}
