/* expect: none */
#include <verisoft.h>
int main(void)
{
    int state = 0, steps = 0;
    while (state != 3) {
        switch (state) {
        case 0: state = 1; continue;
        case 1:
            switch (VS_toss(1)) {
            case 0: state = 2; break;
            case 1: state = 3; break;
            }
            break;
        default: state = 3;
        }
        steps++;
    }
    VS_assert(steps == 1 || steps == 2);
    return 0;
}
