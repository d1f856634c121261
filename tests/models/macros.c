/* expect: none */
#include <verisoft.h>
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define LOOP(n) for (int i_ = 0; i_ < (n); i_++)
#define SET(x, v) do { (x) = (v); } while (0)
int main(void)
{
    int n = VS_toss(3), x = 0, m;
    m = MAX(n, 2);
    LOOP(n) x += 2;
    VS_assert(m == (n > 2 ? n : 2) && x == 2 * n);
    SET(x, MAX(x, 3));
    VS_assert(x >= 3 && x <= 6);
    return 0;
}
