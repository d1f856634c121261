/* Growing arrays and allocation that does not return NULL: when memory runs out, one handler ends the run with a report
 * of what was found so far. Invariant: an array that has grown has more room than before.
 * SPDX-License-Identifier: MIT */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *memory_get(size_t bytes);                                  /* zeroed; gives, return it with free */
char *memory_text(const char *);                                 /* a copy; gives */
void *memory_resize(void *old, size_t bytes);                    /* takes old, gives; new bytes are not zeroed */
void  memory_on_exhausted(void (*handler)(void *), void *arg);   /* handler should not return; NULL: says so, and ends with 2 */

enum { MEMORY_GROWS = 8 };               /* a large array grows by this part of it */
uint32_t memory_more(uint32_t room);     /* elements that an array has room for when it has grown; more than are numbered: as out of memory */

/* Bytes that were given and not returned, by whoever asked for them; what the allocator keeps for itself is not among them. So the same
 * work has the same number, on every machine with the same C library. Not for inner loops. */
uint64_t memory_held(void);

/* Makes room in `array` (a pointer with `count` used of `room`) for one more element. */
#define ARRAY_GROW(array, count, room) \
    do { \
        if ((count) == (room)) { \
            (room) = memory_more(room); \
            (array) = memory_resize((array), (size_t)(room) * sizeof *(array)); \
        } \
    } while (0)

/* A string printed into a buffer of unknown need: longer buffers until it fits. */
#define PRINT_WHOLE(out, print) \
    for (size_t room = 256; ; room *= 2) { \
        (out) = memory_resize((out), room); \
        print; \
        if (strlen(out) + 1 < room) \
            break; \
    }

#endif
