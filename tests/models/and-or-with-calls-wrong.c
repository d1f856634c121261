/* expect: assertion */
#include <verisoft.h>
static int left(void) { return VS_toss(1); }
static int right(void) { return VS_toss(1); }
int main(void)
{
    int both = left() && right(), one = left() || right();
    VS_assert(!(both && !one));
    return 0;
}
