/* What happens before what on a path (the paper's happens-before relation), as a vector clock for each step.
 *
 * Step i happens before step k when i comes first and they are steps of one process, or in conflict (dependence_conflict), or a chain of such
 * pairs leads from i to k. Two executions are equivalent when they have the same steps and the same happens before.
 *
 *       step   process and operation    its clock: 1 2 3        A clock has a number for each process: 1 + the position of that
 *       0      1: lock(a)                          1 . .        process's last step that happens before this one, or is it.
 *       1      2: post(s)                          . 2 .        So `before` is one comparison.
 *       2      1: unlock(a)                        3 . .
 *       3      3: lock(a)                          3 . 4        suspects of a race: (0, 3) and (2, 3)
 *
 * Invariants:
 *  - The first `known` steps are the same as on the path before, and so are their clocks: a clock depends on the steps up to its own.
 *    Two things end that: a process is new (clocks get wider), or the program was seen to end where nobody knew it (then conflicts of
 *    that step are others). `known` is lowered then. What was concluded on earlier paths stays: there the step had not come to that.
 *  - A step's clock is at least that of each step that happens before it; the number of its own process is 1 + its own position.
 *  - `latest` has the steps up to `noted`, and from each of its numbers the levels lead on to all earlier ones, backwards.
 *
 * Where we do less than the definition says:
 *  - Who may be in conflict is not asked of all pairs, but of those on one object and those with a reach (clocks_near). Why that is
 *    enough: no others ever are, by the contract of dependence_reach. Of one process's steps, those that happen before the new one's
 *    own last step need not be asked: its clock has them. In tests clocks_check asks all pairs.
 *  - A pair is no suspect when the second could never go without the first (dependence_enables): nothing can reverse it.
 * SPDX-License-Identifier: MIT */
#ifndef CLOCKS_H
#define CLOCKS_H

#include "search/internal.h"
#include "system/hidden.h"
#include "system/apart.h"

enum { NOT_TAKEN = UINT32_MAX };     /* in place of a position on the path: of a step that is not on it */
enum { MOST_PICKED = 64 };           /* results of a step of which each has a bit in `done` */

/* A step: on the path, in a wakeup tree, or the next one of a process. */
struct move {
    uint32_t process, choice, node, stamp, result;
    uint32_t slot;                   /* its object */
    uint32_t at;                     /* where on the path, or NOT_TAKEN */
    uint64_t reach;                  /* processes with whose steps it may be in conflict though they are on other objects */
};

/* A state on the path, and the step taken there. Positions of earlier steps are 1 + position here; 0: there is none. */
struct level {
    /* what is to be done (optimal.c, wakeup.c) */
    uint32_t     tree;               /* the branches still to be taken, those of one process side by side */
    uint64_t     done;               /* results that were tried, when only some need to be */
    bool         picky;              /* so it is */
    bool         taken;              /* some branch was */
    bool         from_tree;          /* the current one comes from the tree */
    uint64_t     besides;            /* of its tree: which branches did not come to the end of a list (aside.h) */
    uint64_t     alive;              /* of the system, before the step */
    uint64_t     asleep;             /* who slept when the state was entered */
    uint32_t     stamp;
    uint64_t     take;               /* number of the take that brought it here */
    bool         renews;             /* its process came to stand where an object is as new */
    /* what is known of the step (clocks.c) */
    struct move  event;              /* the current one */
    uint32_t     previous;           /* the same process's step before */
    uint32_t     previous_about;     /* of those, the last that is about processes (dependence_about_processes) */
    uint32_t     previous_on_object; /* the step before on the same object */
    uint32_t     last;               /* the last step that happens before this one */
    uint32_t     flags;              /* of the node, when the clock was made */
    uint32_t     kills;              /* steps up to this one that end others */
    bool         spreads;            /* it may change other objects than its own */
    uint32_t     first_race;         /* 1 + number of a race whose first step this is (races.c) */
};

/* The words of a step's object before it; `take` says of which step. */
struct seen { uint64_t take; uint32_t words[APART_WORDS]; };

/* Where to begin to look for steps that may be in conflict with one: always at the last, as 1 + position; 0: there is none. */
struct latest {
    uint32_t       *on_object;       /* for each object */
    uint32_t        of[MAX_PROCESSES], about[MAX_PROCESSES];     /* of each process: its last step; the last that is about processes */
    struct reacher *reachers;        /* the steps with a reach: for each process whom they reach, a list; number 0 is none */
    uint32_t        reached[MAX_PROCESSES];      /* where these lists begin */
    uint32_t        reacher_count, reacher_room;
    struct note    *notes;           /* for each step that is in these: how to take it out again */
    uint32_t        noted;           /* so many */
    int             noted_for;       /* when the system had so many processes */
};
struct reacher { uint32_t position, next, process; };
struct note { uint32_t slot, process, on_object, of, about, reachers; };

/* The path of a search, and all that is known of its steps. */
struct past {
    struct search *search;           /* borrowed: it has the steps, how many they are, and what sleeps */
    struct system *system;           /* borrowed */
    struct level  *levels;           /* one for each state: one more than there are steps */
    uint32_t       room;             /* so many levels */
    struct seen   *seen;             /* for each step */
    uint64_t       takes;
    uint32_t       known;            /* steps with clocks and races */
    uint32_t       stride;           /* processes, rounded up */
    uint32_t      *clocks;           /* `stride` numbers for each step: as in source.c */
    uint8_t       *who;              /* the process of each step, once it has a clock */
    struct latest  latest;
    uint32_t       leads;            /* `leads` of the system when it was last looked at */
    uint32_t       zero[MAX_PROCESSES];          /* the clock of who has done nothing */
};

/* What may be the second step of a race: on the path, or left undone there. Invariant: its own earlier steps, and the first steps of its
 * pairs, come before its limit. */
struct second {
    struct move  event;
    uint32_t     previous;           /* as in struct level */
    uint32_t     limit;              /* only steps before this position come into question as the first */
    bool         races;              /* it is the second of a race (races.c) */
};

/* Two steps that may be in a race: the pairs of one first step are a list, number 0 is none. */
struct suspect { uint32_t second, next; bool sure; };       /* sure: they are in conflict */

struct suspects {
    struct second *seconds;
    uint32_t       second_count, second_room;
    uint32_t       taken_count;      /* so many of them are on the path, the first one at `known` */
    struct suspect *all;
    uint32_t       count, room;
    uint32_t      *first, *last;     /* for each step of the path: its list */
    uint32_t       lowest;           /* the first of the steps that have one; UINT32_MAX: none */
    uint32_t      *near;             /* scratch: what clocks_near gives */
};

void clocks_init(struct past *, struct search *);        /* borrows the search */
void clocks_fini(struct past *);
bool clocks_make_room(struct past *);                    /* for as many steps as the search has; true: there is more than before */

/* Clocks of all steps of the path; the new ones become seconds, each with the steps that may be the first of a race with it. */
void         clocks_make(struct past *, struct suspects *);
void         clocks_complete(const struct past *, struct move *);               /* fills in its object and its reach */
struct move clocks_next_event(const struct past *, uint32_t process);           /* what it would do next, now */
/* The steps that may be in conflict with this one, of those before `limit` that do not happen before it by the steps of its own
 * process. Gives how many are in `near`, which has room for the path. */
uint32_t     clocks_near(const struct past *, const struct move *, uint32_t previous, uint32_t limit, uint32_t *near);

void clocks_check(const struct past *);                  /* ends the run if an invariant does not hold */

void clocks_init_suspects(struct suspects *);
void clocks_fini_suspects(struct suspects *);
void clocks_make_suspects_room(struct suspects *, uint32_t steps);
void clocks_add_second(struct suspects *, const struct move *, uint32_t previous, uint32_t limit);
void clocks_prepend_pair(struct suspects *, uint32_t first, uint32_t second);

/* Of two events that may be in conflict: are they, in this order? Asks the system. */
bool clocks_conflict(const struct past *, const struct move *, const struct move *);

/* Unless one of the two is about processes, or they are on one object, they are in no conflict. */
static inline bool may_conflict(const struct past *p, const struct move *a, const struct move *b)
{
    return (a->slot == b->slot && a->slot != p->system->nothing) || a->reach >> b->process & 1 || b->reach >> a->process & 1;
}

static inline bool conflict(const struct past *p, const struct move *a, const struct move *b)
{
    return may_conflict(p, a, b) && clocks_conflict(p, a, b);
}

/* In whatever order. */
static inline bool in_conflict(const struct past *p, const struct move *a, const struct move *b)
{
    return may_conflict(p, a, b) && (clocks_conflict(p, a, b) || clocks_conflict(p, b, a));
}

static inline uint32_t *clock_of(const struct past *p, uint32_t at) { return p->clocks + (size_t)at * p->stride; }

static inline const struct move *on_path(const struct past *p, uint32_t at) { return &p->levels[at].event; }

static inline const uint32_t *clock_before(const struct past *p, uint32_t previous)
{
    return previous ? clock_of(p, previous - 1) : p->zero;
}

static inline bool before(const struct past *p, uint32_t first, const uint32_t *clock) { return clock[p->who[first]] > first; }

static inline void join(const struct past *p, uint32_t *clock, const uint32_t *other)
{
    for (uint32_t i = 0; i < p->stride; i++)
        clock[i] = clock[i] < other[i] ? other[i] : clock[i];
}

#endif
