/* SPDX-License-Identifier: MIT */
#include "simulator/lines.h"

#include "base/memory.h"

#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 4096 };
enum { GLANCE = 200 };               /* milliseconds between two looks at the interrupt: a signal may come just before poll */

/* False: the end, or an interrupt. */
static bool read_more(struct lines *l)
{
    while (!*l->interrupt) {
        struct pollfd p = { .fd = l->fd, .events = POLLIN };
        if (poll(&p, 1, GLANCE) <= 0)
            continue;
        if (l->room - l->used < CHUNK + 1)
            l->bytes = memory_resize(l->bytes, l->room = 2 * l->room + CHUNK + 1);
        ssize_t got = read(l->fd, l->bytes + l->used, CHUNK);
        if (got > 0)
            l->used += (size_t)got;
        if (got >= 0)
            return got > 0;
        if (!*l->interrupt && p.revents & (POLLERR | POLLNVAL))
            return false;
    }
    return false;
}

/* What was given last, up to its NUL, is at the front. */
static void forget_given(struct lines *l, size_t given)
{
    l->used -= given;
    memmove(l->bytes, l->bytes + given, l->used);
}

char *lines_next(struct lines *l)
{
    size_t looked = 0;
    if (l->given)
        forget_given(l, l->given);
    l->given = 0;
    while (!*l->interrupt) {
        char *end = l->used > looked ? memchr(l->bytes + looked, '\n', l->used - looked) : NULL;
        looked = l->used;
        if (end) {
            *end = '\0';
            l->given = (size_t)(end - l->bytes) + 1;
            return l->bytes;
        }
        if (read_more(l))
            continue;
        if (*l->interrupt || !l->used)
            return NULL;
        l->bytes[l->used] = '\0';            /* there is always room for one more */
        l->given = l->used;
        return l->bytes;
    }
    return NULL;
}

void lines_fini(struct lines *l)
{
    free(l->bytes);
    l->bytes = NULL;
}
