/* Lines from a file descriptor. Unlike stdio this never waits past an interrupt.
 * SPDX-License-Identifier: MIT */
#ifndef LINES_H
#define LINES_H

#include <stddef.h>

struct lines {
    int                 fd;
    const volatile int *interrupt;
    char               *bytes;       /* read, and not yet given */
    size_t              used, room, given;      /* given: at the front, by the last call */
};

/* The next line without its end, valid until the next call. NULL: there is none, or an interrupt. A last line needs no end. */
char *lines_next(struct lines *);
void  lines_fini(struct lines *);

#endif
