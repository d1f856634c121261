/* What the files of a sharing group have in common: group.c has its processes and what operations do to them, signals.c what
 * signals do, forecast.c what is foreseen of it and what the program says to that, rules.c who depends on whom, ends.c that its end
 * comes last, numbers.c which number a new process gets. Only these include it.
 * SPDX-License-Identifier: MIT */
#ifndef GROUP_INTERNAL_H
#define GROUP_INTERNAL_H

#include "system/group.h"
#include "system/guess.h"
#include "system/step.h"

#include "base/memory.h"
#include "objects/process.h"
#include "objects/types.h"

enum { NODE_NONE, NODE_START, NODE_KILLED };     /* the first nodes of every graph */
enum { CANCELLABLE = 1 };                        /* in arg[2] */
enum { MOST_DEFERRED = 48 };                     /* paths of a set */

/* How a process comes to be, and the number that it got (numbers.c). Kind NEVER: nobody ever had the number. */
enum { NEVER, A_THREAD, A_UNIX_PROCESS };
struct birth { int parent, kind; uint32_t nth; int number; };

struct set {
    uint32_t         number;
    struct leg *steps;                      /* of all its paths, one after the other */
    uint32_t         room, used;
    struct way       ways[MOST_DEFERRED];        /* `path` is filled when they are sent off */
    uint32_t         count;
};

struct group {
    const struct created *created;
    struct leg      *path;
    uint32_t              count, room, settled, right;
    struct set            sets[2];               /* paths that are believed for now: one set is gathered, the other may be sent off */
    uint32_t              gathered;              /* which */
    uint32_t              numbered;              /* sets so far */
    bool                  sent;
    uint32_t              wrong;                 /* number of the set in which one was wrong; 0: none was */
    uint64_t              proven[MOST_DEFERRED]; /* those before it: they will come again */
    uint32_t              proven_count, proven_at;
    struct guess         *guess;
    uint32_t              expect_result, expect; /* where the next step leads, if it gives this; NO_NODE: nobody knows */
    uint32_t              mistakes;              /* since something was right */
    bool                  foresee;
    bool                  varies;                /* some node does (NODE_VARIES) */
    int                   next_child;            /* the number for the next new process; -1: the next free one */
    struct birth         *births;
    uint32_t              birth_count, birth_room;
    uint8_t               kinds[MAX_PROCESSES];          /* of each number */
    bool                  crowded;                       /* numbers were given of whose last owner's end the creator does not know */
    int                   host[MAX_PROCESSES], parent[MAX_PROCESSES];    /* UNIX process it belongs to; its parent's, -1: none */
    uint64_t              joiners[MAX_PROCESSES];        /* who was seen to join or detach it */
    uint64_t              waiters, robust;               /* who was seen to wait for children, to use a robust mutex */
    uint64_t              families[MAX_PROCESSES];       /* of each UNIX process: its threads */
    bool                  signals;                       /* somebody was seen to handle or to block signals */
    bool                  cancels;                       /* somebody was seen to cancel another */
    uint64_t              leaderless;                    /* UNIX processes whose first thread was seen to end before the others */
    uint64_t              prepared;                      /* UNIX processes with something to be done when the last thread ends */
    uint64_t              leavers;                       /* who was seen to end all other threads of its UNIX process */
    bool                  several;                       /* somebody was seen to make another UNIX process */
    uint32_t              ends[MAX_PROCESSES];   /* what step.h writes when a process ends; nobody looks at it */
};

static inline bool is_process(const struct op *op, uint8_t code) { return op->type == TYPE_PROCESS && op->code == code; }

/* The path: a step more, a step less. Here because all executing and taking back goes through them. */
static inline void forecast_push(struct group *g, const struct step *step, uint32_t to)
{
    if (__builtin_expect(g->count == g->room, 0))
        ARRAY_GROW(g->path, g->count, g->room);
    g->path[g->count++] = (struct leg){ .process = step->process, .from = step->node, .result = step->result,
                                             .to = to, .host = g->host[step->process] };
}

static inline void forecast_pop(struct group *g)
{
    g->count--;
    if (g->settled > g->count)
        g->settled = g->count;
}

void     group_add_first_nodes(struct system *, int process);
/* The number of the process that this operation creates; UINT32_MAX: none is free. */
uint32_t numbers_child_of(struct system *, const struct op *);

/* group.c: all threads of a UNIX process are gone. */
void group_kill(struct system *, int host);

/* signals.c */
bool     signal_is_due(const struct system *, const struct op *);        /* before this operation a handler runs */
uint32_t signal_choices(const struct system *, const struct node *);     /* then, in how many ways? */
uint32_t signal_deliver(struct system *, const struct node *, uint32_t choice);  /* then, its result */
bool     signal_operates(const struct op *);                             /* is it about signals? Then: */
uint32_t signal_operation_choices(const struct system *, const struct op *);
uint32_t signal_operate(struct system *, const struct node *, uint32_t choice);
uint32_t signal_child_ended(struct system *, int host);                  /* its parent is told: SIGNAL_* of wire.h */
void     signal_born(struct system *, int parent, int child);

/* forecast.c */
uint32_t forecast_to(struct system *, const struct step *);      /* where the step should lead; NO_NODE: nobody knows */
/* Runs the program to the end of the path. What the last step leads to is then known; -EAGAIN: a step before it was wrong. */
int      forecast_run(struct system *, struct err *);

#endif
