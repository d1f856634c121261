/* Timers that are read like files: a channel counts their expiries, so that poll and select look at them as at a pipe.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "timers.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/timerfd.h>
#pragma GCC poison malloc calloc free printf

RT_INLINE int group_timerfd_create(clockid_t clock, int flags, uint64_t place)
{
    if (!rt_times(clock, "timerfd_create (of a clock that wakes the machine)"))
        return -1;
    if (flags & ~(TFD_CLOEXEC | TFD_NONBLOCK))
        return (int)rt_answer(-EINVAL);
    if (rt_lowest_descriptor(0) == -EMFILE)
        return (int)rt_answer(-EMFILE);
    int channel = rt_open_channel(3, STREAMS_MOST, RT_NOWHERE, 0, "timerfd_create()");
    struct rt_timer *t = rt_timer_new((struct rt_timer){.kind = RT_TIMER_FILE, .channel = (int8_t)channel, .thread = -1, .place = place,
                                                        .made_by = "timerfd_create()",
                                                        .name = "the timer of a file"});
    if (!t)
        return (int)rt_answer(-ENFILE);
    struct rt_file f = {.kind = RT_STREAM, .nonblocking = flags & TFD_NONBLOCK, .reads = (int8_t)channel, .writes = RT_NOWHERE,
                        .listener = RT_NOWHERE, .name = RT_NOWHERE, .capacity = STREAMS_CODED, .access = O_RDWR,
                        .timer = (int8_t)t->process, .number = rt_host()};
    return rt_give_descriptor(&f, flags & TFD_CLOEXEC ? O_CLOEXEC : 0, "timerfd_create" RT_MANY_FILES);
}

RT_FUNCTION(int, timerfd_create, (clockid_t clock, int flags), (clock, flags),
    NEXT, NEED_GROUP, DO(group_timerfd_create(clock, flags, (uint64_t)__builtin_return_address(0))))

/* NULL with errno, or it is refused: the timer is a process of the UNIX process that made it, and ends with that. */
RT_INLINE struct rt_timer *timer_of(int fd, const char *refused)
{
    const struct rt_file *f = rt_file_of(fd);
    if (!f || !f->timer) {
        errno = rt_kind_of(fd) == RT_NONE ? EBADF : EINVAL;
        return NULL;
    }
    if (f->number != rt_host())
        RT_REFUSE(refused);
    return rt_timer_of(f->timer);
}

RT_INLINE int group_timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old)
{
    struct rt_timer *t = timer_of(fd, "timerfd_settime (of a timer of another process)");
    if (!t)
        return -1;
    if (flags & TFD_TIMER_CANCEL_ON_SET)
        RT_REFUSE("timerfd_settime (with TFD_TIMER_CANCEL_ON_SET)");
    if (flags & ~TFD_TIMER_ABSTIME || !rt_is_timespec(&new->it_value) || !rt_is_timespec(&new->it_interval))
        return (int)rt_answer(-EINVAL);
    struct rt_timer_times before = rt_timer_set(t, rt_first_of(&new->it_value, flags & TFD_TIMER_ABSTIME), rt_span_of(&new->it_interval),
                                                "timerfd_settime", false);
    if (old)
        *old = (struct itimerspec){rt_timespec_of(before.interval), rt_timespec_of(before.left)};
    return 0;
}

RT_FUNCTION(int, timerfd_settime, (int fd, int flags, const struct itimerspec *new, struct itimerspec *old), (fd, flags, new, old),
    NEXT, NEED_GROUP, DO(group_timerfd_settime(fd, flags, new, old)))

RT_INLINE int group_timerfd_gettime(int fd, struct itimerspec *now)
{
    struct rt_timer *t = timer_of(fd, "timerfd_gettime (of a timer of another process)");
    if (!t)
        return -1;
    struct rt_timer_times times = rt_timer_get(t, "timerfd_gettime()");
    *now = (struct itimerspec){rt_timespec_of(times.interval), rt_timespec_of(times.left)};
    return 0;
}

RT_FUNCTION(int, timerfd_gettime, (int fd, struct itimerspec *now), (fd, now), NEXT, NEED_GROUP, DO(group_timerfd_gettime(fd, now)))
