/* A child makes a queue. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    if (fork() == 0)
        get_bounded_queue(1);
    exit(0);
}
