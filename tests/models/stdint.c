/* expect: none */
#include <stdint.h>
#include <verisoft.h>
int main(void)
{
    uint8_t a = (uint8_t)(250 + VS_toss(1));
    int8_t b = (int8_t)a;
    uint16_t c = (uint16_t)(a * 300);
    uint32_t d = UINT32_MAX;
    int64_t e = INT64_MIN;
    uint64_t f = UINT64_MAX;
    a += 10;
    VS_assert(a == 4 || a == 5);
    VS_assert(b == -6 || b == -5);
    VS_assert(c == (250 * 300) % 65536 || c == (251 * 300) % 65536);
    d++;
    VS_assert(d == 0 && e < 0 && f + 1 == 0 && f > INT64_MAX);
    VS_assert(-1 < (int)1 && !(-1 < 1u) && (uint32_t)-1 > 0);
    return 0;
}
