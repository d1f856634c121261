/* expect: none */
#include <verisoft.h>
static int a[5] = { 1, 2, 3, 4, 5 }, *end = a + 5;
static void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }
static int total(const int *from, const int *to) { int s = 0; while (from < to) s += *from++; return s; }
int main(void)
{
    int (*row)[5] = &a, **pp = &end, n = VS_toss(4);
    swap(&a[0], a + n);
    VS_assert(total(a, end) == 15 && (*row)[0] == n + 1 && *pp - a == 5);
    int *p = a;
    *p++ += 10;
    VS_assert(a[0] == n + 11 && p == &a[1] && *(*pp - 1) == (n == 4 ? 1 : 5));
    return 0;
}
