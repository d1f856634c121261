/* Pipes and pairs of sockets in a sharing group: reading and writing. The bytes are in channel.c; whether a call waits, and how many it moves,
 * the controller says (src/objects/streams.c).
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"
#include "descriptors.h"
#include "inet.h"
#include "plain_files.h"
#include "signals.h"
#include "sys.h"
#include "timers.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

static bool in_packets(const struct rt_file *f) { return f->socket == SOCK_SEQPACKET || f->socket == SOCK_DGRAM; }

/* ---- reading ---- */

/* Of a connection, once: the first call that sees it fails by it. */
static bool is_reset(const struct rt_file *f)
{
    struct rt_channel *c = f->socket && f->reads != RT_NOWHERE ? &rt_root->channels[f->reads] : NULL;
    if (!c || !c->reset || c->told)
        return false;
    c->told = true;
    return true;
}

RT_INLINE ssize_t read_stream(const struct rt_file *file, const struct iovec *iov, int count, int flags, int *all, const char *function)
{
    struct rt_file f = *file;        /* another thread may close it meanwhile */
    size_t total = rt_total(iov, count), done = 0;
    bool nowait = f.nonblocking || flags & MSG_DONTWAIT;
    const struct timespec *most = rt_patience(&f.most_read, nowait);
    int bits = (nowait ? ARG_NOWAIT : most ? ARG_TIMED : 0) | (flags & MSG_PEEK ? STREAMS_PEEK : 0)
             | (f.socket == SOCK_DGRAM ? STREAMS_ENDLESS : 0);
    if (f.listens || f.reads == RT_NOWHERE)
        return rt_answer(f.shut_reading ? 0 : f.socket ? -EINVAL : -EBADF);
    if (total == 0 && !in_packets(&f)) {
        rt_cancel_point(function, 0);
        return 0;
    }
    do {
        size_t wanted = total - done < STREAMS_MOST ? total - done : STREAMS_MOST;
        struct rt_call call = rt_stream_call(STREAMS_READ, f.reads, in_packets(&f) ? 1 : (int32_t)wanted, bits, f.capacity, f.listener);
        struct rt_words words;
        call.text = rt_socket_words(&words, &f, function, NULL);
        call.interrupted = -EINTR;
        rt_wait_begins(function, most, false);
        int32_t got = (int32_t)RT_ENTER_CANCELLABLE(&call);
        if (most && got == -EAGAIN)
            rt_pass_time(most, false);
        if (got == 0 && is_reset(&f))
            got = -ECONNRESET;
        if (got <= 0)
            return done ? (ssize_t)done : rt_answer(got);
        if (in_packets(&f)) {
            size_t length = rt_get_packet(f.reads, iov, count, flags & MSG_PEEK);
            if (all)
                *all = (int)length;
            return (ssize_t)(length < total ? length : total);
        }
        struct iovec rest = {(char *)iov[0].iov_base + done, wanted};
        done += done ? rt_get_bytes(f.reads, &rest, 1, (size_t)got, false)
                     : rt_get_bytes(f.reads, iov, count, (size_t)got, flags & MSG_PEEK);
    } while (flags & MSG_WAITALL && !(flags & MSG_PEEK) && count == 1 && done < total);
    return (ssize_t)done;
}

/* To or from the first eight bytes that are meant, wherever these lie. */
static uint64_t move_number(const struct iovec *iov, uint64_t number, bool writes)
{
    for (size_t i = 0, at = 0; at < sizeof number; i++)
        for (size_t b = 0; b < iov[i].iov_len && at < sizeof number; b++, at++) {
            char *there = (char *)iov[i].iov_base + b, *here = (char *)&number + at;
            *(writes ? there : here) = *(writes ? here : there);
        }
    return number;
}

/* All that was added since the last look, or one of it: expiries of a timer, or what was written to an eventfd. */
RT_INLINE ssize_t read_number(const struct rt_file *f, const struct iovec *iov, int count)
{
    struct rt_timer *t = f->timer ? rt_timer_of(f->timer) : NULL;
    int bits = (f->timer ? STREAMS_WHOLE : STREAMS_COUNTS | STREAMS_ENDLESS) | (f->nonblocking ? ARG_NOWAIT : 0);
    if (f->timer && (f->number != rt_host() || !t))
        RT_REFUSE("read (of a timer of another process)");
    if (rt_total(iov, count) < sizeof(uint64_t))
        return rt_answer(-EINVAL);
    struct rt_call call = rt_stream_call(STREAMS_READ, f->reads, f->counts == RT_COUNTS_ONE ? 1 : STREAMS_MOST, bits, f->capacity, f->listener);
    struct rt_words words;
    call.text = f->counts ? rt_eventfd_words(&words, "read", f->reads, ")") : NULL;
    call.interrupted = -EINTR;
    int32_t got = (int32_t)RT_ENTER_CANCELLABLE(&call);
    if (got <= 0)
        return rt_answer(got ? got : -EAGAIN);
    if (t)
        rt_thread.clock = rt_at_least(rt_thread.clock, t->passed);
    move_number(iov, f->counts == RT_COUNTS_ONE ? 1 : (uint64_t)got, true);
    return sizeof(uint64_t);
}

RT_INLINE ssize_t read_file(struct rt_file *f, const struct iovec *iov, int count)
{
    ssize_t done = 0;
    if (f->kind != RT_STREAM)
        rt_cancel_point("read", 0);
    switch (f->kind) {
    case RT_STREAM:
        if (f->inet == RT_INET_UDP)
            return rt_udp_receive(f, iov, count, 0, &(struct rt_sender){0}, &(int){0});
        return rt_is_number(f) ? read_number(f, iov, count) : read_stream(f, iov, count, 0, NULL, "read");
    case RT_ZERO:
        for (int i = 0; i < count; done += (ssize_t)iov[i++].iov_len)
            memset(iov[i].iov_base, 0, iov[i].iov_len);
        return done;
    case RT_RANDOM:
        for (int i = 0; i < count; done += (ssize_t)iov[i++].iov_len)
            if (getrandom(iov[i].iov_base, iov[i].iov_len, 0) < 0)
                return -1;
        return done;
    case RT_NULL:
        return 0;
    default:
        RT_REFUSE("read (of shared memory or of a message queue)");
        return rt_answer(-EBADF);
    }
}

RT_INLINE bool is_closed(int fd)     /* the kernel may have it open all the same */
{
    return fd <= 2 && rt_kind_of(fd) == RT_NONE;
}

/* number: of the system call, should it be a file of the kernel */
RT_INLINE ssize_t read_here(int fd, const struct iovec *iov, int count, long number)
{
    if (rt_file_of(fd))
        return read_file(rt_file_of(fd), iov, count);
    rt_cancel_point("read", 0);
    if (rt_is_input(fd) && !rt_before_input("read", 0))
        RT_REFUSE("read" RT_NO_INPUT);
    if (is_closed(fd))
        return rt_answer(-EBADF);
    rt_before_moving("read", fd, RT_LOOKS, 0);
    return rt_answer(number == SYS_read ? RT_SYS(SYS_read, fd, iov->iov_base, iov->iov_len) : RT_SYS(number, fd, iov, count));
}

/* What is read is written to memory, and told (accesses.h). */
#define TOUCHING(call, buffer, writes) ({ ssize_t moved_ = (call); rt_touches(buffer, moved_, writes); moved_; })
#define READ_ONE DO(TOUCHING(read_here(fd, &(struct iovec){buffer, bytes}, 1, SYS_read), buffer, true))
RT_CONTROLLED(ssize_t, read, (int fd, void *buffer, size_t bytes), (fd, buffer, bytes), LIBC, READ_ONE)
RT_CHECKED(ssize_t, __read_chk, (int fd, void *buffer, size_t bytes, size_t room), (fd, buffer, bytes, room), bytes <= room, READ_ONE)
RT_CONTROLLED(ssize_t, readv, (int fd, const struct iovec *iov, int count), (fd, iov, count),
    LIBC, DO(read_here(fd, iov, count, SYS_readv)))

/* ---- writing ---- */

/* Nobody reads: who does nothing about the signal is ended by it. */
RT_INLINE void broken_pipe(void)
{
    rt_raise(SIGPIPE, RT_FRAME);
}

/* More than PIPE_BUF bytes go in pieces, as there is room: each is an operation of its own. */
RT_INLINE ssize_t write_stream(struct rt_file *file, const struct iovec *iov, int count, int flags, const char *function)
{
    struct rt_file f = *file;
    size_t total = rt_total(iov, count), done = 0;
    bool nowait = f.nonblocking || flags & MSG_DONTWAIT, packets = in_packets(&f), whole = packets || total <= PIPE_BUF;
    const struct timespec *most = rt_patience(&f.most_write, nowait);
    if (f.shut_writing && !(flags & MSG_NOSIGNAL))
        broken_pipe();
    if (f.writes == RT_NOWHERE)
        return rt_answer(f.shut_writing ? -EPIPE : f.socket ? -ENOTCONN : -EBADF);
    if (total == 0 && !packets)
        return 0;
    if (packets && total > STREAMS_MOST) {
        enum { OF_KERNEL = 212992 - 32 };                /* by its usual settings */
        if (total <= OF_KERNEL)
            RT_REFUSE_SIZE("send (of a packet of more than 65536 bytes, more than VeriSoft has room for)");
        return rt_answer(-EMSGSIZE);
    }
    while (done < total || packets) {
        size_t part = total - done < STREAMS_MOST ? total - done : STREAMS_MOST;
        struct rt_call call = rt_stream_call(STREAMS_WRITE, f.writes, packets ? 1 : (int32_t)part,
                                             (nowait ? ARG_NOWAIT : most ? ARG_TIMED : 0) | (whole ? STREAMS_WHOLE : 0), f.capacity, f.listener);
        struct rt_words words;
        call.text = rt_socket_words(&words, &f, function, NULL);
        call.interrupted = -EINTR;
        rt_wait_begins(function, most, false);
        int32_t put = (int32_t)RT_ENTER_CANCELLABLE(&call);
        if (most && put == -EAGAIN)
            rt_pass_time(most, false);
        if (put == -EPIPE && f.socket == SOCK_DGRAM)
            return rt_answer(-ECONNREFUSED);
        if (put == -EPIPE && f.inet && is_reset(&f))
            return rt_answer(-ECONNRESET);
        if (put == -EPIPE && f.inet && !f.broken && !(f.reads != RT_NOWHERE && rt_root->channels[f.reads].told)) {      /* the first one is sent, and only its answer says that nobody is there */
            file->broken = true;
            return (ssize_t)total;
        }
        if (put == -EPIPE && !(flags & MSG_NOSIGNAL))
            broken_pipe();
        if (put < 0)
            return done ? (ssize_t)done : rt_answer(put);
        if (packets) {
            rt_put_packet(f.writes, iov, count);
            return (ssize_t)total;
        }
        rt_put_bytes(f.writes, iov, count, done, (size_t)put);
        done += (size_t)put;
        if (nowait && (size_t)put < part)
            break;
    }
    return (ssize_t)done;
}

/* To an eventfd. It never waits: that would take more than we can count. */
RT_INLINE ssize_t write_number(const struct rt_file *f, const struct iovec *iov, int count)
{
    uint64_t number = rt_total(iov, count) < sizeof number ? UINT64_MAX : move_number(iov, 0, false);
    if (number == UINT64_MAX)
        return rt_answer(-EINVAL);
    if (number == 0)
        return sizeof number;
    struct rt_call call = rt_stream_call(STREAMS_WRITE, f->writes, number < STREAMS_MOST ? (int32_t)number : STREAMS_MOST,
                                         STREAMS_WHOLE | STREAMS_COUNTS, f->capacity, f->listener);
    struct rt_words words;
    call.text = rt_eventfd_words(&words, "write", f->writes, "");
    if ((int32_t)RT_ENTER_CANCELLABLE(&call) < 0)
        RT_REFUSE("write (to an eventfd that comes to more than 65535)");
    return sizeof number;
}

RT_INLINE ssize_t write_file(struct rt_file *f, const struct iovec *iov, int count)
{
    if (f->kind == RT_STREAM && f->inet == RT_INET_UDP)
        return rt_udp_send(f, iov, count, NULL);
    if (f->kind == RT_STREAM)
        return f->timer ? rt_answer(-EINVAL) : f->counts ? write_number(f, iov, count) : write_stream(f, iov, count, 0, "write");
    if (f->kind == RT_MEMORY || f->kind == RT_MQUEUE)
        RT_REFUSE("write (to shared memory or to a message queue)");
    rt_cancel_point("write", 0);
    return (ssize_t)rt_total(iov, count);
}

RT_INLINE ssize_t write_here(int fd, const struct iovec *iov, int count, long number)
{
    if (rt_file_of(fd))
        return write_file(rt_file_of(fd), iov, count);
    rt_cancel_point("write", 0);
    if (is_closed(fd))
        return rt_answer(-EBADF);
    rt_before_file("write", fd, RT_CHANGES, 0);
    return rt_answer(number == SYS_write ? RT_SYS(SYS_write, fd, iov->iov_base, iov->iov_len) : RT_SYS(number, fd, iov, count));
}

RT_CONTROLLED(ssize_t, write, (int fd, const void *buffer, size_t bytes), (fd, buffer, bytes),
    LIBC, DO(TOUCHING(write_here(fd, &(struct iovec){(void *)buffer, bytes}, 1, SYS_write), buffer, false)))
RT_CONTROLLED(ssize_t, writev, (int fd, const struct iovec *iov, int count), (fd, iov, count),
    LIBC, DO(write_here(fd, iov, count, SYS_writev)))

/* The C library's own would write to the kernel. (Without a group no file is ours.) */
RT_INLINE int print_here(int fd, const char *format, va_list rest)
{
    char text[1024];
    if (!rt_file_of(fd))
        return RT_NEXT(vdprintf)(fd, format, rest);
    int length = vsnprintf(text, sizeof text, format, rest);
    if (length >= (int)sizeof text)
        RT_REFUSE("dprintf (of more than 1023 bytes)");
    struct iovec iov = {text, (size_t)(length < 0 ? 0 : length)};
    return length < 0 ? -1 : (int)write_file(rt_file_of(fd), &iov, 1);
}

#define PRINT(name, parameters) \
    int name parameters; \
    RT_API int name parameters \
    { \
        va_list rest; \
        va_start(rest, format); \
        int result = print_here(fd, format, rest); \
        va_end(rest); \
        return result; \
    }
#define VPRINT(name, parameters) \
    int name parameters; \
    RT_API int name parameters { return print_here(fd, format, rest); }
#define UNUSED __attribute__((unused))
PRINT(dprintf, (int fd, const char *restrict format, ...))
PRINT(__dprintf_chk, (int fd, UNUSED int flag, const char *format, ...))
VPRINT(vdprintf, (int fd, const char *restrict format, va_list rest))
VPRINT(__vdprintf_chk, (int fd, UNUSED int flag, const char *format, va_list rest))

/* ---- sockets: the same with flags ---- */

enum { RECEIVES = MSG_DONTWAIT | MSG_PEEK | MSG_WAITALL | MSG_NOSIGNAL | MSG_TRUNC | MSG_CMSG_CLOEXEC,
       SENDS = MSG_DONTWAIT | MSG_NOSIGNAL | MSG_EOR | MSG_MORE };

RT_INLINE ssize_t receive(int fd, const struct iovec *iov, int count, int flags, int *all, struct rt_sender *from)
{
    struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    if (flags & ~RECEIVES)
        RT_REFUSE("recv (with such flags)");
    ssize_t got = f->inet == RT_INET_UDP ? rt_udp_receive(f, iov, count, flags, from, all) : read_stream(f, iov, count, flags, all, "recv");
    return got >= 0 && all && *all > got && flags & MSG_TRUNC ? *all : got;
}

RT_INLINE ssize_t transmit_datagram(struct rt_file *f, const struct iovec *iov, int count, const struct sockaddr *to, socklen_t length)
{
    bool elsewhere = false;
    int failed = rt_need_port(f);                /* also where the address is wrong */
    if (failed)
        return rt_answer(failed);
    struct rt_address a = to ? rt_read_address(f, to, length, false, &elsewhere) : (struct rt_address){0};
    if (a.error)
        return rt_answer(a.error);
    if (elsewhere)
        RT_REFUSE("sendto (to an address that is not of the loopback)");
    return rt_udp_send(f, iov, count, to ? &a : NULL);
}

RT_INLINE ssize_t transmit(int fd, const struct iovec *iov, int count, int flags, const struct sockaddr *to, socklen_t length)
{
    struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    if (flags & ~SENDS)
        RT_REFUSE("send (with such flags)");
    if (f->inet == RT_INET_UDP)
        return transmit_datagram(f, iov, count, to, length);
    if (to && !f->inet)
        RT_REFUSE("sendto (with an address)");
    return write_stream(f, iov, count, flags, "send");
}

RT_INLINE void tell_sender(int fd, struct rt_sender from, struct sockaddr *address, socklen_t *length)
{
    const struct rt_file *f = rt_file_of(fd);
    if (f && f->inet == RT_INET_UDP)
        rt_tell_inet(f, false, from.by_v4, from.port, address, length);
    else if (length)
        *length = 0;
}

RT_INLINE ssize_t receive_one(int fd, void *buffer, size_t bytes, int flags, struct sockaddr *address, socklen_t *length)
{
    struct iovec iov = {buffer, bytes};
    int all = 0;
    struct rt_sender from = {0};
    ssize_t got = receive(fd, &iov, 1, flags, &all, &from);
    if (got >= 0)
        tell_sender(fd, from, address, length);
    return got;
}

RT_INLINE ssize_t receive_message(int fd, struct msghdr *message, int flags)
{
    int all = 0;
    struct rt_sender from = {0};
    ssize_t got = receive(fd, message->msg_iov, (int)message->msg_iovlen, flags, &all, &from);
    if (got >= 0) {
        tell_sender(fd, from, message->msg_name, &message->msg_namelen);
        message->msg_controllen = 0;
        message->msg_flags = all > got ? MSG_TRUNC : 0;
    }
    return got;
}

RT_INLINE ssize_t transmit_one(int fd, const void *buffer, size_t bytes, int flags, const struct sockaddr *to, socklen_t length)
{
    struct iovec iov = {(void *)buffer, bytes};
    return transmit(fd, &iov, 1, flags, to, length);
}

RT_INLINE ssize_t transmit_message(int fd, const struct msghdr *message, int flags)
{
    if (message->msg_controllen)
        RT_REFUSE("sendmsg (of descriptors or other control data)");
    return transmit(fd, message->msg_iov, (int)message->msg_iovlen, flags, message->msg_name, message->msg_namelen);
}

RT_FUNCTION(ssize_t, recv, (int fd, void *buffer, size_t bytes, int flags), (fd, buffer, bytes, flags),
    LIBC, KERNEL(SYS_recvfrom, fd, buffer, bytes, flags, 0, 0), DO(TOUCHING(receive_one(fd, buffer, bytes, flags, NULL, NULL), buffer, true)))
RT_CHECKED_GROUPED(ssize_t, __recv_chk, (int fd, void *buffer, size_t bytes, size_t room, int flags),
    (fd, buffer, bytes, room, flags), bytes <= room, NEXT, DO(TOUCHING(receive_one(fd, buffer, bytes, flags, NULL, NULL), buffer, true)))
RT_FUNCTION(ssize_t, recvfrom, (int fd, void *restrict buffer, size_t bytes, int flags, struct sockaddr *restrict from,
    socklen_t *restrict length), (fd, buffer, bytes, flags, from, length),
    LIBC, KERNEL(SYS_recvfrom, fd, buffer, bytes, flags, from, length), DO(receive_one(fd, buffer, bytes, flags, from, length)))
RT_CHECKED_GROUPED(ssize_t, __recvfrom_chk, (int fd, void *buffer, size_t bytes, size_t room, int flags, struct sockaddr *from,
    socklen_t *length), (fd, buffer, bytes, room, flags, from, length), bytes <= room,
    NEXT, DO(receive_one(fd, buffer, bytes, flags, from, length)))
RT_FUNCTION(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags),
    LIBC, KERNEL(SYS_recvmsg, fd, message, flags), DO(receive_message(fd, message, flags)))
RT_FUNCTION(ssize_t, send, (int fd, const void *buffer, size_t bytes, int flags), (fd, buffer, bytes, flags),
    LIBC, KERNEL(SYS_sendto, fd, buffer, bytes, flags, 0, 0), DO(TOUCHING(transmit_one(fd, buffer, bytes, flags, NULL, 0), buffer, false)))
RT_FUNCTION(ssize_t, sendto, (int fd, const void *buffer, size_t bytes, int flags, const struct sockaddr *to, socklen_t length),
    (fd, buffer, bytes, flags, to, length),
    LIBC, KERNEL(SYS_sendto, fd, buffer, bytes, flags, to, length), DO(transmit_one(fd, buffer, bytes, flags, to, length)))
RT_FUNCTION(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags),
    LIBC, KERNEL(SYS_sendmsg, fd, message, flags), DO(transmit_message(fd, message, flags)))

/* ---- making and ending them ---- */

/* The first process from the beginning, others from the end, a pair after the other. What fork copies does not count. */
int rt_next_channel(void)
{
    static int opened, host;
    if (host != rt_host()) {
        host = rt_host();
        opened = 0;
    }
    return (host == 0 ? opened++ : STREAMS_CHANNELS - 1 - (2 * (host - 1) + opened++) % STREAMS_CHANNELS) % STREAMS_CHANNELS;
}

static int capacity_of(int socket)
{
    enum { PACKETS = 278, DATAGRAMS = 11 };              /* what usual settings of the kernel come to */
    return socket == SOCK_SEQPACKET ? PACKETS : socket == SOCK_DGRAM ? DATAGRAMS : STREAMS_MOST;
}

static struct rt_file new_file(int socket, int reads, int writes, int flags)
{
    return (struct rt_file){.kind = RT_STREAM, .socket = (uint8_t)socket, .nonblocking = flags & O_NONBLOCK, .reads = (int8_t)reads,
                            .writes = (int8_t)writes, .listener = RT_NOWHERE, .name = RT_NOWHERE,
                            .capacity = (int16_t)(capacity_of(socket) < STREAMS_CODED ? capacity_of(socket) : STREAMS_CODED),
                            .access = (int16_t)(writes == RT_NOWHERE ? O_RDONLY : reads == RT_NOWHERE ? O_WRONLY : O_RDWR)};
}

/* -EMFILE: the program may not have two numbers more. That there is no place for them here is found when they are given. */
static int room_for_two(void)
{
    int first = rt_lowest_descriptor(0), second = first < 0 ? first : rt_lowest_descriptor(first + 1);
    return second == -EMFILE ? -EMFILE : 0;
}

RT_INLINE int make_pipe(int ends[2], int flags)
{
    if (flags & ~(O_CLOEXEC | O_NONBLOCK))
        RT_REFUSE("pipe2 (with such flags)");
    if (room_for_two())
        return (int)rt_answer(-EMFILE);
    int channel = rt_open_channel(3, STREAMS_MOST, RT_NOWHERE, 0, "pipe()");
    struct rt_file reading = new_file(0, channel, RT_NOWHERE, flags), writing = new_file(0, RT_NOWHERE, channel, flags);
    ends[0] = rt_new_descriptor(&reading, flags);
    ends[1] = rt_new_descriptor(&writing, flags);
    if (ends[0] < 0 || ends[1] < 0)
        RT_REFUSE_SIZE("pipe (more files than VeriSoft can control)");
    return 0;
}

RT_FUNCTION(int, pipe, (int ends[2]), (ends), LIBC, NEED_GROUP, DO(make_pipe(ends, 0)))
RT_FUNCTION(int, pipe2, (int ends[2], int flags), (ends, flags), LIBC, NEED_GROUP, DO(make_pipe(ends, flags)))

RT_INLINE int make_pair(int domain, int type, int protocol, int ends[2])
{
    int kind = type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK), flags = (type & SOCK_CLOEXEC ? O_CLOEXEC : 0) | (type & SOCK_NONBLOCK ? O_NONBLOCK : 0);
    if (domain != AF_UNIX)
        return (int)rt_answer(-EOPNOTSUPP);
    if (protocol || (kind != SOCK_STREAM && kind != SOCK_SEQPACKET && kind != SOCK_DGRAM))
        return (int)rt_answer(-EPROTONOSUPPORT);
    if (room_for_two())
        return (int)rt_answer(-EMFILE);
    int bits = kind == SOCK_DGRAM ? STREAMS_ENDLESS : 0;
    int there = rt_open_channel(3, capacity_of(kind), RT_NOWHERE, bits, "socketpair()");
    int back = rt_open_channel(3, capacity_of(kind), RT_NOWHERE, bits, "socketpair()");
    struct rt_file one = new_file(kind, back, there, flags), other = new_file(kind, there, back, flags);
    ends[0] = rt_new_descriptor(&one, flags);
    ends[1] = rt_new_descriptor(&other, flags);
    if (ends[0] < 0 || ends[1] < 0)
        RT_REFUSE_SIZE("socketpair (more files than VeriSoft can control)");
    return 0;
}

RT_FUNCTION(int, socketpair, (int domain, int type, int protocol, int ends[2]), (domain, type, protocol, ends),
    LIBC, NEED_GROUP, DO(make_pair(domain, type, protocol, ends)))

RT_INLINE void shut(const struct rt_file *f, int channel, bool writing)
{
    struct rt_call call = rt_stream_call(STREAMS_SHUT, channel, 0, writing ? STREAMS_WRITING : 0, f->capacity, f->listener);
    struct rt_words words;
    call.text = rt_socket_words(&words, f, "shutdown", NULL);
    RT_ENTER(&call);
}

RT_INLINE int shut_down(int fd, int how)
{
    struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    if (f->listens)
        RT_REFUSE("shutdown (of a listening socket)");
    if ((f->reads == RT_NOWHERE && !f->shut_reading) || (f->writes == RT_NOWHERE && !f->shut_writing))
        return (int)rt_answer(-ENOTCONN);
    if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR)
        return (int)rt_answer(-EINVAL);
    if (how != SHUT_WR && f->reads != RT_NOWHERE) {
        shut(f, f->reads, false);
        f->shut_reading = true;
        f->reads = RT_NOWHERE;
    }
    if (how != SHUT_RD && f->writes != RT_NOWHERE) {
        shut(f, f->writes, true);
        rt_root->channels[f->writes].half = !f->shut_reading;
        f->shut_writing = true;
        f->writes = RT_NOWHERE;
    }
    return 0;
}

RT_FUNCTION(int, shutdown, (int fd, int how), (fd, how), LIBC, KERNEL(SYS_shutdown, fd, how), DO(shut_down(fd, how)))
