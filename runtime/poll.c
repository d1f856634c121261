/* poll and select in a sharing group: one operation that looks at several channels. Files of the kernel are always ready.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "signals.h"
#include "sys.h"

#include <poll.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#pragma GCC poison malloc calloc free printf

/* Sets of channels to be looked at. */
struct watch { uint32_t read, write; bool ready, input; };       /* ready: something is, at any time; input: standard input, at which there is nobody */

static void watch_one(struct watch *w, int fd, bool read, bool write)
{
    const struct rt_file *f = rt_file_of(fd);
    if (fd < 0)
        return;
    if (!f || f->kind != RT_STREAM) {
        w->input |= !f && fd == 0 && read && !rt->input;
        w->ready = true;             /* also when it is not open: that is said at once */
        return;
    }
    if (read && f->reads != RT_NOWHERE)
        w->read |= 1u << f->reads;
    write &= !f->timer;
    if (write && f->writes != RT_NOWHERE)
        w->write |= 1u << f->writes;
    w->ready |= (read && f->reads == RT_NOWHERE && f->socket) || (write && f->writes == RT_NOWHERE);
}

enum { MOVES = 1, ALONE = 2 };               /* something can be moved; nobody holds the other end */

/* What was found of this channel. When they are too many to tell, what there is in memory says which of the two it is. */
static int found(const struct watch *w, uint32_t result, int channel, bool writing)
{
    uint32_t set = writing ? w->write : w->read, below = set & ((1u << channel) - 1);
    int place = __builtin_popcount(below) + (writing ? __builtin_popcount(w->read) : 0);
    if (!(set >> channel & 1))
        return 0;
    if (STREAMS_DETAIL(w->read, w->write))
        return result >> 2 * place & (MOVES | ALONE);
    return !(result >> place & 1) ? 0 : writing || rt_bytes_in(channel) ? MOVES : ALONE;
}

static int can_read(const struct watch *w, uint32_t result, const struct rt_file *f)
{
    return f->reads == RT_NOWHERE ? ALONE : found(w, result, f->reads, false);
}

static int can_write(const struct watch *w, uint32_t result, const struct rt_file *f)
{
    return f->writes == RT_NOWHERE ? ALONE : found(w, result, f->writes, true);
}

/* time NULL: waits for ever. The bits of what is ready. */
RT_INLINE uint32_t wait_for(const struct watch *w, const struct timespec *time, bool *interrupted)
{
    if (w->input)
        RT_REFUSE("poll" RT_NO_INPUT);
    if (__builtin_popcount(w->read) + __builtin_popcount(w->write) > STREAMS_POLLED)
        RT_REFUSE("poll (of more than 28 channels)");
    struct rt_call call = rt_stream_call(STREAMS_POLL, (int32_t)w->read, (int32_t)w->write, time || w->ready ? ARG_TIMED : 0, 0,
                                         RT_NOWHERE);
    call.interrupted = 1;
    uint32_t result = (uint32_t)RT_ENTER_CANCELLABLE(&call);
    *interrupted = call.was_interrupted;
    if (time && !result && !w->ready)
        rt_pass_time(time, false);
    return result;
}

/* ---- poll ---- */

enum { READS = POLLIN | POLLRDNORM | POLLPRI | POLLRDHUP, WRITES = POLLOUT | POLLWRNORM };

/* Also who asks for nothing is told that nobody writes any more; but what is there to be read is nothing to it. */
static int hangs_up(const struct watch *w, uint32_t result, const struct rt_file *f)
{
    return f->reads == RT_NOWHERE || f->socket ? 0 : found(w, result, f->reads, false) & ALONE;
}

static short events_of(const struct pollfd *p, const struct watch *w, uint32_t result)
{
    const struct rt_file *f = rt_file_of(p->fd);
    short events = 0;
    if (p->fd < 0)
        return 0;
    if (!f)
        return rt_kind_of(p->fd) == RT_NONE ? POLLNVAL : (short)(p->events & (POLLIN | POLLRDNORM | WRITES));
    if (f->kind != RT_STREAM)
        return (short)(p->events & (POLLIN | POLLRDNORM | WRITES));
    int reads = p->events & READS ? can_read(w, result, f) : hangs_up(w, result, f), writes = p->events & WRITES && !f->timer ? can_write(w, result, f) : 0;
    if (reads & MOVES || (reads && f->socket))
        events |= (short)(p->events & (POLLIN | POLLRDNORM));
    if (reads & ALONE)
        events |= (short)(f->socket ? p->events & POLLRDHUP : POLLHUP);
    if (writes & MOVES || (writes && f->socket))
        events |= (short)(p->events & WRITES);
    if (writes & ALONE && !f->socket)
        events |= POLLERR;
    return events;
}

RT_INLINE int poll_ours(struct pollfd *fds, nfds_t count, const struct timespec *time)
{
    struct watch w = {0};
    int ready = 0;
    for (nfds_t i = 0; i < count; i++)
        watch_one(&w, fds[i].fd, fds[i].events & READS || (time && !(fds[i].events & WRITES)), fds[i].events & WRITES);
    bool interrupted;
    uint32_t result = wait_for(&w, time, &interrupted);
    if (interrupted)
        return (int)rt_answer(-EINTR);
    for (nfds_t i = 0; i < count; i++) {
        fds[i].revents = events_of(&fds[i], &w, result);
        ready += fds[i].revents != 0;
    }
    return ready;
}

static struct timespec from_milliseconds(long n)
{
    return (struct timespec){.tv_sec = n / 1000, .tv_nsec = n % 1000 * 1000000};
}

RT_INLINE int poll_milliseconds(struct pollfd *fds, nfds_t count, int timeout)
{
    struct timespec time = from_milliseconds(timeout);
    return poll_ours(fds, count, timeout < 0 ? NULL : &time);
}

RT_FUNCTION(int, poll, (struct pollfd *fds, nfds_t count, int timeout), (fds, count, timeout),
    LIBC, KERNEL(SYS_poll, fds, count, timeout), DO(poll_milliseconds(fds, count, timeout)))
RT_CHECKED_GROUPED(int, __poll_chk, (struct pollfd *fds, nfds_t count, int timeout, size_t room), (fds, count, timeout, room),
    count <= room / sizeof *fds, NEXT, DO(poll_milliseconds(fds, count, timeout)))

/* Signals that are let in, or kept out, only while it waits. */
static bool changes_mask(const sigset_t *mask)
{
    return mask && rt_mask_of(mask) != rt_thread.mask;
}

RT_INLINE int poll_masked(struct pollfd *fds, nfds_t count, const struct timespec *time, const sigset_t *mask)
{
    if (changes_mask(mask))
        RT_REFUSE("ppoll (with another signal mask)");
    return poll_ours(fds, count, time);
}

RT_GROUPED(int, ppoll, (struct pollfd *fds, nfds_t count, const struct timespec *time, const sigset_t *mask),
    (fds, count, time, mask), NEXT, DO(poll_masked(fds, count, time, mask)))
RT_CHECKED_GROUPED(int, __ppoll_chk, (struct pollfd *fds, nfds_t count, const struct timespec *time, const sigset_t *mask,
    size_t room), (fds, count, time, mask, room), count <= room / sizeof *fds, NEXT, DO(poll_masked(fds, count, time, mask)))

/* ---- select ---- */

static bool wants(const fd_set *set, int fd) { return set && FD_ISSET(fd, set); }

static int keep(fd_set *set, int fd, bool ready)
{
    if (!wants(set, fd))
        return 0;
    if (!ready)
        FD_CLR(fd, set);
    return ready;
}

RT_INLINE int select_ours(int count, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *time)
{
    struct watch w = {0};
    int ready = 0;
    for (int fd = 0; fd < count; fd++) {
        if (!wants(reads, fd) && !wants(writes, fd) && !wants(others, fd))
            continue;
        if (rt_kind_of(fd) == RT_NONE)
            return (int)rt_answer(-EBADF);
        if (wants(reads, fd) || wants(writes, fd))
            watch_one(&w, fd, wants(reads, fd), wants(writes, fd));
    }
    bool interrupted;
    uint32_t result = wait_for(&w, time, &interrupted);
    if (interrupted)
        return (int)rt_answer(-EINTR);
    for (int fd = 0; fd < count; fd++) {
        const struct rt_file *f = rt_file_of(fd);
        bool ours = f && f->kind == RT_STREAM;
        ready += keep(reads, fd, !ours || can_read(&w, result, f));
        ready += keep(writes, fd, !ours || (!f->timer && can_write(&w, result, f)));
        keep(others, fd, false);
    }
    return ready;
}

RT_INLINE int select_until(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *timeout)
{
    struct timespec time = {0};
    if (timeout)
        time = (struct timespec){.tv_sec = timeout->tv_sec, .tv_nsec = timeout->tv_usec * 1000};
    int ready = select_ours(count, reads, writes, others, timeout ? &time : NULL);
    if (timeout && ready == 0)
        *timeout = (struct timeval){0};
    return ready;
}

RT_INLINE int select_masked(int count, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *time,
                            const sigset_t *mask)
{
    if (changes_mask(mask))
        RT_REFUSE("pselect (with another signal mask)");
    return select_ours(count, reads, writes, others, time);
}

RT_FUNCTION(int, select, (int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others,
    struct timeval *restrict timeout), (count, reads, writes, others, timeout),
    LIBC, KERNEL(SYS_select, count, reads, writes, others, timeout), DO(select_until(count, reads, writes, others, timeout)))

RT_GROUPED(int, pselect, (int count, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others,
    const struct timespec *restrict time, const sigset_t *restrict mask), (count, reads, writes, others, time, mask),
    NEXT, DO(select_masked(count, reads, writes, others, time, mask)))
