/* poll, select and epoll in a sharing group: one operation that looks at several channels. Files of the kernel are always ready.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "signals.h"
#include "sys.h"
#include "timers.h"
#include "waits.h"

#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#pragma GCC poison malloc calloc free printf

/* Sets of channels to be looked at. */
struct watch {
    uint32_t read, write;
    uint8_t  end[STREAMS_ENDS], ends;    /* those that are looked at for their end alone, as STREAMS_END has them */
    bool     ready, input;               /* something is, at any time; standard input, at which there is nobody */
    bool     nested, too_many, reset;    /* a set of epoll; more ends than that; of TCP only whether it is reset */
};

static bool was_refused(const struct rt_file *f) { return f->socket == SOCK_DGRAM && f->broken; }

/* Not a timer, nor a socket that listens. */
static bool can_be_writable(const struct rt_file *f) { return !f->timer && !f->listens; }

static void watch_end(struct watch *w, int channel, bool writing)
{
    w->too_many |= w->ends == STREAMS_ENDS;
    if (channel != RT_NOWHERE && w->ends < STREAMS_ENDS)
        w->end[w->ends++] = (uint8_t)(channel | (writing ? STREAMS_END_WRITTEN : 0));
}

/* Has the other one said that it writes no more, but perhaps still reads? */
static bool is_half_closed(const struct rt_file *f) { return !f->inet && f->reads != RT_NOWHERE && rt_root->channels[f->reads].half; }

static bool is_peer(const struct rt_file *f) { return f->socket && f->socket != SOCK_DGRAM && !f->listens && (f->reads != RT_NOWHERE || f->shut_reading); }

/* Whoever asks poll for whatever is told when the other end is gone. */
static void watch_hang_up(struct watch *w, const struct rt_file *f, short events)
{
    bool reads = events & (POLLIN | POLLRDNORM), asks = events & (POLLRDHUP | POLLPRI);
    if (!f->socket && !rt_is_number(f) && f->reads != RT_NOWHERE && !reads)
        watch_end(w, f->reads, false);
    if (!f->socket && !rt_is_number(f) && f->writes != RT_NOWHERE && !(events & POLLOUT))
        watch_end(w, f->writes, true);
    if (!is_peer(f))
        return;
    bool half = is_half_closed(f), by_end = asks || (!half && (!f->inet || f->shut_writing));
    if (half)
        watch_end(w, f->writes, true);
    if (!reads && by_end)
        watch_end(w, f->reads, false);
    w->reset |= f->inet && !reads && !by_end && !(events & (POLLOUT | POLLWRNORM));
}

static void watch_one(struct watch *w, int fd, bool read, bool write)
{
    const struct rt_file *f = rt_file_of(fd);
    if (fd < 0)
        return;
    if (!f || f->kind != RT_STREAM) {
        w->input |= !f && fd == 0 && read && !rt->input;
        w->nested |= f && f->kind == RT_EPOLL;
        w->ready = true;             /* also when it is not open: that is said at once */
        return;
    }
    if (read && f->reads != RT_NOWHERE)
        w->read |= 1u << f->reads;
    write &= can_be_writable(f);
    if (write && f->writes != RT_NOWHERE)
        w->write |= 1u << f->writes;
    w->ready |= was_refused(f) || (f->socket && ((read && f->reads == RT_NOWHERE) || (write && f->writes == RT_NOWHERE)));
}

enum { MOVES = 1, ALONE = 2 };               /* something can be moved; nobody holds the other end */

/* What was found of this channel. When they are too many to tell, what there is in memory says which of the two it is; a number has nothing there, and
 * nobody leaves it alone. */
static int found(const struct watch *w, uint32_t result, const struct rt_file *f, bool writing)
{
    int channel = writing ? f->writes : f->reads;
    uint32_t set = writing ? w->write : w->read, below = set & ((1u << channel) - 1);
    int place = __builtin_popcount(below) + (writing ? __builtin_popcount(w->read) : 0);
    if (!(set >> channel & 1))
        return 0;
    if (STREAMS_DETAIL(w->read, w->write, w->ends))
        return result >> 2 * place & (MOVES | ALONE);
    return !(result >> place & 1) ? 0 : writing || rt_is_number(f) || rt_bytes_in(channel) ? MOVES : ALONE;
}

static int can_read(const struct watch *w, uint32_t result, const struct rt_file *f)
{
    return f->reads == RT_NOWHERE ? f->socket ? ALONE : 0 : found(w, result, f, false);
}

static int can_write(const struct watch *w, uint32_t result, const struct rt_file *f)
{
    return f->writes == RT_NOWHERE ? f->socket ? ALONE : 0 : found(w, result, f, true);
}

static bool found_end(const struct watch *w, uint32_t result, int channel, bool writing)
{
    int channels = __builtin_popcount(w->read) + __builtin_popcount(w->write), place = STREAMS_DETAIL(w->read, w->write, w->ends) ? 2 * channels : channels;
    for (int i = 0; i < w->ends; i++)
        if (w->end[i] == (channel | (writing ? STREAMS_END_WRITTEN : 0)) && result >> (place + i) & 1)
            return true;
    return false;
}

/* How long a call waits. time NULL: for ever; begun: it has said so (waits.h). */
struct patience { const struct timespec *time; bool begun; };

static void begin(const struct watch *w, struct patience p)
{
    rt_thread.begun = false;
    if (!p.begun)
        rt_wait_begins("poll", w->ready ? NULL : p.time, false);
    else if (w->ready)
        rt_wait_not("epoll_wait");
}

static int ends_of(const struct watch *w)                /* as they stand in arg[2] */
{
    uint32_t bits = (uint32_t)w->ends << STREAMS_ENDS_COUNT_SHIFT;
    for (int i = 0; i < w->ends; i++)
        bits |= (uint32_t)w->end[i] << (STREAMS_ENDS_SHIFT + STREAMS_END_BITS * i);
    return (int)bits;
}

/* The bits of what is ready. */
RT_INLINE uint32_t wait_for(const struct watch *w, struct patience p, bool *interrupted)
{
    const struct timespec *time = p.time;
    if (w->input)
        RT_REFUSE("poll" RT_NO_INPUT);
    if (w->nested)
        RT_REFUSE("poll (of a set of epoll)");
    if (__builtin_popcount(w->read) + __builtin_popcount(w->write) + w->ends > STREAMS_POLLED)
        RT_REFUSE("poll (of more than 28 channels)");
    if (w->too_many)
        RT_REFUSE("poll (of more than 3 files, for nothing but their end)");
    if (w->reset && !w->ready)
        RT_REFUSE("poll (of a TCP socket, for nothing but a reset)");
    struct rt_call call = rt_stream_call(STREAMS_POLL, (int32_t)w->read, (int32_t)w->write, ends_of(w) | (time || w->ready ? ARG_TIMED : 0), 0,
                                         RT_NOWHERE);
    call.interrupted = 1;
    begin(w, p);
    uint32_t result = (uint32_t)RT_ENTER_CANCELLABLE(&call);
    *interrupted = call.was_interrupted;
    if (time && !result && !w->ready)
        rt_pass_time(time, false);
    return result;
}

/* ---- poll ---- */

enum { READS = POLLIN | POLLRDNORM, WRITES = POLLOUT | POLLWRNORM };

/* Of a socket: does nobody write to it any more, and would nobody read either? */
static bool hangs_up(const struct watch *w, uint32_t result, const struct rt_file *f, bool ended)
{
    if (!is_peer(f) || !ended || f->shut_writing || f->reads == RT_NOWHERE)
        return is_peer(f) && ended && f->shut_writing;
    if (f->inet)
        return rt_root->channels[f->reads].reset;
    return !is_half_closed(f) || found_end(w, result, f->writes, true);
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
    int reads = p->events & READS ? can_read(w, result, f) : 0, writes = p->events & WRITES && can_be_writable(f) ? can_write(w, result, f) : 0;
    bool ended = reads & ALONE || f->shut_reading || is_half_closed(f) || found_end(w, result, f->reads, false);
    if (reads & MOVES || (reads && f->socket))
        events |= (short)(p->events & (POLLIN | POLLRDNORM));
    if (ended)
        events |= (short)(!f->socket || hangs_up(w, result, f, ended) ? POLLHUP : 0) | (short)(f->socket ? p->events & POLLRDHUP : 0);
    if (writes & MOVES || (writes && f->socket))
        events |= (short)(p->events & WRITES);
    if ((!f->socket && (writes & ALONE || found_end(w, result, f->writes, true))) || was_refused(f))
        events |= POLLERR;
    return events;
}

/* Gives how many are ready, or -1. */
RT_INLINE int poll_once(struct pollfd *fds, nfds_t count, struct patience p)
{
    struct watch w = {0};
    int ready = 0;
    for (nfds_t i = 0; i < count; i++) {
        const struct rt_file *f = fds[i].fd < 0 ? NULL : rt_file_of(fds[i].fd);
        watch_one(&w, fds[i].fd, fds[i].events & READS, fds[i].events & WRITES);
        if (f && f->kind == RT_STREAM)
            watch_hang_up(&w, f, fds[i].events);
    }
    bool interrupted;
    uint32_t result = wait_for(&w, p, &interrupted);
    if (interrupted)
        return (int)rt_answer(-EINTR);
    for (nfds_t i = 0; i < count; i++) {
        fds[i].revents = events_of(&fds[i], &w, result);
        ready += fds[i].revents != 0;
    }
    return ready;
}

/* The end of a socket that is only half of one, because there was a shutdown meanwhile, is waited for again. */
RT_INLINE int poll_begun(struct pollfd *fds, nfds_t count, struct patience p)
{
    int ready = poll_once(fds, count, p);
    while (ready == 0 && !p.time)
        ready = poll_once(fds, count, (struct patience){NULL, false});
    return ready;
}

RT_INLINE int poll_ours(struct pollfd *fds, nfds_t count, const struct timespec *time)
{
    if (time && !rt_is_timespec(time))
        return (int)rt_answer(-EINVAL);
    return poll_begun(fds, count, (struct patience){time, false});
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
    if (count < 0 || (time && !rt_is_timespec(time)))
        return (int)rt_answer(-EINVAL);
    for (int fd = 0; fd < count; fd++) {
        if (!wants(reads, fd) && !wants(writes, fd) && !wants(others, fd))
            continue;
        if (rt_kind_of(fd) == RT_NONE)
            return (int)rt_answer(-EBADF);
        if (wants(reads, fd) || wants(writes, fd))
            watch_one(&w, fd, wants(reads, fd), wants(writes, fd));
    }
    bool interrupted;
    uint32_t result = wait_for(&w, (struct patience){time, false}, &interrupted);
    if (interrupted)
        return (int)rt_answer(-EINTR);
    for (int fd = 0; fd < count; fd++) {
        const struct rt_file *f = rt_file_of(fd);
        bool ours = f && f->kind == RT_STREAM;
        ready += keep(reads, fd, !ours || was_refused(f) || can_read(&w, result, f));
        ready += keep(writes, fd, !ours || (!f->timer && can_write(&w, result, f)));
        keep(others, fd, false);
    }
    return ready;
}

RT_INLINE int select_until(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *timeout)
{
    struct timespec time = {0};
    if (timeout)
        time = (struct timespec){.tv_sec = timeout->tv_sec + timeout->tv_usec / 1000000, .tv_nsec = timeout->tv_usec % 1000000 * 1000};
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

/* ---- epoll: a set that is kept. It is looked at level by level: EPOLLET is unsupported. Events have the same values as those of poll ---- */

enum { RT_EPOLLS = 8, RT_WATCHED = STREAMS_POLLED };
struct interest { int fd; const struct rt_file *file; uint32_t events; epoll_data_t data; };
static struct epoll { bool used; int host, count, waiting; struct interest items[RT_WATCHED]; } epolls[RT_EPOLLS];

enum { OTHER_FLAGS = EPOLLET | EPOLLEXCLUSIVE | EPOLLWAKEUP };

void rt_epoll_forget(const struct rt_file *f)
{
    for (struct epoll *e = epolls; e < epolls + RT_EPOLLS; e++) {
        int kept = 0;
        for (int i = 0; i < e->count; i++)
            if (e->items[i].file != f)
                e->items[kept++] = e->items[i];
        e->count = kept;
        e->used &= f->kind != RT_EPOLL || &epolls[f->number] != e;
    }
}

RT_INLINE int make_epoll(int flags)
{
    int number = 0;
    if (flags & ~EPOLL_CLOEXEC)
        return (int)rt_answer(-EINVAL);
    while (number < RT_EPOLLS && epolls[number].used)
        number++;
    if (number == RT_EPOLLS) {
        RT_REFUSE_SIZE("epoll_create (of more than 8 sets)");
        return -1;
    }
    epolls[number] = (struct epoll){.used = true, .host = rt_host()};
    struct rt_file f = {.kind = RT_EPOLL, .reads = RT_NOWHERE, .writes = RT_NOWHERE, .name = RT_NOWHERE, .number = number};
    return rt_give_descriptor(&f, flags & EPOLL_CLOEXEC ? O_CLOEXEC : 0, "epoll_create" RT_MANY_FILES);
}

RT_FUNCTION(int, epoll_create1, (int flags), (flags), NEXT, NEED_GROUP, DO(make_epoll(flags)))
RT_FUNCTION(int, epoll_create, (int size), (size), NEXT, NEED_GROUP, DO(size > 0 ? make_epoll(0) : (int)rt_answer(-EINVAL)))

RT_INLINE struct epoll *epoll_of(int fd)                 /* NULL with errno */
{
    const struct rt_file *f = rt_file_of(fd);
    if (!f || f->kind != RT_EPOLL) {
        errno = rt_kind_of(fd) == RT_NONE ? EBADF : EINVAL;
        return NULL;
    }
    if (epolls[f->number].host != rt_host())
        RT_REFUSE("epoll (of another process)");
    return &epolls[f->number];
}

/* Other threads may change the set: what was looked at, and who waits there, depends on the order. */
RT_INLINE void epoll_order(const struct epoll *e, bool changes, const char *words)
{
    struct rt_call call = rt_access_call(changes, e, words);
    if (!rt_alone())
        RT_ENTER(&call);
}

static struct interest *interest_in(struct epoll *e, int fd)
{
    for (int i = 0; i < e->count; i++)
        if (e->items[i].fd == fd && e->items[i].file == rt_file_of(fd))
            return &e->items[i];
    return NULL;
}

RT_INLINE int add_interest(struct epoll *e, int fd, const struct epoll_event *event)
{
    if (e->count == RT_WATCHED)
        RT_REFUSE_SIZE("epoll_ctl (of more than 28 files)");
    e->items[e->count++] = (struct interest){fd, rt_file_of(fd), event->events | EPOLLHUP | EPOLLERR, event->data};
    return 0;
}

RT_INLINE int change_epoll(int set, int how, int fd, const struct epoll_event *event)
{
    struct epoll *e = epoll_of(set);
    const struct rt_file *f = rt_file_of(fd);
    if (!e)
        return -1;
    if (rt_kind_of(fd) == RT_NONE || how < EPOLL_CTL_ADD || how > EPOLL_CTL_MOD)
        return (int)rt_answer(rt_kind_of(fd) == RT_NONE ? -EBADF : -EINVAL);
    if (!f || f->kind != RT_STREAM || (how != EPOLL_CTL_DEL && event->events & (uint32_t)OTHER_FLAGS))
        RT_REFUSE(f && f->kind == RT_STREAM ? "epoll_ctl (with EPOLLET, EPOLLEXCLUSIVE or EPOLLWAKEUP)"
                                            : "epoll_ctl (of what is no pipe, socket, timer or eventfd)");
    epoll_order(e, true, "epoll_ctl()");
    struct interest *known = interest_in(e, fd);
    if (e->waiting)
        RT_REFUSE("epoll_ctl (while another thread waits there)");
    if (how == EPOLL_CTL_ADD)
        return known ? (int)rt_answer(-EEXIST) : add_interest(e, fd, event);
    if (!known)
        return (int)rt_answer(-ENOENT);
    if (how == EPOLL_CTL_DEL)
        *known = e->items[--e->count];
    else
        *known = (struct interest){fd, f, event->events | EPOLLHUP | EPOLLERR, event->data};
    return 0;
}

RT_FUNCTION(int, epoll_ctl, (int set, int how, int fd, struct epoll_event *event), (set, how, fd, event),
    NEXT, NEED_GROUP, DO(change_epoll(set, how, fd, event)))

static int tell_events(struct epoll *e, const struct pollfd *fds, int count, struct epoll_event *events, int most)
{
    int told = 0;
    for (int i = 0; i < count && told < most; i++) {
        struct interest *known = fds[i].revents ? interest_in(e, fds[i].fd) : NULL;
        if (!known)
            continue;
        events[told++] = (struct epoll_event){(uint32_t)(unsigned short)fds[i].revents, known->data};
        known->events = known->events & EPOLLONESHOT ? 0 : known->events;
    }
    return told;
}

RT_INLINE int wait_epoll(int set, struct epoll_event *events, int most, const struct timespec *time, const sigset_t *mask)
{
    struct epoll *e = epoll_of(set);
    struct pollfd fds[RT_WATCHED];
    int count = 0;
    if (!e || most <= 0 || (time && !rt_is_timespec(time)))
        return e ? (int)rt_answer(-EINVAL) : -1;
    if (changes_mask(mask))
        RT_REFUSE("epoll_pwait (with another signal mask)");
    bool begun = rt_wait_begins("epoll_wait", time, false);
    rt_thread.begun = begun;
    epoll_order(e, false, "epoll_wait()");
    for (int i = 0; i < e->count; i++)
        if (e->items[i].events & ~(uint32_t)EPOLLONESHOT)
            fds[count++] = (struct pollfd){e->items[i].fd, (short)e->items[i].events, 0};
    e->waiting++;
    int ready = poll_begun(fds, (nfds_t)count, (struct patience){time, begun});
    epoll_order(e, false, "epoll_wait()");
    e->waiting--;
    return ready < 0 ? ready : tell_events(e, fds, count, events, most);
}

RT_INLINE int wait_epoll_milliseconds(int set, struct epoll_event *events, int most, int timeout, const sigset_t *mask)
{
    struct timespec time = from_milliseconds(timeout);
    return wait_epoll(set, events, most, timeout < 0 ? NULL : &time, mask);
}

RT_FUNCTION(int, epoll_wait, (int set, struct epoll_event *events, int most, int timeout), (set, events, most, timeout),
    NEXT, NEED_GROUP, DO(wait_epoll_milliseconds(set, events, most, timeout, NULL)))
RT_FUNCTION(int, epoll_pwait, (int set, struct epoll_event *events, int most, int timeout, const sigset_t *mask),
    (set, events, most, timeout, mask), NEXT, NEED_GROUP, DO(wait_epoll_milliseconds(set, events, most, timeout, mask)))
RT_FUNCTION(int, epoll_pwait2, (int set, struct epoll_event *events, int most, const struct timespec *time, const sigset_t *mask),
    (set, events, most, time, mask), NEXT, NEED_GROUP, DO(wait_epoll(set, events, most, time, mask)))
