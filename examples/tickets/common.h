/* What server and client agree on: a message is a byte with its length, then so many bytes. SPDX-License-Identifier: MIT */
#ifndef COMMON_H
#define COMMON_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LONGEST = 255 };

static inline struct sockaddr_in address_of(const char *port)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port)) };
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

/* All of it, however it comes; or less, when the other side has closed. */
static inline int read_all(int fd, char *to, int bytes)
{
    int done = 0;
    for (int got; done < bytes && (got = (int)read(fd, to + done, (size_t)(bytes - done))) > 0; done += got)
        ;
    return done;
}

#endif
