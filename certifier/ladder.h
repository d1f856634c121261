/* The states on the path of a script, each with what is foretold of it: which processes can go on, by which labels, and where these lead.
 *
 * A process that did not move stands before what it stood before in the parent. Where a state was entered by `arrived`, and from its parent
 * another process was tried before, by `moved`, there mostly is a *twin*: the state that differs by that step alone, of which all is known:
 *
 *         parent ──moved──> sibling
 *            │                 │
 *         arrived           arrived
 *            v                 v
 *          state ──moved──>  twin
 *
 * Who can go on in three corners tells it of the fourth: what `moved` changes between parent and sibling it changes between state and twin.
 * And where the twin's label leads to E, the state's leads to where `moved` leads to E from.
 *
 * Invariant: what is foretold depends on the entries told before and on nothing else.
 * SPDX-License-Identifier: MIT */
#ifndef LADDER_H
#define LADDER_H

#include "certifier/known.h"
#include "certifier/sums.h"

#define LADDER_NOBODY_KNOWS UINT32_MAX

struct cell {                        /* of a process, as it stands in the state at the top */
    uint32_t label;                  /* the first that it does next, as was told here or is foretold; BACK: nobody knows */
    uint32_t before;                 /* what it did last; BACK: nothing */
    uint32_t kind;                   /* of the transition by the one after the other (sums.h), plus 1; 0: it was not asked */
};

struct rung {                        /* a state on the path */
    uint64_t state;
    uint64_t can;                    /* a bit for each process: it can go on, as was told or is foretold */
    uint32_t known;                  /* its number there; NONE: it was forgotten */
    uint32_t arrived, kind;          /* the label by which it was entered, BACK: the first; and the kind of that transition (sums.h) */
    uint32_t last;                   /* the label that was told last; BACK: none */
    uint32_t twin, moved;            /* twin NONE: it has none */
    uint32_t cursor;                 /* of the twin's transitions: what is before it is of no use any more; NONE: all */
    uint32_t process, told;          /* the process that is told now, and how many labels of it were told */
    uint32_t way;                    /* hashed from how it was entered, and by what it has a twin */
    struct cell before;              /* of the process that arrived: how it stood in the parent */
};

struct ladder {
    struct labels *labels;           /* borrowed */
    struct known   known;            /* of states from `base` on */
    struct sums   *sums;
    uint64_t       base, highest;
    struct rung   *path;
    struct cell    cells[MAX_PROCESSES];         /* what is found out in a state is so in its parent, too, but for the process that moved */
    uint32_t       depth, path_room, processes;
    uint32_t       all;              /* hashed from what all processes stand before */
    uint32_t      *sequel, sequel_room;          /* by label: the one of the same process that came after it last, in the same state; times 2, */
                                                 /* plus 1 if one came the last time */
    uint32_t      *then, then_room;              /* by kind of transition: what its process did next, when that was told last */
};

void ladder_init(struct ladder *, struct labels *);              /* at state 0 */
void ladder_fini(struct ladder *);
void ladder_forget(struct ladder *);                             /* all that is known of states */

static inline struct rung *ladder_top(const struct ladder *l)                     { return &l->path[l->depth - 1]; }
static inline uint32_t     ladder_process(const struct ladder *l, uint32_t label) { return (uint32_t)labels_get(l->labels, label)->process; }
static inline uint32_t ladder_mix(uint32_t a, uint32_t b)        /* not as well as coder_mix, and faster */
{
    uint64_t x = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(x >> 32) ^ (uint32_t)x >> 7;
}
static inline uint32_t     ladder_known(const struct ladder *l, uint64_t state)
{
    return state >= l->base && state - l->base < l->known.state_count ? (uint32_t)(state - l->base) : KNOWN_NONE;
}

/* ---- what is foretold of the top ---- */

uint32_t ladder_next_label(struct ladder *);                     /* BACK: none any more. NOBODY_KNOWS */
uint32_t ladder_first_label(struct ladder *, uint32_t process);  /* if the process can go on; BACK: nobody knows */
uint32_t ladder_sequel(struct ladder *, uint32_t label);          /* if the same process goes on by another one; BACK: nobody knows */
/* Where the label leads, by what commutes; NONE: to a new state. `how`: found in which way, 0: in none. */
enum { LADDER_WAYS = 5 };
uint32_t ladder_leads(struct ladder *, uint32_t label, uint32_t *how);
uint32_t ladder_by_parent(const struct ladder *, uint32_t label);        /* where `arrived` leads when this label went before it; NONE: nobody knows */

/* ---- what was told of it ---- */

void ladder_told_label(struct ladder *, uint32_t label);
uint32_t ladder_kind(struct ladder *, uint32_t label);           /* of the transition by this label, which was told (sums.h) */
void ladder_told_over(struct ladder *);                          /* nothing more: it is left */
/* That this label, by a transition of this kind, leads to the state; which is entered when it is new. */
void ladder_told_state(struct ladder *, uint32_t label, uint32_t kind, uint64_t to);

#endif
