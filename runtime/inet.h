/* TCP and UDP on the loopback, between the processes of a sharing group: a port is a name in the same table as those of AF_UNIX sockets, and
 * belongs to the program. All addresses of the loopback, and INADDR_ANY, are one; others are unsupported.
 * SPDX-License-Identifier: MIT */
#ifndef RT_INET_H
#define RT_INET_H

#include "descriptors.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { RT_INET_NONE, RT_INET_TCP, RT_INET_UDP };

/* What an address is called in the table of names; or it is wrong, with a negative errno. */
struct rt_address { char path[RT_NAME]; size_t length; uint16_t port; int error; };

RT_INLINE bool rt_is_loopback(const struct sockaddr_in *a)
{
    uint32_t host = ntohl(a->sin_addr.s_addr);
    return host == INADDR_ANY || host >> 24 == 127;
}

static inline struct rt_address rt_port_name(int inet, uint16_t port)   /* 127.0.0.1:8080/tcp */
{
    struct rt_address a = {.port = port};
    static const char begin[] = "127.0.0.1:", *const ends[] = {"", "/tcp", "/udp"};
    char digits[6], *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = (char)('0' + port % 10);
    while (port /= 10);
    for (const char *parts[] = {begin, at, ends[inet], NULL}, **p = parts; *p; p++)
        for (const char *c = *p; *c; c++)
            a.path[a.length++] = *c;
    return a;
}

RT_INLINE struct sockaddr_in rt_inet_address(uint16_t port)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

RT_INLINE void rt_tell_inet(uint16_t port, struct sockaddr *address, socklen_t *bytes)
{
    struct sockaddr_in a = rt_inet_address(port);
    if (address && bytes)
        memcpy(address, &a, *bytes < sizeof a ? *bytes : sizeof a);
    if (bytes)
        *bytes = sizeof a;
}

/* ---- UDP ---- */

/* Each socket that has a port has a channel of packets, which begin with the sender's port. Gives bytes, or -1 with errno. */
enum { RT_UDP_PACKETS = 11, RT_UDP_PARTS = 15 };         /* that one channel holds, as usual settings of the kernel come to; of one message */

uint16_t rt_free_port(void);                             /* by its own past: no other UNIX process picks the same */
struct rt_name *rt_name_of(const char *path, size_t length);             /* unix_socket.c; NULL: there is none */
struct rt_name *rt_new_name(const char *path, size_t length);            /* NULL: too many */

/* Before the table of names is looked at, or changed. */
RT_INLINE void rt_look_at_names(bool change, const char *function, const char *path, size_t length)
{
    enum { NAMES_CLASS = RT_CLASSES };                   /* of a bucket */
    struct rt_words words;
    struct rt_call call = rt_access_call(change, rt_bucket(NAMES_CLASS, 0, NULL), rt_words(&words, function, path, length));
    RT_ENTER(&call);
}

RT_INLINE int rt_bind_name(struct rt_file *f, const struct rt_address *a, const char *function)  /* 0 or a negative errno */
{
    rt_look_at_names(true, function, a->path, a->length);
    if (rt_name_of(a->path, a->length))
        return -EADDRINUSE;
    struct rt_name *n = rt_new_name(a->path, a->length);
    if (!n) {
        RT_REFUSE_SIZE("bind (of more names than VeriSoft can control)");
        return -ENOBUFS;
    }
    n->holders = UINT64_C(1) << rt_host();
    f->name = (int8_t)(n - rt_root->names);
    f->port = a->port;
    return 0;
}

/* A datagram socket is read from when it has a port. */
RT_INLINE int rt_open_udp(struct rt_file *f, const struct rt_address *a, const char *function)
{
    int channel = rt_open_channel(1, RT_UDP_PACKETS, RT_NOWHERE, STREAMS_ENDLESS), failed = rt_bind_name(f, a, function);
    if (failed) {
        rt_close_channel(channel, false, f, 0);
        return failed;
    }
    rt_root->names[f->name].listener = (int8_t)channel;
    f->reads = (int8_t)channel;
    f->capacity = RT_UDP_PACKETS;
    return 0;
}

RT_INLINE int rt_need_port(struct rt_file *f)            /* 0 or a negative errno */
{
    if (f->name != RT_NOWHERE)
        return 0;
    struct rt_address a = rt_port_name(RT_INET_UDP, rt_free_port());
    return rt_open_udp(f, &a, "port");
}

/* To this port, or where it is connected to. Who is not there, or has no room, does not get it: that is no error. */
RT_INLINE ssize_t rt_udp_send(struct rt_file *f, const struct iovec *iov, int count, uint16_t port)
{
    struct iovec parts[RT_UDP_PARTS + 1] = {{&f->port, sizeof f->port}};
    size_t total = rt_total(iov, count);
    enum { LARGEST_DATAGRAM = 65507 };
    if (total > LARGEST_DATAGRAM)
        return rt_answer(-EMSGSIZE);
    if (!port && !f->peer)
        return rt_answer(-EDESTADDRREQ);
    if (count > RT_UDP_PARTS)
        RT_REFUSE_SIZE("sendmsg (of a datagram in more than 15 parts)");
    int failed = rt_need_port(f);
    if (failed)
        return rt_answer(failed);
    struct rt_address a = rt_port_name(RT_INET_UDP, port ? port : f->peer);
    rt_look_at_names(false, "send", a.path, a.length);
    const struct rt_name *n = rt_name_of(a.path, a.length);
    if (!n)
        return (ssize_t)total;
    int channel = n->listener;
    struct rt_call call = rt_stream_call(STREAMS_WRITE, channel, 1, STREAMS_WHOLE | ARG_NOWAIT, RT_UDP_PACKETS, RT_NOWHERE);
    int32_t put = (int32_t)RT_ENTER_CANCELLABLE(&call);
    if (put > 0) {
        memcpy(parts + 1, iov, (size_t)count * sizeof *iov);
        rt_put_packet(channel, parts, count + 1);
    }
    return (ssize_t)total;
}

/* *port: who sent it. *all: how long it is. Of one that is connected, what others send is left out. */
RT_INLINE ssize_t rt_udp_receive(struct rt_file *f, const struct iovec *iov, int count, int flags, uint16_t *port, int *all)
{
    struct iovec parts[RT_UDP_PARTS + 1] = {{port, sizeof *port}};
    if (count > RT_UDP_PARTS)
        RT_REFUSE_SIZE("recvmsg (of a datagram in more than 15 parts)");
    memcpy(parts + 1, iov, (size_t)count * sizeof *iov);
    int failed = rt_need_port(f), channel = f->reads;
    if (failed)
        return rt_answer(failed);
    for (;;) {
        int bits = STREAMS_ENDLESS | (f->nonblocking || flags & MSG_DONTWAIT ? ARG_NOWAIT : 0) | (flags & MSG_PEEK ? STREAMS_PEEK : 0);
        struct rt_call call = rt_stream_call(STREAMS_READ, channel, 1, bits, RT_UDP_PACKETS, RT_NOWHERE);
        call.interrupted = -EINTR;
        int32_t got = (int32_t)RT_ENTER_CANCELLABLE(&call);
        if (got <= 0)
            return rt_answer(got);
        size_t length = rt_get_packet(channel, parts, count + 1, flags & MSG_PEEK) - sizeof *port, room = rt_total(iov, count);
        if (f->peer && f->peer != *port)
            continue;
        *all = (int)length;
        return (ssize_t)(length < room ? length : room);
    }
}

/* The last number of it in this UNIX process is closed: the port is free when nobody else has it. place 0: where the call is. */
RT_INLINE void rt_close_port(const struct rt_file *f, uint64_t place)
{
    if (!f->inet || f->name == RT_NOWHERE || f->accepted)
        return;
    struct rt_name *n = &rt_root->names[f->name];
    struct rt_words words;
    enum { NAMES_CLASS = RT_CLASSES };
    struct rt_call call = rt_access_call(true, rt_bucket(NAMES_CLASS, 0, NULL), rt_words(&words, "close", n->path, n->length));
    call.place = place;
    RT_ENTER(&call);
    n->holders &= ~(UINT64_C(1) << rt_host());
    if (!n->holders)
        n->length = 0;
}

void rt_ports_inherited(int child);                      /* before the fork: by that host, from this one */

#endif
