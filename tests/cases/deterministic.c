/* expect: complete.  searches: auto, none, stateful, bfs.  needs: addresses.
 *
 * What differs outside does not differ here: addresses, process ids, the time, random numbers, the environment.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(2);
    if (fork() == 0) {
        struct timeval now;
        char text[400], *heap = malloc(VS_toss(1) ? 100 : 100000);
        gettimeofday(&now, NULL);
        snprintf(text, sizeof text, "%p %p %d %d %ld %ld %d %ld %s", (void *)heap, (void *)text, getpid(), getppid(),
                 (long)now.tv_usec, (long)time(NULL), rand(), random(), getenv("HOME") ? getenv("HOME") : "none");
        send_to_queue(queue, 2, text);
        free(heap);
        exit(0);
    }
    VS_assert(strlen(rcv_from_queue(queue, 2)) > 10);
    wait(NULL);
    return 0;
}
