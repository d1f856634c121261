/* What the files of the optimal reduction share: the path with its clocks, the wakeup trees, the races. optimal.h has the idea,
 * clocks.h, ahead.h, wakeup.h and races.h are its parts; only they and their .c files include this.
 * SPDX-License-Identifier: MIT */
#ifndef OPTIMAL_INTERNAL_H
#define OPTIMAL_INTERNAL_H

#include "search/optimal.h"

enum { NOT_TAKEN = UINT32_MAX };     /* in place of a position on the path: of a step that is not on it */
enum { FEW_WORDS = 20 };             /* objects of so many are remembered as they were before each step */

/* A step: on the path, in a wakeup tree, or the next one of a process. */
struct event {
    uint32_t process, choice, node, stamp, result;
    uint32_t slot;                   /* its object */
    uint32_t at;                     /* where on the path, or NOT_TAKEN */
    uint64_t reach;                  /* processes with whose steps it may be in conflict though they are on other objects */
};

/* A step of a wakeup tree; number 0 is none. */
struct branch {
    struct event event;
    uint32_t     child, next;        /* what comes after it; another one instead of it */
    bool         implied;            /* only another result of the step before it in the list */
};

struct old_branch { uint32_t number; struct branch was; };

/* A state on the path, and the step taken there. */
struct level {
    uint32_t tree;                   /* the branches still to be taken, those of one process side by side */
    uint32_t stamp;
    uint32_t previous;               /* 1 + position of the same process's step before, 0: none */
    uint32_t about;                  /* as `previous`, of those that are about processes (system_about_processes) */
    uint32_t last;                   /* 1 + position of the last step that happens before this one, 0: none */
    uint32_t flags;                  /* of the node, when the clock was made */
    uint32_t first_race;             /* 1 + number of a race whose first step this is */
    uint64_t alive;
    uint64_t done;                   /* results that were tried, when only some need to be */
    bool     picky;                  /* so it is */
    bool     taken;                  /* some branch was */
    bool     from_tree;              /* the current one comes from the tree */
    bool     renews;                 /* its process came to stand where an object is as new */
    bool     spreads;                /* it may change other objects than its own */
    struct event event;              /* the current one */
    uint32_t same;                   /* 1 + position of the step before on the same object, 0: none */
    uint32_t kills;                  /* steps up to this one that end others */
    uint64_t take;                   /* number of the take that brought it here */
};

/* The words of a step's object before it; `take` says of which step. */
struct seen { uint64_t take; uint32_t words[FEW_WORDS]; };

/* What may be the second step of a race: on the path, or left undone there. */
struct second {
    struct event event;
    uint32_t     previous;           /* as in struct level */
    uint32_t     limit;              /* only steps before this position come into question as the first */
    bool         races;              /* it is the second of a race: `reversed` has a clock of it */
};

/* A step that may be the first of a race with a second one: those of one first step are a list, number 0 is none. */
struct pair { uint32_t second, next; bool sure; };       /* sure: they are in conflict */

/* What a process that sleeps in a state would do there. */
struct sleeper { uint32_t node, stamp, expected; };

struct reacher { uint32_t position, next, process; };

/* What was noted of a step, so that it can be taken back: the step before it on its object and of its process, as in struct level. */
struct note { uint32_t slot, process, same, previous, about, reachers; };

struct race {
    struct second second;
    uint32_t      first, next;
    uint32_t      found;             /* when, on its path */
    uint32_t      stamp;             /* of the second step, after it has been moved */
    uint64_t      drops;             /* which of those that stand in its way are left out, too */
};

/* The search as it stood at the end of a path. */
struct saved {
    struct counts  counts;
    uint32_t       depth, pool_count, unused;
    uint32_t       known;            /* of struct optimal */
    uint32_t       undo;             /* how much of `undo` was there */
    uint32_t       room;
    struct step   *steps;
    struct frame  *frames;
    struct level  *levels;
};

struct optimal {
    struct search *search;
    struct system *system;
    uint32_t       bound, room, stride, top;     /* top: the deepest level in use */
    struct level  *levels;
    uint8_t       *who;              /* the process of each step, once it has a clock */
    uint32_t      *clocks;           /* `stride` numbers for each step of the path, as in source.c */
    struct seen   *seen;             /* for each step of the path */
    uint64_t       takes;
    uint32_t      *latest;           /* for each object: 1 + position of the last step on it, 0: none */
    uint32_t       last[MAX_PROCESSES];          /* 1 + position of the last step of each process */
    uint32_t       last_about[MAX_PROCESSES];    /* the same of those that are about processes */
    struct note   *notes;            /* for each step that is in these three and in `reached` */
    uint32_t       noted;            /* so many */
    int            noted_for;        /* when the system had so many processes */
    uint32_t       leads;            /* `leads` of the system when it was last looked at */
    struct reacher *reachers;        /* the steps with a reach: for each process whom they reach, a list; number 0 is none */
    uint32_t       reacher_count, reacher_room, reached[MAX_PROCESSES];
    uint32_t      *near;
    struct sleeper *sleepers;        /* `stride` for each state of the path */
    uint64_t      *sleepers_known;   /* which of them are filled in */
    uint32_t       known;            /* steps of the path with clocks and races */
    struct branch *pool;
    uint32_t       pool_count, pool_room, unused;
    struct old_branch *undo;         /* in a sharing group: what branches were, since the older of the two saved moments */
    uint32_t       undo_count, undo_room;

    /* of a sharing group, several paths are believed before the program is asked */
    struct saved   saved[2];         /* at the end of the first of each set of them, which are sent off in turn */
    uint32_t       set;
    uint32_t       most;             /* how many may be in a set */
    bool           again;            /* the path at hand has to be ended again */
    uint64_t       ends;             /* paths so far */

    /* while a path is looked at */
    uint32_t       standing;         /* how many of its steps are executed just now */
    struct second *seconds;
    uint32_t       second_count, second_room;
    uint32_t       taken_count;      /* so many of them are on the path, the first one at `known` */
    struct pair   *pairs;
    uint32_t       pair_count, pair_room, *first_pair, *last_pair;
    uint32_t       lowest_pair;      /* the first of the steps that have one; UINT32_MAX: none */
    uint32_t       settled[MAX_PROCESSES];       /* of each process: all new steps come after its steps before this position */
    uint32_t       lowest_free;      /* the first step of which a new one does not; UINT32_MAX: there is none */
    uint32_t      *reversed;         /* a clock for each second */
    size_t         reversed_room;
    struct race   *races;
    uint32_t       race_count, race_room;
    uint32_t      *free_of, free_count, free_first;      /* the steps after the first one that do not depend on it */
    bool           free_spreads;     /* one of them has changed other objects than its own */
    const struct event **sequence;
    struct event   moved;            /* the second step, at the end of it */
    uint32_t      *in_way;           /* those of them that are in conflict with the second */
    uint32_t       in_way_count, *trying;
    struct step   *tried;
    struct change *changes;          /* the log of tries */
    uint32_t       second_clock[MAX_PROCESSES], next_of[MAX_PROCESSES], zero[MAX_PROCESSES];
};

/* Of two events that may be in conflict: are they, in this order? Asks the system. (In clocks.c.) */
bool clocks_conflict(const struct optimal *, const struct event *, const struct event *);

/* Unless one of the two is about processes, or they are on one object, they are in no conflict. */
static inline bool may_conflict(const struct optimal *o, const struct event *a, const struct event *b)
{
    return (a->slot == b->slot && a->slot != o->system->nothing) || a->reach >> b->process & 1 || b->reach >> a->process & 1;
}

static inline bool conflict(const struct optimal *o, const struct event *a, const struct event *b)
{
    return may_conflict(o, a, b) && clocks_conflict(o, a, b);
}

/* In whatever order. */
static inline bool in_conflict(const struct optimal *o, const struct event *a, const struct event *b)
{
    return may_conflict(o, a, b) && (clocks_conflict(o, a, b) || clocks_conflict(o, b, a));
}

static inline uint32_t *clock_of(const struct optimal *o, uint32_t at) { return o->clocks + (size_t)at * o->stride; }

static inline const struct event *on_path(const struct optimal *o, uint32_t at) { return &o->levels[at].event; }

static inline const uint32_t *clock_before(const struct optimal *o, uint32_t previous)
{
    return previous ? clock_of(o, previous - 1) : o->zero;
}

static inline bool before(const struct optimal *o, uint32_t first, const uint32_t *clock)
{
    return clock[o->who[first]] > first;
}

static inline void join(const struct optimal *o, uint32_t *clock, const uint32_t *other)
{
    for (uint32_t p = 0; p < o->stride; p++)
        clock[p] = clock[p] < other[p] ? other[p] : clock[p];
}

/* Does it not depend on the first step that is looked at? */
static inline bool is_free(const struct optimal *o, uint32_t at) { return !before(o, o->free_first, clock_of(o, at)); }

#endif
