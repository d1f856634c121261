/* Two processes that talk through a queue; later one of them gets a thread. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <verisoft.h>

static void *nothing(void *arg) { return arg; }

int main(void)
{
    pthread_t thread;
    int queue = get_bounded_queue(2);
    if (fork() == 0) {
        send_to_queue(queue, 2, "a\n\"b\"");
        VS_assert(0);
        exit(0);
    }
    VS_toss(2);
    rcv_from_queue(queue, 2);
    VS_toss(1);
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    return 0;
}
