/* expect: assertion.  Output is left out, but not what leads to its arguments. */
#include <stdio.h>
#include "verisoft.h"
struct s { int n, x; };
int main(void)
{
    struct s a = { 1, 2 }, *p = VS_toss(1) ? &a : 0;
    printf("%d %s\n", p->x, "all");
    return 0;
}
