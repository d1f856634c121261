/* Growing arrays and allocation that does not return NULL: when memory runs out, one handler ends the run with a report
 * of what was found so far.
 * SPDX-License-Identifier: MIT */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

void *memory_get(size_t bytes);                                  /* zeroed; gives, return it with free */
char *memory_text(const char *);                                 /* a copy; gives */
void *memory_resize(void *old, size_t bytes);                    /* takes old, gives; new bytes are not zeroed */
void  memory_on_exhausted(void (*handler)(void *), void *arg);   /* handler should not return; NULL: says so, and ends with 2 */

/* Makes room in `array` (a pointer with `count` used of `room`) for one more element. */
#define ARRAY_GROW(array, count, room) \
    do { \
        if ((count) == (room)) { \
            (room) = (room) ? 2 * (room) : 16; \
            (array) = memory_resize((array), (size_t)(room) * sizeof *(array)); \
        } \
    } while (0)

#endif
