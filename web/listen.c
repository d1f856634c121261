/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "web/listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <netinet/in.h>

/* 127.0.0.1:80 and [::1]:80 taken apart. */
static int split(const char *address, char host[64], char port[16], struct err *err)
{
    const char *colon = strrchr(address, ':'), *begin = address, *end = colon;
    if (colon && *address == '[' && colon > address + 1 && colon[-1] == ']') {
        begin++;
        end--;
    }
    if (!colon || end <= begin || end - begin >= 64 || !colon[1] || strlen(colon + 1) >= 16)
        return fail(err, "--listen %.60s: write ADDRESS:PORT, as 0.0.0.0:8443 or [::1]:8443", address);
    snprintf(host, 64, "%.*s", (int)(end - begin), begin);
    snprintf(port, 16, "%s", colon + 1);
    return 0;
}

static int find(const char *address, int port, struct addrinfo **to, struct err *err)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE };
    char host[64] = "127.0.0.1", service[16];
    snprintf(service, sizeof service, "%d", port);
    int rc = address ? split(address, host, service, err) : 0;
    if (rc)
        return rc;
    int bad = getaddrinfo(host, service, &hints, to);
    return bad ? fail(err, "--listen %.60s: %s", address ? address : host, gai_strerror(bad)) : 0;
}

static int port_of(int fd)
{
    struct sockaddr_storage address = { 0 };
    socklen_t length = sizeof address;
    getsockname(fd, (struct sockaddr *)&address, &length);
    return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port : ((struct sockaddr_in *)&address)->sin_port);
}

int listen_open(const char *address, int *port, const char *name, struct err *err)
{
    struct addrinfo *found = NULL;
    int on = 1, rc = find(address, *port, &found, err);
    if (rc)
        return rc;
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        rc = fail_errno(err, "%s cannot make a socket", name);
    else if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) || bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, SOMAXCONN))
        rc = address ? fail_errno(err, "%s cannot listen at %.60s", name, address)
                     : fail_errno(err, "%s cannot use port %d (--port 0 takes one that is free)", name, *port);
    freeaddrinfo(found);
    if (rc && fd >= 0)
        close(fd);
    if (rc)
        return rc;
    *port = port_of(fd);
    return fd;
}
