/* A walk over the private memory of this process, page by page: all that makes it what it is. Of memory that cannot be written
 * (now: it may have been) the pages that differ from their file.
 * Invariant: the walk shows the program's memory only. The runtime's own, shared memory and the dead part of the stack are
 * left out, and neighbouring mappings are one (the kernel joins them for some processes and not for others).
 * SPDX-License-Identifier: MIT */
#ifndef RT_WALK_H
#define RT_WALK_H

#include <stdint.h>

struct rt_walk {
    void    *self;
    void   (*page)(void *self, uint64_t at, uint64_t bytes);     /* not called for known zeros; NULL: only `dead` is wanted */
    void   (*gap)(void *self, uint64_t from, uint64_t to);       /* between two writable mappings; NULL: not wanted */
    void   (*file)(void *self, const uint64_t identity[4]);      /* a mapped file: address, end, offset, inode; NULL: not wanted */
    void   (*dead)(void *self, uint64_t at, uint64_t bytes);     /* touched memory of the dead part of the stack; NULL: not wanted */
    uint64_t live_stack;             /* 8-aligned address where the live part of the stack begins; 0: all of it */
    uint64_t last;                   /* private to the walk: where the last mapping ended */
};

void rt_walk(struct rt_walk *);

#endif
