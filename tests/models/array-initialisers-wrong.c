/* expect: assertion */
#include <verisoft.h>
static int table[] = { 4, 3, 2, 1 };
int main(void)
{
    int local[3] = { table[1], VS_toss(1) };
    table[local[1]] = local[0];
    VS_assert(table[0] + table[1] == 7 || local[2]);
    return 0;
}
