/* expect: none */
#include <limits.h>
#include <verisoft.h>
static unsigned long long big = 18446744073709551615ULL;
int main(void)
{
    long long x = 0x7fffffffffffffffLL, y = LLONG_MIN;
    unsigned long long u = 1ULL << (62 + VS_toss(1));
    VS_assert(x + y == -1 && big == ULLONG_MAX && (long long)big == -1);
    VS_assert(u == 4611686018427387904ULL || u == 9223372036854775808ULL);
    VS_assert(4294967295U + 1 == 0 && 4294967295L + 1 == 4294967296L);
    VS_assert((u >> 61) >= 2 && -7 / 2 == -3 && -7 % 2 == -1 && (-8 >> 1) == -4);
    return 0;
}
