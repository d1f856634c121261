/* expect: none */
#include <verisoft.h>
struct point { int x, y; struct { char c; short s[2]; } in; };
static struct point origin = { .y = 2, .in = { .s = { 1, 2 } } };
static int three(void) { return 3; }
int main(void)
{
    struct point p = { three(), .in.c = 'a', .in.s[1] = 9 }, q = { 0 };
    q = p;
    q.x++;
    VS_assert(p.x == 3 && p.y == 0 && p.in.c == 'a' && p.in.s[0] == 0 && p.in.s[1] == 9);
    VS_assert(q.x == 4 && q.in.s[1] == 9 && origin.x == 0 && origin.y == 2 && origin.in.s[1] == 2);
    VS_assert(VS_toss(1) < 2);
    return 0;
}
