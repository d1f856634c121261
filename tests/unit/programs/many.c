/* More processes than there may be gdbs.        SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(20), me = 1;
    for (int i = 2; i <= 10 && me == 1; i++)
        if (fork() == 0)
            me = i;
    for (;;) {
        int x = me * 10;
        send_to_queue(queue, 20, "x");
        x++;
    }
}
