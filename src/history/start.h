/* The program at its initial global state: where each process stands first, and the objects that there are.
 * SPDX-License-Identifier: MIT */
#ifndef START_H
#define START_H

#include "history/graph.h"

/* An object, in the order of creation; op.object counts in this list. */
struct created {
    uint8_t  type;
    uint32_t number;                 /* among its type: what the program calls it */
    int32_t  index;                  /* a semaphore's place in its array; -1: not in an array */
    int32_t  arg[3];                 /* semaphore: arg[0] initial value. queue: arg[0] size */
    uint64_t address;                /* in a group: of the object, or a key of its type */
    int      host;                   /* in a group: the UNIX process in whose memory it is; -1: shared */
    int      maker;                  /* in a group: the process that used it first */
    uint32_t nth;                    /* of those of its type that this process made; counts from 1 */
};

/* Words that the objects of a group may have together: they are found on the way, and must not move. */
enum { MAX_OBJECT_WORDS = 1 << 20 };

struct start {
    int             processes;
    struct arrival  first[MAX_PROCESSES];
    struct created *objects;         /* owned by who starts the program */
    uint32_t        object_count;
    bool            group;           /* then there is one process, at its start; others, and objects, come on the way */
    bool            timed;           /* of a group: who waits with a time limit says so first (GROUP_CLOCK) */
};

#endif
