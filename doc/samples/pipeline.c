/* Each process hands on what it gets. SPDX-License-Identifier: MIT */
#include <verisoft.h>

enum { STAGES = 4 };

static int queues[STAGES];

int main(void)
{
    for (int i = 0; i < STAGES; i++)
        queues[i] = get_bounded_queue(1);
    for (int i = 0; i < STAGES; i++)
        if (fork() == 0) {
            char *item = rcv_from_queue(queues[i], 1);
            if (i + 1 < STAGES)
                send_to_queue(queues[i + 1], 1, item);
            exit(0);
        }
    send_to_queue(queues[0], 1, "item");
    exit(0);
}
