/* Options of sockets: time limits, which addresses of the two families; others are remembered, or refused where they would change what comes.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "inet.h"
#include "sys.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#pragma GCC poison malloc calloc free printf

/* Those that are on or off, and only remembered: what they would do is not seen here. The first is RT_REUSES. */
static const struct { int level, option; bool of_inet; } switches[] = {
    {SOL_SOCKET, SO_REUSEADDR, false}, {SOL_SOCKET, SO_KEEPALIVE, false}, {SOL_SOCKET, SO_BROADCAST, false}, {SOL_SOCKET, SO_OOBINLINE, false},
    {SOL_SOCKET, SO_DONTROUTE, false}, {IPPROTO_TCP, TCP_NODELAY, true}, {IPPROTO_TCP, TCP_CORK, true},
};

static int switch_of(const struct rt_file *f, int level, int option)     /* -1: it is none */
{
    for (int i = 0; i < (int)(sizeof switches / sizeof *switches); i++)
        if (switches[i].level == level && switches[i].option == option && (f->inet == RT_INET_TCP || !switches[i].of_inet))
            return i;
    return -1;
}

static int set_switch(struct rt_file *f, int which, const void *value, socklen_t bytes)
{
    if (bytes < sizeof(int))
        return (int)rt_answer(-EINVAL);
    f->options = (uint8_t)((f->options & ~(1 << which)) | (*(const int *)value != 0) << which);
    return 0;
}

/* Those that change what comes from where, or when. */
static bool redirects(int level, int option)
{
    static const struct { int level, option; } redirecting[] = {
        {SOL_SOCKET, SO_SNDBUF}, {SOL_SOCKET, SO_RCVBUF}, {SOL_SOCKET, SO_SNDBUFFORCE}, {SOL_SOCKET, SO_RCVBUFFORCE}, {SOL_SOCKET, SO_PASSCRED},
        {SOL_SOCKET, SO_RCVLOWAT}, {SOL_SOCKET, SO_LINGER}, {SOL_SOCKET, SO_REUSEPORT}, {SOL_SOCKET, SO_BINDTODEVICE}, {SOL_SOCKET, SO_ATTACH_FILTER},
        {SOL_SOCKET, SO_ATTACH_BPF}, {SOL_SOCKET, SO_PEEK_OFF}, {SOL_SOCKET, SO_TIMESTAMP}, {SOL_SOCKET, SO_TIMESTAMPNS}, {SOL_SOCKET, SO_TIMESTAMPING},
        {IPPROTO_IP, IP_ADD_MEMBERSHIP}, {IPPROTO_IP, IP_ADD_SOURCE_MEMBERSHIP}, {IPPROTO_IP, MCAST_JOIN_GROUP}, {IPPROTO_IP, MCAST_JOIN_SOURCE_GROUP},
        {IPPROTO_IP, IP_PKTINFO}, {IPPROTO_IPV6, IPV6_JOIN_GROUP}, {IPPROTO_IPV6, MCAST_JOIN_GROUP}, {IPPROTO_IPV6, IPV6_RECVPKTINFO},
        {IPPROTO_TCP, TCP_DEFER_ACCEPT}, {IPPROTO_TCP, TCP_FASTOPEN}, {IPPROTO_TCP, TCP_FASTOPEN_CONNECT}, {IPPROTO_TCP, TCP_ULP}, {IPPROTO_TCP, TCP_REPAIR},
    };
    for (unsigned i = 0; i < sizeof redirecting / sizeof *redirecting; i++)
        if (redirecting[i].level == level && redirecting[i].option == option)
            return true;
    return false;
}

/* Before it has a port. */
RT_INLINE int set_only6(struct rt_file *f, const void *value, socklen_t bytes)
{
    if (!f->v6 || bytes < sizeof(int) || f->port)
        return (int)rt_answer(f->v6 ? -EINVAL : -ENOPROTOOPT);
    f->only6 = *(const int *)value;
    return 0;
}

static int set_patience(struct timespec *most, const struct timeval *value, socklen_t bytes)
{
    if (bytes < sizeof *value)
        return (int)rt_answer(-EINVAL);
    if (value->tv_usec < 0 || value->tv_usec >= 1000000)
        return (int)rt_answer(-EDOM);
    *most = value->tv_sec < 0 ? (struct timespec){0, 1} : (struct timespec){value->tv_sec, value->tv_usec * 1000};
    return 0;
}

RT_INLINE int group_setsockopt(int fd, int level, int option, const void *value, socklen_t bytes)
{
    struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    if (f->inet && level == IPPROTO_IPV6 && option == IPV6_V6ONLY)
        return set_only6(f, value, bytes);
    if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO))
        return set_patience(option == SO_RCVTIMEO ? &f->most_read : &f->most_write, value, bytes);
    if (switch_of(f, level, option) >= 0)
        return set_switch(f, switch_of(f, level, option), value, bytes);
    if (redirects(level, option))
        RT_REFUSE("setsockopt (of an option that changes what comes, from where or when)");
    return 0;
}

RT_GROUPED(int, setsockopt, (int fd, int level, int option, const void *value, socklen_t bytes),
    (fd, level, option, value, bytes),
    KERNEL(SYS_setsockopt, fd, level, option, value, bytes), DO(group_setsockopt(fd, level, option, value, bytes)))

RT_INLINE int group_getsockopt(int fd, int level, int option, void *restrict value, socklen_t *restrict bytes)
{
    const struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    bool only6 = f->v6 && level == IPPROTO_IPV6 && option == IPV6_V6ONLY;
    int which = switch_of(f, level, option);
    if (!only6 && which < 0 && (level != SOL_SOCKET || (option != SO_ERROR && option != SO_TYPE && option != SO_ACCEPTCONN && option != SO_DOMAIN)))
        RT_REFUSE("getsockopt (of this option)");
    if (*bytes < sizeof(int))
        RT_REFUSE("getsockopt (of this option)");
    int domain = !f->inet ? AF_UNIX : f->v6 ? AF_INET6 : AF_INET;
    *(int *)value = which >= 0 ? f->options >> which & 1 : only6 ? f->only6 : option == SO_DOMAIN ? domain : option == SO_TYPE ? f->socket : option == SO_ACCEPTCONN ? f->listens : 0;
    *bytes = sizeof(int);
    return 0;
}

RT_GROUPED(int, getsockopt, (int fd, int level, int option, void *restrict value, socklen_t *restrict bytes),
    (fd, level, option, value, bytes),
    KERNEL(SYS_getsockopt, fd, level, option, value, bytes), DO(group_getsockopt(fd, level, option, value, bytes)))
