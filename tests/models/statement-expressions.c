/* expect: none */
#include <verisoft.h>
#define LARGER(a, b) ({ int a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })
static int shared;
static int set(int to) { return shared = to; }
int main(void)
{
    int first = (set(7), ({ int seen = shared; seen + 1; }));
    int second = (shared = 3, LARGER(shared, 2), LARGER(1, shared + 1));
    int third = ({ int k = 5; (k++, ({ int m = k; m * 2; })); });
    VS_assert(VS_toss(1) <= 1);
    VS_assert(first == 8 && second == 4 && third == 12);
    return 0;
}
