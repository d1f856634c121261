/* expect: complete.
 *
 * epoll on a timer and a pipe: what is ready is told with its data, level by level; once, where that is asked for; what is closed is gone.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    int ends[2], set = epoll_create1(EPOLL_CLOEXEC), timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec once = {.it_value.tv_sec = 1};
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 1}, got[4];
    uint64_t times;
    assert(set >= 0 && timer >= 0 && pipe(ends) == 0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, timer, &event) == 0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, timer, &event) == -1 && errno == EEXIST);
    event = (struct epoll_event){.events = EPOLLIN | EPOLLONESHOT, .data.u32 = 2};
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
    assert(epoll_wait(set, got, 4, 0) == 0);
    assert(timerfd_settime(timer, 0, &once, NULL) == 0);
    assert(epoll_wait(set, got, 4, -1) == 1 && got[0].data.u32 == 1 && got[0].events == EPOLLIN);
    assert(write(ends[1], "x", 1) == 1);
    assert(epoll_wait(set, got, 4, -1) == 2 && got[1].data.u32 == 2);
    assert(epoll_wait(set, got, 4, -1) == 1);                    /* the pipe was told once */
    assert(read(timer, &times, sizeof times) == sizeof times && times == 1);
    assert(epoll_wait(set, got, 4, 0) == 0);
    assert(epoll_ctl(set, EPOLL_CTL_MOD, ends[0], &event) == 0 && epoll_wait(set, got, 1, -1) == 1 && got[0].data.u32 == 2);
    assert(epoll_ctl(set, EPOLL_CTL_DEL, ends[0], NULL) == 0 && epoll_ctl(set, EPOLL_CTL_DEL, ends[0], NULL) == -1 && errno == ENOENT);
    close(timer);
    assert(epoll_wait(set, got, 4, 0) == 0);
    close(set);
    assert(epoll_wait(set, got, 4, 0) == -1 && errno == EBADF);
    return 0;
}
