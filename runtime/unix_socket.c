/* Sockets with names (AF_UNIX) and ports (inet.h), between the processes of a sharing group: bind, listen, connect, accept. The names are a
 * table in memory that all share. A listening socket is a channel of connections, each the numbers of its two channels.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "inet.h"
#include "plain_files.h"
#include "sys.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

/* ---- names ---- */

/* Where a path ends; of a name without a file (which begins with 0) all of it counts. */
static size_t length_of(const struct sockaddr_un *a, socklen_t bytes)
{
    size_t room = bytes > offsetof(struct sockaddr_un, sun_path) ? bytes - offsetof(struct sockaddr_un, sun_path) : 0;
    if (room > RT_NAME)
        room = RT_NAME;
    return room && !a->sun_path[0] ? room : strnlen(a->sun_path, room);
}

struct rt_name *rt_name_of(const char *path, size_t length)
{
    for (struct rt_name *n = rt_root->names; n < rt_root->names + RT_NAMES; n++)
        if (n->length && n->length == length && !memcmp(n->path, path, length))
            return n;
    return NULL;
}

struct rt_name *rt_new_name(const char *path, size_t length)
{
    struct rt_name *n = rt_root->names;
    while (n < rt_root->names + RT_NAMES && n->length)
        n++;
    if (n == rt_root->names + RT_NAMES)
        return NULL;
    memcpy(n->path, path, length);
    n->length = (uint8_t)length;
    n->listener = RT_NOWHERE;
    n->vanishes = false;
    return n;
}

void rt_name_left(struct rt_name *n, int host)
{
    n->holders &= ~(UINT64_C(1) << host);
    if (!n->holders && n->vanishes)
        n->length = 0;
}

static struct rt_address unix_address(const struct sockaddr *address, socklen_t bytes)
{
    const struct sockaddr_un *a = (const struct sockaddr_un *)address;
    struct rt_address named = {.length = length_of(a, bytes)};
    named.error = a->sun_family != AF_UNIX || named.length == 0 ? -EINVAL : 0;
    memcpy(named.path, a->sun_path, named.length);
    return named;
}

/* As the socket has them; of another kind they are wrong, and what is not on this machine is refused. */
RT_INLINE struct rt_address address_of(const struct rt_file *f, const struct sockaddr *address, socklen_t bytes, bool binds, const char *refused)
{
    bool elsewhere;
    if (!f->inet)
        return unix_address(address, bytes);
    struct rt_address a = rt_read_address(f, address, bytes, binds, &elsewhere);
    if (!a.error && elsewhere)
        RT_REFUSE(refused);
    return a;
}

uint16_t rt_free_port(void)
{
    static int given, host;
    enum { FIRST = 40000, EACH = 256 };
    if (host != rt_host()) {
        host = rt_host();
        given = 0;
    }
    return (uint16_t)(FIRST + host * EACH + given++ % EACH);
}

void rt_names_inherited(int child)
{
    for (struct rt_name *n = rt_root->names; n < rt_root->names + RT_NAMES; n++)
        if (n->holders >> rt_host() & 1)
            n->holders |= UINT64_C(1) << child;
}

void rt_names_lost(int host)
{
    for (struct rt_name *n = rt_root->names; n < rt_root->names + RT_NAMES; n++)
        if (n->length && n->holders >> host & 1)
            rt_name_left(n, host);
}

/* ---- words ---- */

static void append(struct rt_words *w, size_t *used, const char *text, size_t length)
{
    for (size_t i = 0; i < length && *used + 1 < sizeof w->text; i++) {
        unsigned char byte = (unsigned char)text[i];
        w->text[(*used)++] = byte >= ' ' && byte < 127 && byte != '"' && byte != '#' ? (char)byte : '?';
    }
}

static void append_words(struct rt_words *w, size_t *used, const char *text) { append(w, used, text, text ? strlen(text) : 0); }

/* Of who is connected the other's address; of who was accepted its own, and whom it is from. */
static void append_port(struct rt_words *w, size_t *used, const struct rt_file *f)
{
    bool other = f->peer && !f->accepted;
    enum rt_bound bound = f->by_v4 ? RT_BOUND_V4 : f->v6 && !f->at_loopback && !f->only6 ? RT_BOUND_BOTH : RT_BOUND_V6;
    struct rt_address a = rt_port_name(f->inet, other && bound == RT_BOUND_BOTH ? RT_BOUND_V6 : bound, other ? f->peer : f->port);
    append(w, used, a.path, a.length);
    if (!f->accepted)
        return;
    a = rt_port_name(RT_INET_NONE, RT_BOUND_V4, f->peer);
    append_words(w, used, "<-");
    append(w, used, strchr(a.path, ':') + 1, a.length - (size_t)(strchr(a.path, ':') + 1 - a.path));
}

const char *rt_socket_words(struct rt_words *w, const struct rt_file *f, const char *function, const char *end)
{
    const struct rt_name *n = f->server ? &rt_root->names[f->server - 1] : f->name != RT_NOWHERE ? &rt_root->names[f->name] : NULL;
    size_t used = 0;
    if (!f->socket || (!f->inet && !(n && n->length)))
        return NULL;
    memset(w, 0, sizeof *w);
    append_words(w, &used, function);
    append_words(w, &used, "(");
    if (f->inet)
        append_port(w, &used, f);
    else
        append(w, &used, n->path, n->length);
    append_words(w, &used, end);
    return w->text;
}

/* ---- calls ---- */

RT_INLINE int make_socket(int domain, int type, int protocol)
{
    int kind = type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK);
    int inet = domain != AF_INET && domain != AF_INET6 ? RT_INET_NONE : kind == SOCK_DGRAM ? RT_INET_UDP : RT_INET_TCP;
    bool usual = !protocol || (inet && protocol == (inet == RT_INET_TCP ? IPPROTO_TCP : IPPROTO_UDP));
    if (domain != AF_UNIX && !inet)
        RT_REFUSE("socket (other than AF_UNIX, AF_INET and AF_INET6)");
    if (!usual || (kind != SOCK_STREAM && kind != (inet ? SOCK_DGRAM : SOCK_SEQPACKET)))
        RT_REFUSE("socket (other than SOCK_STREAM, SOCK_SEQPACKET of AF_UNIX, and SOCK_DGRAM of AF_INET and AF_INET6)");
    struct rt_file f = {.inet = (uint8_t)inet, .v6 = domain == AF_INET6, .by_v4 = domain == AF_INET, .kind = RT_STREAM, .socket = (uint8_t)kind, .nonblocking = type & SOCK_NONBLOCK, .reads = RT_NOWHERE,
                        .writes = RT_NOWHERE, .listener = RT_NOWHERE, .name = RT_NOWHERE, .access = O_RDWR,
                        .capacity = kind == SOCK_SEQPACKET ? 278 : STREAMS_CODED};
    return rt_give_descriptor(&f, type & SOCK_CLOEXEC ? O_CLOEXEC : 0, "socket" RT_MANY_FILES);
}

RT_INLINE int socket_alone(int domain)
{
    if (domain != AF_UNIX && domain != AF_INET && domain != AF_INET6)
        RT_REFUSE("socket (other than AF_UNIX, AF_INET and AF_INET6)");
    RT_NEED_GROUP(socket);
    return (int)rt_answer(-ENFILE);
}

RT_FUNCTION(int, socket, (int domain, int type, int protocol), (domain, type, protocol),
    LIBC, DO(socket_alone(domain)), DO(make_socket(domain, type, protocol)))

RT_INLINE int group_bind(int fd, const struct sockaddr *address, socklen_t bytes)
{
    struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    struct rt_address a = address_of(f, address, bytes, true, "bind (to an address that is not of the loopback)");
    if (a.error || f->name != RT_NOWHERE)
        return (int)rt_answer(a.error ? a.error : -EINVAL);
    if (f->inet && !a.port)
        a.port = rt_free_port();
    return (int)rt_answer(f->inet == RT_INET_UDP ? rt_open_udp(f, &a, "bind") : rt_bind_name(f, &a, "bind"));
}

RT_GROUPED(int, bind, (int fd, const struct sockaddr *address, socklen_t bytes), (fd, address, bytes),
    KERNEL(SYS_bind, fd, address, bytes), DO(group_bind(fd, address, bytes)))

RT_INLINE int group_listen(int fd, int backlog)
{
    enum { MOST = 512 };
    struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    if (f->inet == RT_INET_UDP)
        return (int)rt_answer(-EOPNOTSUPP);
    if (f->listens)
        return 0;
    struct rt_address any = {.any = true, .port = f->inet && f->name == RT_NOWHERE ? rt_free_port() : 0};
    if (f->name == RT_NOWHERE && (!f->inet || rt_bind_name(f, &any, "listen") < 0))
        return (int)rt_answer(f->inet ? -EADDRINUSE : -EINVAL);
    int capacity = (backlog < 0 ? 0 : backlog > MOST ? MOST : backlog) + 1;
    struct rt_words words;
    int channel = rt_open_channel(1, capacity, RT_NOWHERE, STREAMS_ENDLESS, rt_socket_words(&words, f, "listen", ") opens"));
    const struct rt_name *name = &rt_root->names[f->name];
    rt_look_at_names(true, "listen", name->path, name->length, 0);
    rt_root->names[f->name].listener = (int8_t)channel;
    f->listens = true;
    f->reads = (int8_t)channel;
    f->capacity = (int16_t)capacity;
    return 0;
}

RT_GROUPED(int, listen, (int fd, int backlog), (fd, backlog), KERNEL(SYS_listen, fd, backlog), DO(group_listen(fd, backlog)))

/* The two channels of a new connection are held, on the other side, by whoever holds the listener, until it is accepted. */
RT_INLINE int connect_ours(struct rt_file *f, const struct rt_address *a)
{
    rt_look_at_names(false, "connect", a->path, a->length, 0);
    const struct rt_name *n = f->inet ? rt_port_holder(f->inet, a->v4, a->port) : rt_name_of(a->path, a->length);
    if (!n || n->listener == RT_NOWHERE)
        return (int)rt_answer(n || f->inet ? -ECONNREFUSED : a->path[0] ? -ENOENT : -ECONNREFUSED);
    if (f->inet && !f->port)
        f->port = rt_free_port();
    int listener = n->listener, capacity = f->capacity < STREAMS_CODED ? f->capacity : STREAMS_MOST;
    struct rt_words opens, arrives;
    struct rt_file named = *f;                   /* as it will be */
    named.peer = a->port;
    named.by_v4 = a->v4;
    named.at_loopback = true;
    named.server = f->inet ? 0 : (int8_t)(n - rt_root->names + 1);
    rt_socket_words(&opens, &named, "connect", ") opens");
    rt_socket_words(&arrives, &named, "connect", ") arrives");
    int8_t there = (int8_t)rt_open_channel(2, capacity, listener, 0, opens.text);
    int8_t back = (int8_t)rt_open_channel(1, capacity, listener, 0, opens.text);
    char connection[5] = {there, back, (char)(f->port & 0xff), (char)(f->port >> 8), a->v4};
    struct iovec iov = {connection, sizeof connection};
    enum { ANY = 1 };
    struct rt_call call = rt_stream_call(STREAMS_WRITE, listener, 1, STREAMS_WHOLE | (f->nonblocking ? ARG_NOWAIT : 0), ANY,
                                         RT_NOWHERE);
    call.text = arrives.text;
    int32_t result = (int32_t)RT_ENTER(&call);
    f->listener = (int8_t)listener;
    if (result < 0) {
        rt_close_channel(there, true, f, 0);
        rt_close_channel(back, false, f, 0);
        f->listener = RT_NOWHERE;
        return (int)rt_answer(result == -EPIPE ? -ECONNREFUSED : result);
    }
    rt_put_packet(listener, &iov, 1);
    f->reads = back;
    f->writes = there;
    f->peer = named.peer;
    f->server = named.server;
    f->at_loopback = true;
    f->by_v4 = named.by_v4;
    return 0;
}

/* It has a port from now on, and sends to and hears from that one alone. */
RT_INLINE int connect_udp(struct rt_file *f, const struct rt_address *a)
{
    int failed = rt_need_port(f);
    if (failed)
        return (int)rt_answer(failed);
    f->peer = a->port;
    f->at_loopback = true;
    f->by_v4 = a->v4;
    return 0;
}

RT_INLINE int group_connect(int fd, const struct sockaddr *address, socklen_t bytes)
{
    struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    if (f->inet != RT_INET_UDP && (f->reads != RT_NOWHERE || f->writes != RT_NOWHERE))
        return (int)rt_answer(f->listens ? -EINVAL : -EISCONN);
    struct rt_address a = address_of(f, address, bytes, false, "connect (to an address that is not of the loopback)");
    if (f->v6 && f->at_loopback && f->by_v4 != a.v4)
        RT_REFUSE("connect (by IPv4 of a socket bound to an address of IPv6, or the other way round)");
    if (a.error)
        return (int)rt_answer(a.error);
    return f->inet == RT_INET_UDP ? connect_udp(f, &a) : connect_ours(f, &a);
}

RT_FUNCTION(int, connect, (int fd, const struct sockaddr *address, socklen_t bytes), (fd, address, bytes),
    LIBC, KERNEL(SYS_connect, fd, address, bytes), DO(group_connect(fd, address, bytes)))

RT_INLINE void take_end(int channel, bool writing, const struct rt_file *f, int listener)
{
    struct rt_call call = rt_stream_call(STREAMS_TAKE, channel, 0, writing ? STREAMS_WRITING : 0, f->capacity, listener);
    struct rt_words words;
    call.text = rt_socket_words(&words, f, "accept", writing ? ") can send" : ") can receive");
    RT_ENTER(&call);
}

RT_INLINE int accept_ours(int fd, struct sockaddr *address, socklen_t *bytes, int flags)
{
    struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    if (!f->listens)
        return (int)rt_answer(f->socket == SOCK_DGRAM ? -EOPNOTSUPP : -EINVAL);
    int listener = f->reads, kind = f->socket, inet = f->inet;
    bool v6 = f->v6, only6 = f->only6;
    int8_t name = f->name;
    struct rt_words words;
    uint16_t port = f->port;
    struct timespec copy = f->most_read;
    const struct timespec *most = rt_patience(&copy, f->nonblocking);
    struct rt_call call = rt_stream_call(STREAMS_READ, listener, 1, STREAMS_ENDLESS | (f->nonblocking ? ARG_NOWAIT : most ? ARG_TIMED : 0), f->capacity,
                                         RT_NOWHERE);
    call.interrupted = -EINTR;
    call.text = rt_socket_words(&words, f, "accept", ")");
    rt_wait_begins("accept", most, false);
    int32_t result = (int32_t)RT_ENTER_CANCELLABLE(&call);
    if (most && result == -EAGAIN)
        rt_pass_time(most, false);
    if (result < 0)
        return (int)rt_answer(result);
    int8_t connection[5] = {0};
    struct iovec iov = {connection, sizeof connection};
    rt_get_packet(listener, &iov, 1, false);
    struct rt_file new = {.kind = RT_STREAM, .socket = (uint8_t)kind, .nonblocking = flags & SOCK_NONBLOCK, .reads = connection[0],
                          .writes = connection[1], .listener = RT_NOWHERE, .most_read = copy, .name = RT_NOWHERE, .access = O_RDWR,
                          .capacity = kind == SOCK_SEQPACKET ? 278 : STREAMS_CODED, .inet = (uint8_t)inet, .accepted = true, .port = port,
                          .peer = (uint16_t)((uint8_t)connection[2] | (uint8_t)connection[3] << 8), .v6 = v6, .only6 = only6,
                          .server = inet ? 0 : (int8_t)(name + 1),
                          .at_loopback = true, .by_v4 = connection[4]};
    take_end(new.reads, false, &new, listener);
    take_end(new.writes, true, &new, listener);
    if (inet)
        rt_tell_inet(&new, false, new.by_v4, new.peer, address, bytes);
    else if (address && bytes && *bytes >= sizeof(sa_family_t))
        address->sa_family = AF_UNIX;
    if (bytes && !inet)
        *bytes = sizeof(sa_family_t);
    return rt_give_descriptor(&new, flags & SOCK_CLOEXEC ? O_CLOEXEC : 0, "accept" RT_MANY_FILES);
}

RT_FUNCTION(int, accept, (int fd, struct sockaddr *restrict address, socklen_t *restrict bytes), (fd, address, bytes),
    LIBC, KERNEL(SYS_accept, fd, address, bytes), DO(accept_ours(fd, address, bytes, 0)))
RT_FUNCTION(int, accept4, (int fd, struct sockaddr *restrict address, socklen_t *restrict bytes, int flags),
    (fd, address, bytes, flags),
    LIBC, KERNEL(SYS_accept4, fd, address, bytes, flags), DO(accept_ours(fd, address, bytes, flags)))

/* ---- questions and settings ---- */

static int tell_name(const struct rt_name *n, struct sockaddr *address, socklen_t *bytes)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    socklen_t whole = (socklen_t)offsetof(struct sockaddr_un, sun_path);
    if (n) {
        memcpy(a.sun_path, n->path, n->length);
        whole += n->length + (n->path[0] != 0 && n->length < RT_NAME);
    }
    memcpy(address, &a, *bytes < whole ? *bytes : whole);
    *bytes = whole;
    return 0;
}

RT_INLINE int group_getsockname(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes)
{
    const struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    if (f->inet) {
        rt_tell_inet(f, !f->at_loopback, f->by_v4, f->port, address, bytes);
        return 0;
    }
    int name = f->accepted ? f->server - 1 : f->name;            /* who was accepted has the server's */
    return tell_name(name == RT_NOWHERE ? NULL : &rt_root->names[name], address, bytes);
}

RT_GROUPED(int, getsockname, (int fd, struct sockaddr *restrict address, socklen_t *restrict bytes), (fd, address, bytes),
    KERNEL(SYS_getsockname, fd, address, bytes), DO(group_getsockname(fd, address, bytes)))

RT_INLINE int group_getpeername(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes)
{
    const struct rt_file *f = rt_socket_of(fd);
    if (!f)
        return -1;
    if (f->listens || f->reads == RT_NOWHERE || (f->inet && !f->peer))
        return (int)rt_answer(-ENOTCONN);
    if (!f->inet)
        return tell_name(NULL, address, bytes);
    rt_tell_inet(f, false, f->by_v4, f->peer, address, bytes);
    return 0;
}

RT_GROUPED(int, getpeername, (int fd, struct sockaddr *restrict address, socklen_t *restrict bytes), (fd, address, bytes),
    KERNEL(SYS_getpeername, fd, address, bytes), DO(group_getpeername(fd, address, bytes)))

/* A name of a socket is no file of the kernel. */
RT_INLINE int remove_here(const char *path, long number)
{
    size_t length = strlen(path);
    if (rt_root && length < RT_NAME && rt_name_of(path, length)) {
        rt_look_at_names(true, "unlink", path, length, 0);
        struct rt_name *n = rt_name_of(path, length);
        if (n)
            n->length = 0;
        return (int)rt_answer(n ? 0 : -ENOENT);
    }
    rt_before_named("unlink", path, RT_LOOKS | RT_CHANGES, 0);
    return (int)rt_answer(RT_SYS(number, path));
}

static long how_to_remove(const char *path)
{
    struct stat about;
    return RT_SYS(SYS_lstat, path, &about) == 0 && S_ISDIR(about.st_mode) ? SYS_rmdir : SYS_unlink;
}

RT_GROUPED(int, unlink, (const char *path), (path), KERNEL(SYS_unlink, path), DO(remove_here(path, SYS_unlink)))
RT_GROUPED(int, remove, (const char *path), (path), KERNEL(how_to_remove(path), path), DO(remove_here(path, how_to_remove(path))))
