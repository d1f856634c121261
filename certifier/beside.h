/* A copy of this process that does a part of the work beside it, on another processor: to foretell the entries of a script, and to write or
 * read them, takes about as long as to search a program of processes. Numbers flow between the two, in order.
 *
 * Invariant: the copy is gone when this process is, whatever ends it. It has no part in the program under test.
 * SPDX-License-Identifier: MIT */
#ifndef BESIDE_H
#define BESIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { BESIDE_WORDS = 1 << 14 };     /* that are sent at one go */

struct beside {                      /* one end; all but `lost` is beside.c's own, and of what is inline here */
    int      line;
    pid_t    copy;                   /* 0: this is the copy */
    bool     lost;                   /* the other end is gone: what is put goes nowhere */
    uint32_t filled, taken, there;   /* words to be sent; of those that came, taken and all */
    uint32_t out[BESIDE_WORDS], in[BESIDE_WORDS];
};

/* How many processors there are for this process. To be asked before it is kept to one of them. */
int beside_processors(void);
/* The copy calls `work` with its own end, and ends. NULL: there is but one processor (by what was asked), or no copy can be made. Gives. */
struct beside *beside_start(void (*work)(void *arg, struct beside *), void *arg);
void           beside_end(struct beside *);                      /* NULL is fine. What the copy still does is given up */

void beside_send(struct beside *);                               /* what was put until now */
bool beside_receive(struct beside *);                            /* waits for more; false: there will be none */

static inline void beside_put(struct beside *b, uint32_t word)
{
    if (b->filled == BESIDE_WORDS)
        beside_send(b);
    b->out[b->filled++] = word;
}

static inline bool beside_get(struct beside *b, uint32_t *word)  /* false: the other one is gone */
{
    if (b->taken == b->there && !beside_receive(b))
        return false;
    *word = b->in[b->taken++];
    return true;
}

void  beside_put_long(struct beside *, uint64_t);
bool  beside_get_long(struct beside *, uint64_t *);
void  beside_put_text(struct beside *, const char *);
char *beside_get_text(struct beside *);                          /* gives; NULL: the other one is gone */

#endif
