/* expect: complete.
 *
 * epoll_pwait2: a wait with a timeout in nanoseconds may end without anything; one without a timeout ends when somebody writes.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused)
{
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec soon = {.tv_nsec = 1000}, never = {.tv_nsec = -1};
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 7}, got[2];
    int set = epoll_create1(0);
    assert(set >= 0 && pipe(ends) == 0 && epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
    assert(epoll_pwait2(set, got, 2, &never, NULL) == -1 && errno == EINVAL);
    assert(pthread_create(&thread, NULL, writer, NULL) == 0);
    int ready = epoll_pwait2(set, got, 2, &soon, NULL);
    assert(ready == 0 || (ready == 1 && got[0].data.u32 == 7));
    assert(epoll_pwait2(set, got, 2, NULL, NULL) == 1 && got[0].data.u32 == 7);
    return pthread_join(thread, NULL);
}
