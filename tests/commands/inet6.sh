# TCP and UDP by IPv6 on the loopback: every answer is the kernel's. The program is run as it is, and what it was told there it must be told under control.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
grep -q '^0*1 ' /proc/net/if_inet6 2> /dev/null || { echo "there is no ::1 here"; exit 77; }
cat > inet6.c <<'END'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char said[65536];
static int told;

static void say(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    told += vsnprintf(said + told, sizeof said - (size_t)told, format, rest);
    va_end(rest);
}

/* Ports that the system chose are told as such. */
static unsigned chosen[256], chosen_count;
static const char *port(unsigned number)
{
    static char text[4][16];
    static int turn;
    char *t = text[turn++ % 4];
    unsigned i = 0;
    if (number < 1 || (number >= 7000 && number < 7100))
        return sprintf(t, "%u", number), t;
    while (i < chosen_count && chosen[i] != number)
        i++;
    if (i == chosen_count)
        chosen[chosen_count++] = number;
    return sprintf(t, "some%u", i), t;
}

static const char *address(const struct sockaddr_storage *a, socklen_t bytes)
{
    static char text[4][128];
    static int turn;
    char *t = text[turn++ % 4], host[64];
    const struct sockaddr_in *v4 = (const void *)a;
    const struct sockaddr_in6 *v6 = (const void *)a;
    if (a->ss_family == AF_INET)
        sprintf(t, "%s:%s (%u)", inet_ntop(AF_INET, &v4->sin_addr, host, sizeof host), port(ntohs(v4->sin_port)), bytes);
    else
        sprintf(t, "[%s]:%s (%u)", inet_ntop(AF_INET6, &v6->sin6_addr, host, sizeof host), port(ntohs(v6->sin6_port)), bytes);
    return t;
}

static void names(const char *what, int fd)
{
    struct sockaddr_storage a;
    socklen_t n = sizeof a;
    memset(&a, 0, sizeof a);
    int own = getsockname(fd, (void *)&a, &n);
    say("  %s: %s", what, own ? strerrorname_np(errno) : address(&a, n));
    n = sizeof a;
    memset(&a, 0, sizeof a);
    own = getpeername(fd, (void *)&a, &n);
    say(" to %s\n", own ? strerrorname_np(errno) : address(&a, n));
}

/* "::1" and its like, or 127.0.0.1: as a socket of that family has it. */
static socklen_t at(struct sockaddr_storage *a, const char *host, int port_number)
{
    struct sockaddr_in *v4 = (void *)a;
    struct sockaddr_in6 *v6 = (void *)a;
    memset(a, 0, sizeof *a);
    if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons((uint16_t)port_number);
        return sizeof *v4;
    }
    assert(inet_pton(AF_INET6, host, &v6->sin6_addr) == 1);
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons((uint16_t)port_number);
    return sizeof *v6;
}

static const char *result(int r) { return r < 0 ? strerrorname_np(errno) : "ok"; }

static int made(int family, int type, int only)
{
    int fd = socket(family, type, 0);
    if (only >= 0)
        say("  V6ONLY=%d: %s\n", only, result(setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only)));
    return fd;
}

static int bound(int family, int type, int only, const char *host, int number)
{
    struct sockaddr_storage a;
    socklen_t n = at(&a, host, number);
    int fd = made(family, type, only);
    say("  bind %s %d: %s\n", host, number, result(bind(fd, (void *)&a, n)));
    names("bound", fd);
    return fd;
}

static int connected(int family, int type, int only, const char *host, int number)
{
    struct sockaddr_storage a;
    socklen_t n = at(&a, host, number);
    int fd = made(family, type, only);
    int r = connect(fd, (void *)&a, n);
    say("  connect %s %d: %s\n", host, number, result(r));
    if (!r)
        names("connected", fd);
    return fd;
}

static int accepted(int listener)
{
    struct sockaddr_storage a;
    socklen_t n = sizeof a;
    memset(&a, 0, sizeof a);
    int fd = accept4(listener, (void *)&a, &n, SOCK_NONBLOCK);
    if (fd < 0) {
        say("  accept: %s\n", strerrorname_np(errno));
        return fd;
    }
    say("  accepted %s\n", address(&a, n));
    names("accepted", fd);
    return fd;
}

static void server(int family, int only, const char *host, int number)
{
    static const char *const to[] = { "127.0.0.1", "::1", "::", "0.0.0.0", "::ffff:127.0.0.1" };
    say("TCP, family %d, V6ONLY %d, %s\n", family, only, host);
    int fd = bound(family, SOCK_STREAM | SOCK_NONBLOCK, only, host, number);
    say("  listen: %s\n", result(listen(fd, 5)));
    if (family == AF_INET6)
        say("  V6ONLY afterwards: %s\n", result(setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &(int){ 1 }, sizeof(int))));
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        int v4 = !strchr(to[i], ':');
        int c = connected(v4 ? AF_INET : AF_INET6, SOCK_STREAM, -1, to[i], number);
        int d = accepted(fd);
        close(c);                    /* first: no TIME_WAIT keeps the server's port, then */
        close(d);
    }
    int c = connected(AF_INET6, SOCK_STREAM, 1, "::ffff:127.0.0.1", number);
    close(c);
    say(" another one at that port\n");
    close(bound(AF_INET, SOCK_STREAM, -1, "127.0.0.1", number));
    close(bound(AF_INET6, SOCK_STREAM, 1, "::", number));
    close(bound(AF_INET6, SOCK_STREAM, 0, "::", number));
    close(bound(AF_INET6, SOCK_STREAM, -1, "::1", number));
    close(fd);
}

static void datagrams(int only, const char *host, int number)
{
    static const char *const to[] = { "127.0.0.1", "::1", "::ffff:127.0.0.1" };
    say("UDP, V6ONLY %d, %s\n", only, host);
    int fd = bound(AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK, only, host, number);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++)
        for (int family = AF_INET; family <= AF_INET6; family += AF_INET6 - AF_INET) {
            struct sockaddr_storage a, b;
            socklen_t n = at(&a, to[i], number);
            char got[16] = "";
            int c = socket(family, SOCK_DGRAM, 0);
            say(" sendto %s from family %d: %s\n", to[i], family, result((int)sendto(c, "hello", 5, 0, (void *)&a, n)));
            names("sender", c);
            n = sizeof b;
            memset(&b, 0, sizeof b);
            int r = (int)recvfrom(fd, got, sizeof got, 0, (void *)&b, &n);
            say("  %s '%s' from %s\n", result(r), got, r < 0 ? "-" : address(&b, n));
            if (r >= 0) {
                say("  answer: %s\n", result((int)sendto(fd, "back", 4, 0, (void *)&b, n)));
                memset(got, 0, sizeof got);
                n = sizeof b;
                r = (int)recvfrom(c, got, sizeof got, MSG_DONTWAIT, (void *)&b, &n);
                say("  %s '%s' from %s\n", result(r), got, r < 0 ? "-" : address(&b, n));
            }
            close(c);
        }
    close(connected(AF_INET6, SOCK_DGRAM, -1, "::1", number));
    close(connected(AF_INET6, SOCK_DGRAM, -1, "::ffff:127.0.0.1", number));
    close(connected(AF_INET6, SOCK_DGRAM, 1, "::ffff:127.0.0.1", number));
    close(connected(AF_INET, SOCK_DGRAM, -1, "127.0.0.1", number));
    close(fd);
}

/* Addresses of the wrong family, or too short. */
static void wrong(int type)
{
    struct sockaddr_storage v4, v6;
    socklen_t n4 = at(&v4, "127.0.0.1", 7050), n6 = at(&v6, "::1", 7050);
    say("wrong, type %d\n", type);
    for (int family = AF_INET; family <= AF_INET6; family += AF_INET6 - AF_INET)
        for (int binds = 0; binds < 2; binds++) {
            int (*call)(int, const struct sockaddr *, socklen_t) = binds ? bind : connect;
            const struct sockaddr_storage *other = family == AF_INET ? &v6 : &v4;
            int fd = socket(family, type, 0);
            say(" family %d, bind %d: other family %s", family, binds, binds || type == SOCK_STREAM ? result(call(fd, (const void *)other, family == AF_INET ? n6 : n4)) : "-");
            say(", whole length %s", binds || type == SOCK_STREAM ? result(call(fd, (const void *)other, sizeof *other)) : "-");
            say(", too short %s\n", result(call(fd, (const void *)(family == AF_INET ? &v4 : &v6), 10)));
            close(fd);
        }
    int fd = made(AF_INET6, type, 1);
    struct sockaddr_storage mapped;
    socklen_t n = at(&mapped, "::ffff:127.0.0.1", 7051);
    say(" mapped, V6ONLY: %s\n", result(bind(fd, (void *)&mapped, n)));
    close(fd);
    close(bound(AF_INET6, type, 0, "::ffff:127.0.0.1", 7051));
    fd = socket(AF_INET, type, 0);
    say(" V6ONLY of AF_INET: %s\n", result(setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &(int){ 1 }, sizeof(int))));
    names("new", fd);
    close(fd);
    fd = socket(AF_INET6, type, 0);
    int only = -1;
    socklen_t bytes = sizeof only;
    say(" V6ONLY of a new one: %s", result(getsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, &bytes)));
    say(" %d (%u)\n", only, bytes);
    names("new", fd);
    close(fd);
}

static void look_up(const char *node, const char *service, int family, int type, int flags)
{
    struct addrinfo hints = { .ai_family = family, .ai_socktype = type, .ai_flags = flags }, *all = NULL;
    int r = getaddrinfo(node, service, &hints, &all);
    say("getaddrinfo %s %s, family %d, type %d, flags %d: %s\n", node ? node : "-", service ? service : "-", family, type, flags, r ? gai_strerror(r) : "ok");
    for (struct addrinfo *a = r ? NULL : all, *last = NULL; a; last = a, a = a->ai_next) {
        char host[64], number[16];
        if (last && last->ai_socktype == a->ai_socktype && last->ai_addrlen == a->ai_addrlen && !memcmp(last->ai_addr, a->ai_addr, a->ai_addrlen))
            continue;                /* without a file of hosts localhost is the same address twice */
        r = getnameinfo(a->ai_addr, a->ai_addrlen, host, sizeof host, number, sizeof number, NI_NUMERICHOST | NI_NUMERICSERV);
        say("  family %d, type %d, protocol %d: %s %s\n", a->ai_family, a->ai_socktype, a->ai_protocol, r ? "?" : host, r ? "?" : number);
    }
    if (all)
        freeaddrinfo(all);
}

int main(int count, char **arguments)
{
    static char before[sizeof said];
    ssize_t got, all = 0;
    while (count > 1 && (got = read(0, before + all, sizeof before - 1 - (size_t)all)) > 0)
        all += got;
    int unbound = socket(AF_INET6, SOCK_STREAM, 0);
    say("listen without bind: %s\n", result(listen(unbound, 1)));
    names("listens", unbound);
    close(unbound);
    server(AF_INET, -1, "0.0.0.0", 7000);
    server(AF_INET, -1, "127.0.0.1", 7005);
    server(AF_INET6, 0, "::", 7001);
    server(AF_INET6, 1, "::", 7002);
    server(AF_INET6, -1, "::1", 7003);
    server(AF_INET6, -1, "::ffff:127.0.0.1", 7004);
    datagrams(0, "::", 7011);
    datagrams(1, "::", 7012);
    datagrams(-1, "::1", 7013);
    wrong(SOCK_STREAM);
    wrong(SOCK_DGRAM);
    look_up(NULL, "7000", AF_UNSPEC, SOCK_STREAM, AI_PASSIVE);
    look_up(NULL, "7000", AF_INET6, SOCK_STREAM, AI_PASSIVE);
    look_up(NULL, "7000", AF_UNSPEC, 0, 0);
    look_up("::1", "7000", AF_UNSPEC, SOCK_STREAM, 0);
    look_up("127.0.0.1", "7000", AF_UNSPEC, SOCK_DGRAM, AI_NUMERICHOST);
    look_up("127.0.0.1", "7000", AF_INET6, SOCK_STREAM, AI_NUMERICHOST);
    look_up("nonsense", "7000", AF_UNSPEC, SOCK_STREAM, AI_NUMERICHOST);
    look_up("localhost", NULL, AF_INET, SOCK_STREAM, 0);
    look_up(NULL, NULL, AF_UNSPEC, SOCK_STREAM, 0);
    if (count == 1)
        return write(1, said, (size_t)told) < 0;
    (void)arguments;
    for (char *a = said, *b = before; *a || *b;) {       /* the first line that differs is told */
        size_t i = strcspn(a, "\n"), k = strcspn(b, "\n");
        if (i != k || memcmp(a, b, i)) {
            printf("the kernel: %.*s\nVeriSoft:   %.*s\n", (int)k, b, (int)i, a);
            assert(!"the same answers");
        }
        a += i + (a[i] != 0);
        b += k + (b[k] != 0);
    }
    return 0;
}
END
gcc -g -Wall inet6.c -o inet6 || exit 1
# The kernel chooses ports at random, sometimes one that it chose before: what it answers twice counts.
for try in 1 2 3 4 5; do
    for file in kernel again; do ./inet6 > $file || { cat $file; echo "it does not run by itself"; exit 1; }; done
    cmp -s kernel again && break
done
[ "$(wc -l < kernel)" -gt 200 ] || { echo "it said little: $(wc -l < kernel) lines"; failed=1; }
verisoft ./inet6 --stdin kernel --max-depth 5000 -- again > report 2>&1
is "the same answers as the kernel's" 0 $?
[ "$failed" ] && { sed -n 's/^  see it happen:  //p' report | head -1 | sh 2>&1 | grep -A1 '^the kernel' || tail -30 report; }
# And it is compared: another answer is seen.
sed 's/ECONNREFUSED/EACCES/' kernel > other
verisoft ./inet6 --stdin other --max-depth 5000 -- again > report 2>&1
is "other answers" 1 $?
exit ${failed:-0}
