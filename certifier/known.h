/* The transitions of a script that were told, from where, by which label, to where; and what two that commute say of a third:
 *
 *        state ──label──> ?             Where `moved` of another process was told of the state, and from there the label leads to E, the
 *          │              │             label leads from here to a state from which `moved` leads to E: the last one of which that was told.
 *        moved          moved
 *          v              v
 *        there ──label──> E
 *
 * States count from 0 on. Invariant: it holds KNOWN_MOST states and as many transitions at most; when there are so many, its owner forgets them all. Of
 * a state it holds the first KNOWN_OF_STATE transitions: so no question takes long, whatever a script says.
 * SPDX-License-Identifier: MIT */
#ifndef KNOWN_H
#define KNOWN_H

#include "certifier/labels.h"

enum { KNOWN_MOST = 1 << 22, KNOWN_OF_STATE = 64 };
#define KNOWN_NONE UINT32_MAX

struct known_step {
    uint32_t from, to, label;
    uint32_t next;                   /* the next one from there; NONE: the last */
    uint32_t before;                 /* the one before it that leads to the same state; NONE: the first */
};
struct known_state {
    uint64_t can;                    /* its owner's: which processes can go on */
    uint32_t first, last, into;      /* its transitions; the last that leads to it */
    uint32_t count;                  /* of its transitions */
};
struct known {                                                   /* all zero: nothing */
    struct known_step  *steps;
    struct known_state *states;
    uint32_t            step_count, step_room, state_count, state_room;
};

void     known_fini(struct known *);
void     known_forget(struct known *);
void     known_add_state(struct known *);                        /* the next number */
void     known_add_step(struct known *, uint32_t from, uint32_t label, uint32_t to);
bool     known_full(const struct known *);
uint32_t known_step_of(const struct known *, uint32_t state, uint32_t label);    /* which transition; NONE: it was not told, or there is no state */
uint32_t known_follow(const struct known *, uint32_t state, uint32_t label);     /* where it leads */
/* The last state, but `except`, of which it was told that the label leads from it to this one. NONE: there is none. */
uint32_t known_back(const struct known *, uint32_t state, uint32_t label, uint32_t except);
/* What the transitions of the state tell of the label (see above). False: nothing. `to` NONE: a state of which nothing is known. */
bool     known_square(const struct known *, const struct labels *, uint32_t state, uint32_t label, uint32_t *to);

#endif
