/* expect: complete.  optimal: 2 executions.
 *
 * A timer that is read: it waits, it can be asked for without waiting, it is looked at by poll together with a pipe, and what it has counted is
 * forgotten when it is set anew.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), ends[2];
    struct itimerspec once = {.it_value.tv_sec = 3}, off = {0}, left;
    uint64_t times = 0;
    assert(timer >= 0 && pipe(ends) == 0);
    assert(read(timer, &times, sizeof times) == -1 && errno == EAGAIN);
    assert(timerfd_settime(timer, 0, &once, NULL) == 0);
    struct pollfd both[] = {{timer, POLLIN, 0}, {ends[0], POLLIN, 0}};
    assert(poll(both, 2, -1) == 1 && both[0].revents == POLLIN && both[1].revents == 0);
    assert(read(timer, &times, 4) == -1 && errno == EINVAL);
    assert(read(timer, &times, sizeof times) == sizeof times && times == 1);
    assert(read(timer, &times, sizeof times) == -1 && errno == EAGAIN);
    assert(timerfd_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
    assert(timerfd_settime(timer, 0, &once, NULL) == 0 && timerfd_settime(timer, 0, &off, NULL) == 0);
    assert(read(timer, &times, sizeof times) == -1 && errno == EAGAIN);
    fcntl(timer, F_SETFL, 0);
    assert(timerfd_settime(timer, 0, &once, NULL) == 0);
    assert(read(timer, &times, sizeof times) == sizeof times && times == 1);
    assert(close(timer) == 0);
    return 0;
}
