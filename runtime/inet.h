/* TCP and UDP on the loopback, by IPv4 and IPv6, between the processes of a sharing group: a port is a name in the same table as those of AF_UNIX
 * sockets, and belongs to the program. Of IPv4 all addresses of the loopback are one, of IPv6 there is ::1 alone; others are unsupported. A port may be bound for
 * IPv4, for IPv6 (IPV6_V6ONLY, or ::1), or for both (:: without that): whoever comes by IPv4 to one of AF_INET6 has the mapped address ::ffff:127.0.0.1.
 * SPDX-License-Identifier: MIT */
#ifndef RT_INET_H
#define RT_INET_H

#include "descriptors.h"
#include "waits.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { RT_INET_NONE, RT_INET_TCP, RT_INET_UDP };
enum rt_bound { RT_BOUND_V4, RT_BOUND_V6, RT_BOUND_BOTH, RT_BOUND_COUNT };       /* for whom a port is bound */

/* What an address is called in the table of names; or it is wrong, with a negative errno. */
struct rt_address { char path[RT_NAME]; size_t length; uint16_t port; bool any, v4; int error; };        /* any: the wildcard; v4: it is of IPv4 */

static inline struct rt_address rt_port_name(int inet, enum rt_bound bound, uint16_t port)      /* 127.0.0.1:8080/tcp */
{
    struct rt_address a = {.port = port, .v4 = bound == RT_BOUND_V4};
    static const char *const begins[] = {"127.0.0.1:", "[::1]:", "[::]:"}, *const ends[] = {"", "/tcp", "/udp"};
    char digits[6], *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = (char)('0' + port % 10);
    while (port /= 10);
    for (const char *parts[] = {begins[bound], at, ends[inet], NULL}, **p = parts; *p; p++)
        for (const char *c = *p; *c; c++)
            a.path[a.length++] = *c;
    return a;
}

/* Of a socket at this address. */
static inline enum rt_bound rt_bound_of(const struct rt_file *f, const struct rt_address *a)
{
    return !f->v6 || (a->v4 && !a->any) ? RT_BOUND_V4 : a->any && !f->only6 ? RT_BOUND_BOTH : RT_BOUND_V6;
}

/* ---- addresses as the program has them ---- */

static inline struct rt_address rt_wrong_address(int error) { return (struct rt_address){.error = error}; }

/* *refused: it is not of the loopback. */
static inline struct rt_address rt_read_v4(int inet, const struct sockaddr_in *a, bool *refused)
{
    uint32_t host = ntohl(a->sin_addr.s_addr);
    struct rt_address named = rt_port_name(inet, RT_BOUND_V4, ntohs(a->sin_port));
    named.any = host == INADDR_ANY;
    *refused = !named.any && host >> 24 != 127;
    return named;
}

static inline struct rt_address rt_read_v6(int inet, const struct sockaddr_in6 *a, bool *refused)
{
    const struct in6_addr *host = &a->sin6_addr;
    bool mapped = IN6_IS_ADDR_V4MAPPED(host);
    struct rt_address named = rt_port_name(inet, mapped ? RT_BOUND_V4 : RT_BOUND_V6, ntohs(a->sin6_port));
    named.any = IN6_IS_ADDR_UNSPECIFIED(host);
    *refused = !named.any && !IN6_IS_ADDR_LOOPBACK(host) && !(mapped && host->s6_addr[12] == 127);
    return named;
}

/* As the kernel looks at what bind, connect and sendto are given. Datagrams of AF_INET6 may be sent to addresses of AF_INET. */
static inline struct rt_address rt_read_address(const struct rt_file *f, const struct sockaddr *address, socklen_t bytes, bool binds, bool *refused)
{
    enum { LEAST_V6 = 24 };          /* without the scope */
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    bool datagram = f->inet == RT_INET_UDP && !binds;
    *refused = false;
    if (!f->v6 || (datagram && bytes >= sizeof *v4 && address->sa_family == AF_INET)) {
        if (bytes < sizeof *v4 || address->sa_family != AF_INET)
            return rt_wrong_address(bytes < sizeof *v4 ? -EINVAL : -EAFNOSUPPORT);
        return f->only6 ? rt_wrong_address(-ENETUNREACH) : rt_read_v4(f->inet, v4, refused);
    }
    if (bytes < LEAST_V6 || address->sa_family != AF_INET6)
        return rt_wrong_address(bytes < LEAST_V6 ? -EINVAL : -EAFNOSUPPORT);
    struct rt_address a = rt_read_v6(f->inet, v6, refused);
    if (a.v4 && f->only6)
        return rt_wrong_address(binds ? -EINVAL : -ENETUNREACH);
    return a;
}

/* of_v4: of a socket of AF_INET6, the address is mapped. */
RT_INLINE void rt_tell_inet(const struct rt_file *f, bool any, bool of_v4, uint16_t port, struct sockaddr *address, socklen_t *bytes)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(any ? INADDR_ANY : INADDR_LOOPBACK)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    static const uint8_t mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1};
    if (!any && of_v4)
        memcpy(&v6.sin6_addr, mapped, sizeof mapped);
    v6.sin6_addr.s6_addr[15] |= !any && !of_v4;
    socklen_t whole = f->v6 ? sizeof v6 : sizeof v4;
    if (address && bytes)
        memcpy(address, f->v6 ? (const void *)&v6 : (const void *)&v4, *bytes < whole ? *bytes : whole);
    if (bytes)
        *bytes = whole;
}

/* ---- UDP ---- */

/* Each socket that has a port has a channel of packets, which begin with the sender. Gives bytes, or -1 with errno. */
struct rt_sender { uint16_t port, by_v4; };
enum { RT_UDP_PACKETS = 11, RT_UDP_PARTS = 15 };         /* that one channel holds, as usual settings of the kernel come to; of one message */

enum { RT_REUSES = 1 };                                  /* SO_REUSEADDR, of a file's options */
uint16_t rt_free_port(void);                             /* by its own past: no other UNIX process picks the same */
struct rt_name *rt_name_of(const char *path, size_t length);             /* unix_socket.c; NULL: there is none */
struct rt_name *rt_new_name(const char *path, size_t length);            /* NULL: too many */
void rt_name_left(struct rt_name *, int host);           /* that host has it no more */

/* Before the table of names is looked at, or changed. place 0: where the call is. */
RT_INLINE void rt_look_at_names(bool change, const char *function, const char *path, size_t length, uint64_t place)
{
    struct rt_words words;
    struct rt_call call = rt_access_call(change, rt_bucket(RT_SOCKET_NAMES, 0, NULL), rt_words(&words, function, path, length));
    call.arg[0] = ACCESS_OF_NAME;
    call.place = place;
    RT_ENTER(&call);
}

/* Who has a port, if one comes to it by that; NULL: nobody. */
RT_INLINE struct rt_name *rt_port_holder(int inet, bool by_v4, uint16_t port)
{
    struct rt_address own = rt_port_name(inet, by_v4 ? RT_BOUND_V4 : RT_BOUND_V6, port), both = rt_port_name(inet, RT_BOUND_BOTH, port);
    struct rt_name *n = rt_name_of(own.path, own.length);
    return n ? n : rt_name_of(both.path, both.length);
}

RT_INLINE bool rt_is_taken(int inet, enum rt_bound bound, const struct rt_address *a)
{
    if (!inet)
        return rt_name_of(a->path, a->length);
    return (bound != RT_BOUND_V6 && rt_port_holder(inet, true, a->port)) || (bound != RT_BOUND_V4 && rt_port_holder(inet, false, a->port));
}

/* With SO_REUSEADDR, if the other has that, too: a port of UDP, or of TCP at which nobody listens. */
RT_INLINE bool rt_may_share(int inet, enum rt_bound bound, const struct rt_address *a)
{
    const struct rt_name *n = inet ? rt_port_holder(inet, bound != RT_BOUND_V6, a->port) : NULL;
    return n && (inet == RT_INET_UDP || n->listener == RT_NOWHERE);
}

RT_INLINE int rt_bind_name(struct rt_file *f, const struct rt_address *address, const char *function)  /* 0 or a negative errno */
{
    enum rt_bound bound = rt_bound_of(f, address);
    struct rt_address port = rt_port_name(f->inet, bound, address->port);
    const struct rt_address *a = f->inet ? &port : address;
    rt_look_at_names(true, function, a->path, a->length, 0);
    if (rt_is_taken(f->inet, bound, a)) {
        if (f->options & RT_REUSES && rt_may_share(f->inet, bound, a))
            RT_REFUSE("bind (to a port that another socket has, with SO_REUSEADDR)");
        return -EADDRINUSE;
    }
    struct rt_name *n = rt_new_name(a->path, a->length);
    if (!n) {
        RT_REFUSE_SIZE("bind (of more names than VeriSoft can control)");
        return -ENOBUFS;
    }
    n->holders = UINT64_C(1) << rt_host();
    n->vanishes = f->inet || !a->path[0];
    f->name = (int8_t)(n - rt_root->names);
    f->port = a->port;
    f->at_loopback = f->inet && !address->any;
    f->by_v4 = bound == RT_BOUND_V4;
    return 0;
}

/* A datagram socket is read from when it has a port. */
RT_INLINE int rt_open_udp(struct rt_file *f, const struct rt_address *a, const char *function)
{
    struct rt_words words;
    struct rt_address named = rt_port_name(f->inet, rt_bound_of(f, a), a->port);
    rt_words(&words, function, named.path, named.length);
    int channel = rt_open_channel(1, RT_UDP_PACKETS, RT_NOWHERE, STREAMS_ENDLESS, words.text), failed = rt_bind_name(f, a, function);
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
    struct rt_address a = {.any = true, .port = rt_free_port()};
    return rt_open_udp(f, &a, "port");
}

/* Who is connected is told that his last datagram came to nobody, once, by the next call. */
RT_INLINE bool rt_udp_refused(struct rt_file *f)
{
    bool refused = f->broken;
    f->broken = false;
    return refused;
}

/* To this address, or (NULL) where it is connected to. Who is not there, or has no room, does not get it: that is no error now. */
RT_INLINE ssize_t rt_udp_send(struct rt_file *f, const struct iovec *iov, int count, const struct rt_address *to)
{
    bool by_v4 = to ? to->v4 : f->by_v4;
    uint16_t port = to ? to->port : f->peer;
    struct rt_sender sender = {0, by_v4};
    struct iovec parts[RT_UDP_PARTS + 1] = {{&sender, sizeof sender}};
    size_t total = rt_total(iov, count);
    enum { LARGEST_DATAGRAM = 65507 };
    if (total > LARGEST_DATAGRAM)
        return rt_answer(-EMSGSIZE);
    if (!port)
        return rt_answer(to ? -EINVAL : -EDESTADDRREQ);
    if (count > RT_UDP_PARTS)
        RT_REFUSE_SIZE("sendmsg (of a datagram in more than 15 parts)");
    int failed = rt_need_port(f);
    if (failed)
        return rt_answer(failed);
    if (rt_udp_refused(f))
        return rt_answer(-ECONNREFUSED);
    sender.port = f->port;
    struct rt_address a = rt_port_name(RT_INET_UDP, by_v4 ? RT_BOUND_V4 : RT_BOUND_V6, port);
    struct rt_words words;
    rt_look_at_names(false, "send", a.path, a.length, 0);
    const struct rt_name *n = rt_port_holder(RT_INET_UDP, by_v4, port);
    if (!n) {
        f->broken = !to;
        return (ssize_t)total;
    }
    int channel = n->listener;
    struct rt_call call = rt_stream_call(STREAMS_WRITE, channel, 1, STREAMS_WHOLE | ARG_NOWAIT, RT_UDP_PACKETS, RT_NOWHERE);
    call.text = rt_words(&words, "send", a.path, a.length);
    int32_t put = (int32_t)RT_ENTER_CANCELLABLE(&call);
    if (put > 0) {
        memcpy(parts + 1, iov, (size_t)count * sizeof *iov);
        rt_put_packet(channel, parts, count + 1);
    }
    return (ssize_t)total;
}

/* *sender: who sent it. *all: how long it is. Of one that is connected, what others send is left out. */
RT_INLINE ssize_t rt_udp_receive(struct rt_file *f, const struct iovec *iov, int count, int flags, struct rt_sender *sender, int *all)
{
    struct iovec parts[RT_UDP_PARTS + 1] = {{sender, sizeof *sender}};
    if (count > RT_UDP_PARTS)
        RT_REFUSE_SIZE("recvmsg (of a datagram in more than 15 parts)");
    memcpy(parts + 1, iov, (size_t)count * sizeof *iov);
    int failed = rt_need_port(f), channel = f->reads;
    if (failed || rt_udp_refused(f))
        return rt_answer(failed ? failed : -ECONNREFUSED);
    for (;;) {
        bool nowait = f->nonblocking || flags & MSG_DONTWAIT;
        struct timespec copy = f->most_read;
        const struct timespec *most = rt_patience(&copy, nowait);
        int bits = STREAMS_ENDLESS | (nowait ? ARG_NOWAIT : most ? ARG_TIMED : 0) | (flags & MSG_PEEK ? STREAMS_PEEK : 0);
        struct rt_call call = rt_stream_call(STREAMS_READ, channel, 1, bits, RT_UDP_PACKETS, RT_NOWHERE);
        struct rt_words words;
        call.text = rt_socket_words(&words, f, "recv", ")");
        call.interrupted = -EINTR;
        rt_wait_begins("recv", most, false);
        int32_t got = (int32_t)RT_ENTER_CANCELLABLE(&call);
        if (most && got == -EAGAIN)
            rt_pass_time(most, false);
        if (got <= 0)
            return rt_answer(got);
        size_t length = rt_get_packet(channel, parts, count + 1, flags & MSG_PEEK) - sizeof *sender, room = rt_total(iov, count);
        if (f->peer && (f->peer != sender->port || f->by_v4 != (sender->by_v4 || !f->v6)))
            continue;
        *all = (int)length;
        return (ssize_t)(length < room ? length : room);
    }
}

/* The last number of it in this UNIX process is closed: the name is free when nobody else has it. place 0: where the call is. */
RT_INLINE void rt_close_name(const struct rt_file *f, uint64_t place)
{
    struct rt_name *n = f->name == RT_NOWHERE || f->accepted ? NULL : &rt_root->names[f->name];
    if (!n || !n->vanishes || !(n->holders >> rt_host() & 1))
        return;
    rt_look_at_names(true, "close", n->path, n->length, place);
    rt_name_left(n, rt_host());
}

void rt_names_inherited(int child);                      /* before the fork: by that host, from this one */
void rt_names_lost(int host);                            /* it was killed */

#endif
