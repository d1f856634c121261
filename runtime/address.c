/* Names of the loopback, looked up without asking anybody: getaddrinfo and getnameinfo of numbers, of localhost and of no host. The C library makes
 * the answers, one family at a time, for only where there are several does it ask the kernel in which order they come. gethostbyname and its like,
 * before which the C library reads how the machine asks for names, are answered here.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "modes.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#pragma GCC poison malloc calloc free printf

struct question { const char *node, *service; struct addrinfo hints; };

/* Numbers of this family, or nothing. */
static int ask(const struct question *q, int family, const char *node, struct addrinfo **answer)
{
    struct addrinfo hints = q->hints;
    hints.ai_family = family;
    hints.ai_flags = (hints.ai_flags & ~(AI_ADDRCONFIG | AI_V4MAPPED | AI_ALL)) | AI_NUMERICHOST | AI_NUMERICSERV;
    return RT_NEXT(getaddrinfo)(node, q->service, &hints, answer);
}

/* First this family, then the other, as far as they are asked for. */
static int ask_both(const struct question *q, int first, const char *const nodes[2], struct addrinfo **answer)
{
    int other = first == AF_INET6 ? AF_INET : AF_INET6, wanted = q->hints.ai_family;
    struct addrinfo *rest = NULL, **end = answer;
    *answer = NULL;
    int failed = wanted == other ? 0 : ask(q, first, nodes[0], answer);
    if (failed)
        return failed;
    failed = wanted == first ? 0 : ask(q, other, nodes[1], &rest);
    while (*end)
        end = &(*end)->ai_next;
    *end = rest;
    return failed && *answer ? 0 : failed;
}

static bool is_local(const char *node) { return !strcmp(node, "localhost") || !strcmp(node, "ip6-localhost"); }

static bool is_number(const char *text)
{
    return text[strspn(text, "0123456789")] == 0;
}

static bool is_address(const char *node)
{
    struct in6_addr any;
    return inet_pton(AF_INET, node, &any) == 1 || inet_pton(AF_INET6, node, &any) == 1;
}

RT_INLINE int look_up(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **answer)
{
    static const char *const loopback[] = {"::1", "127.0.0.1"}, *const none[] = {NULL, NULL};
    struct question q = {node, service, hints ? *hints : (struct addrinfo){.ai_flags = AI_V4MAPPED | AI_ADDRCONFIG}};
    bool local = node && is_local(node);
    if (service && !is_number(service))
        RT_REFUSE("getaddrinfo (of a service that is no number)");
    if (node && !local && !is_address(node) && !(q.hints.ai_flags & AI_NUMERICHOST))
        RT_REFUSE("getaddrinfo (of a host other than localhost)");
    if (local && q.hints.ai_flags & AI_CANONNAME)
        RT_REFUSE("getaddrinfo (with AI_CANONNAME)");
    if (node && (!local || q.hints.ai_flags & AI_NUMERICHOST))
        return ask(&q, q.hints.ai_family, node, answer);
    if (!service && !node)
        return EAI_NONAME;
    bool passive = !node && q.hints.ai_flags & AI_PASSIVE;
    if (q.hints.ai_family != AF_UNSPEC && q.hints.ai_family != AF_INET && q.hints.ai_family != AF_INET6)
        return EAI_FAMILY;
    return ask_both(&q, passive ? AF_INET : AF_INET6, node ? loopback : none, answer);
}

RT_CONTROLLED(int, getaddrinfo, (const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
    struct addrinfo **restrict answer), (node, service, hints, answer), LIBC, DO(look_up(node, service, hints, answer)))

/* As numbers nobody need be asked. */
RT_INLINE int name(const struct sockaddr *address, socklen_t bytes, char *host, socklen_t host_room, char *service, socklen_t service_room, int flags)
{
    if ((host && host_room && !(flags & NI_NUMERICHOST)) || (service && service_room && !(flags & NI_NUMERICSERV)))
        RT_REFUSE("getnameinfo (without NI_NUMERICHOST and NI_NUMERICSERV)");
    return RT_NEXT(getnameinfo)(address, bytes, host, host_room, service, service_room, flags);
}

RT_CONTROLLED(int, getnameinfo, (const struct sockaddr *restrict address, socklen_t bytes, char *restrict host, socklen_t host_room,
    char *restrict service, socklen_t service_room, int flags), (address, bytes, host, host_room, service, service_room, flags),
    LIBC, DO(name(address, bytes, host, host_room, service, service_room, flags)))

/* ---- gethostbyname ---- */

/* All that an answer points to. */
struct host { char *aliases[1], *addresses[2]; char address[sizeof(struct in6_addr)], name[64]; };

/* Gives 0, or what h_errno says. As a number, gethostbyname takes all that inet_aton does. */
RT_INLINE int find_host(const char *name, int family, struct host *h)
{
    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return NO_DATA;
    }
    const char *number = !is_local(name) ? name : family == AF_INET ? "127.0.0.1" : "::1";
    if (strlen(name) < sizeof h->name && (family == AF_INET ? inet_aton(number, (struct in_addr *)h->address) : inet_pton(family, number, h->address)) == 1)
        return 0;
    if (!is_address(name))
        RT_REFUSE("gethostbyname (of a host other than localhost)");
    return HOST_NOT_FOUND;
}

static void tell_host(struct hostent *entry, struct host *h, const char *name, int family)
{
    memcpy(h->name, name, strlen(name) + 1);
    h->aliases[0] = h->addresses[1] = NULL;
    h->addresses[0] = h->address;
    *entry = (struct hostent){.h_name = h->name, .h_aliases = h->aliases, .h_addrtype = family, .h_addr_list = h->addresses,
                              .h_length = family == AF_INET ? (int)sizeof(struct in_addr) : (int)sizeof(struct in6_addr)};
}

/* The one that each call writes over. */
RT_INLINE struct hostent *host_by_name(const char *name, int family)
{
    static struct hostent entry;
    static struct host host;
    h_errno = find_host(name, family, &host);
    if (h_errno)
        return NULL;
    tell_host(&entry, &host, name, family);
    return &entry;
}

RT_INLINE int host_by_name_in(const char *name, int family, struct hostent *entry, char *room, size_t bytes, struct hostent **answer, int *why)
{
    size_t skipped = -(uint64_t)room % _Alignof(struct host);
    struct host *h = (struct host *)(room + skipped);
    *answer = NULL;
    if (bytes < skipped + sizeof *h) {
        *why = NETDB_INTERNAL;
        return ERANGE;
    }
    *why = find_host(name, family, h);
    if (*why)
        return 0;
    tell_host(entry, h, name, family);
    *answer = entry;
    return 0;
}

RT_CONTROLLED(struct hostent *, gethostbyname, (const char *name), (name), LIBC, DO(host_by_name(name, AF_INET)))
RT_CONTROLLED(struct hostent *, gethostbyname2, (const char *name, int family), (name, family), LIBC, DO(host_by_name(name, family)))
RT_CONTROLLED(int, gethostbyname_r, (const char *restrict name, struct hostent *restrict entry, char *restrict room, size_t bytes,
    struct hostent **restrict answer, int *restrict why), (name, entry, room, bytes, answer, why),
    LIBC, DO(host_by_name_in(name, AF_INET, entry, room, bytes, answer, why)))
RT_CONTROLLED(int, gethostbyname2_r, (const char *restrict name, int family, struct hostent *restrict entry, char *restrict room, size_t bytes,
    struct hostent **restrict answer, int *restrict why), (name, family, entry, room, bytes, answer, why),
    LIBC, DO(host_by_name_in(name, family, entry, room, bytes, answer, why)))
