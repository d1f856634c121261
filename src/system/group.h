/* A sharing group within the system: its processes come and go, its objects are found on the way, and to execute a step the program
 * is run along the whole path. processes.c has its processes and what operations do to them, signals.c what signals do, timers.c what timers do, ends.c that
 * its end comes last, numbers.c which number a new process gets, group_path.c its path and the program run along it. Only files of
 * this folder include this.
 *
 * Invariants: `path` is the list of all legs from the initial state to the current one; the program has run the first `run` of them,
 * and they led where they say; the first `stands` of these are the first that it ran when it was last asked. A number is given only to one at a time: who is born was not alive. Births name numbers that were given.
 * Words of objects stay within `group_room`.
 * SPDX-License-Identifier: MIT */
#ifndef GROUP_H
#define GROUP_H

#include "system/dependence.h"
#include "system/hidden.h"
#include "system/step.h"

#include "base/memory.h"
#include "objects/process.h"
#include "objects/types.h"

enum { NODE_NONE, NODE_START, NODE_KILLED };     /* the first nodes of every graph */

enum { OP_WORDS = 7 };               /* of what a process stands before, in the fingerprint of a state (states.c) */

/* How a process comes to be, and the number that it got (numbers.c). Kind NEVER: nobody ever had the number. */
enum { NEVER, A_THREAD, A_UNIX_PROCESS };
struct birth { int parent, kind; uint32_t nth; int number; };

struct datarace;

struct group {
    const struct created *created;               /* those of struct start; grows while the program runs */
    struct leg           *path;
    uint32_t              count, room, run, stands;
    uint64_t            (*memory)[2];            /* NULL, or: what memory comes to after each leg; {0, 0}: nobody has asked */
    uint32_t              memory_room;
    uint64_t              first_memory[2];       /* before the first */
    struct noted         *noted;                 /* NULL, or: noted_count values before the first leg, and after each */
    uint32_t              noted_count, noted_room;       /* room: for so many legs */
    bool                  states;                /* states are told, and can be compared; a node is what a process stands before, no more */
    struct glimpses      *glimpses;              /* NULL, or: where steps led that were tried (glimpse.c) */
    uint32_t              right;                 /* how many legs were right when the program was last run */
    uint32_t              mishaps;               /* legs that had been run, and ended in one when they were run again */
    bool                  varies;                /* some node does (NODE_VARIES) */
    struct datarace      *datarace;              /* NULL, or: who looks for data races; borrowed */
    uint32_t             *sets;                  /* then, where states are told: the set of accesses of each leg (runner.h) */
    uint32_t              sets_room;
    bool                  tells_sets;            /* somebody tells of them */
    int                   next_child;            /* the number for the next new process; -1: the next free one */
    struct birth         *births;
    uint32_t              birth_count, birth_room;
    uint8_t               kinds[MAX_PROCESSES];          /* of each number */
    int                   host[MAX_PROCESSES], parent[MAX_PROCESSES];    /* UNIX process it belongs to; its parent's, -1: none */
    uint64_t              families[MAX_PROCESSES];       /* of each UNIX process: its threads */
    uint32_t              ends[MAX_PROCESSES];   /* what step.h writes when a process ends; nobody looks at it */

    /* what was seen of the program, on which dependence rests */
    bool                  crowded;                       /* numbers were given of whose last owner's end the creator does not know */
    uint64_t              joiners[MAX_PROCESSES];        /* who was seen to join or detach it */
    uint64_t              waiters, robust;               /* who was seen to wait for children, to use a robust mutex */
    bool                  signals;                       /* somebody was seen to handle or to block signals */
    bool                  cancels;                       /* somebody was seen to cancel another */
    uint64_t              leaderless;                    /* UNIX processes whose first thread was seen to end before the others */
    uint64_t              prepared;                      /* UNIX processes with something to be done when the last thread ends */
    uint64_t              leavers;                       /* who was seen to end all other threads of its UNIX process */
    bool                  several;                       /* somebody was seen to make another UNIX process */

    struct tails         *tails;                         /* NULL, or: what is outside is run within transitions (hidden.h) */
    uint32_t              outsider[MAX_PROCESSES];       /* 1: it is a thread that was made to be outside altogether */
    uint64_t              outsiders;                     /* who ever was */
    struct hiding        *hiding;                        /* NULL, or: which processes are outside as a whole; borrowed */
    uint8_t              *awaited;                       /* of each object: somebody under control was left waiting for it outside */
};

static inline void group_carry(struct system *s, uint64_t carried)        /* the last step moved these, beside its own process */
{
    s->carried = carried;
    s->alert = carried || s->invariants;
}

static inline uint32_t *group_table(const struct system *s) { return s->words + s->objects[s->table].state; }

/* ---- processes.c ---- */

struct group *group_new(const struct start *);           /* gives; return it with group_free */
void          group_free(struct group *);                /* NULL is fine */
void          group_begin(struct system *);              /* its first process, before it starts */
void          group_add_first_nodes(struct system *, int process);

/* A step in two halves. First its operation is done: its result is known then, and its leg is on the path. Where that leads
 * somebody else says: the program or, in a layer around the system, a forecast. */
void group_perform(struct system *, const struct node *, struct step *);
void group_arrive(struct system *, uint32_t to);
/* As operate and system_take_back of execute.c. */
enum took group_operate(struct system *, const struct node *, struct step *, uint32_t *next, struct err *);
void group_take_back(struct system *, const struct step *);
/* As system_preview, whose caller takes it back and then says group_look_again. */
uint32_t group_preview(struct system *, const struct node *, uint32_t choice);
void     group_look_again(struct system *);
uint32_t group_choices(const struct system *, const struct node *);      /* in how many ways it can go, also by being cancelled */
bool     group_is_interrupted(const struct system *, const struct op *); /* is it cancelled, or does a handler run first? */
void     group_kill(struct system *, int host);                          /* all threads of a UNIX process are gone */

/* ---- group_path.c ---- */

void group_note_first(struct group *, const struct arrival *);   /* before its first leg */
void group_note(struct group *, const struct arrival *);         /* where its last leg led */
void group_push(struct system *, const struct step *);   /* its leg, of which nobody says yet where it leads */
const struct leg *group_pop(struct system *);            /* gives the one it took off; borrowed until the next push */
/* Has the program run along the whole path, if it has not. `right` of the group says how many legs led where they should; if not
 * all, the graph says now where the first that did not leads, and so does a last leg of which nobody knew. 0; negative when the
 * machine fails; or -ENOTRECOVERABLE, as system_execute. */
int  group_run(struct system *, struct err *);
void group_note_sets(struct system *, uint32_t from, uint32_t to);       /* accesses of legs that the program was run along */
/* Looks for data races on a path that the program was run along: the last, or that of this number among those that were awaited. */
int  group_races(struct system *, const struct leg *path, uint32_t count, uint32_t way, struct err *);
/* The same to execute its last leg: then it leads to where its `to` says. AGAIN: one before it was wrong. */
enum took group_run_last(struct system *, struct err *);

/* The node that a leg leads to, for somebody who stands before what the arrival says. SUPPOSED: the program was not asked. */
enum certainty { SUPPOSED, SEEN };
uint32_t group_node(struct system *, const struct leg *, struct arrival *, enum certainty);
/* Of the node that a leg leads to: the sum of what its process has done by then (fingerprint[0]). The program is asked for the rest. */
uint64_t group_past(const struct system *, const struct leg *);
uint32_t group_learn(struct system *, const struct leg *, struct arrival *);     /* it led there, whatever was thought */
void     group_seen(struct system *, const struct leg *path, uint32_t from, uint32_t to);        /* these legs led where they say */

/* ---- numbers.c ---- */

uint32_t numbers_child_of(struct system *, const struct op *);   /* of the process that this creates; UINT32_MAX: none is free */

/* ---- signals.c ---- */

static inline bool signal_operates(const struct op *op)  /* is it about signals? */
{
    return is_process(op, PROCESS_KILL) || is_process(op, PROCESS_SIGMASK) || is_process(op, PROCESS_SIGACTION)
        || is_process(op, PROCESS_SIGWAIT) || is_process(op, PROCESS_SIGPENDING) || is_process(op, PROCESS_PAUSE);
}
/* Then: */
uint32_t signal_operation_choices(const struct system *, const struct op *);
uint32_t signal_operate(struct system *, const struct node *, uint32_t choice);

int      signal_next(const struct system *, const struct op *);          /* whose handler runs before this operation; 0: none */
static inline bool signal_is_due(const struct system *s, const struct op *op) { return s->group->signals && signal_next(s, op); }
uint32_t signal_choices(const struct system *, const struct node *);     /* then, in how many ways? */
uint32_t signal_deliver(struct system *, const struct node *, uint32_t choice);  /* then, its result */
uint32_t signal_send_choices(const struct system *, const struct op *);  /* of KILL, and of EXPIRE with a signal; likewise the next three */
uint32_t signal_send(struct system *, const struct node *, uint32_t choice);
bool     signal_is_pending(const struct system *, const struct op *);    /* one like it, for a thread that could get it */
bool     signal_is_ignored(const struct system *, const struct op *);
uint32_t signal_expected(const struct system *, const struct op *);      /* what it would give, but for its slot; UINT32_MAX: not known */
uint32_t signal_child_ended(struct system *, int host);                  /* its parent is told: SIGNAL_* of wire.h */
void     signal_born(struct system *, int parent, int child);

/* ---- timers.c ---- */

static inline bool timer_operates(const struct op *op)   /* is it about timers? Then: */
{
    return is_process(op, PROCESS_SETTIME) || is_process(op, PROCESS_GETTIME) || is_process(op, PROCESS_EXPIRE);
}
bool     timer_expires(const struct system *, const struct op *);        /* does it stand before an expiry, and was not deleted? */
bool     timer_is_late(const struct op *, uint32_t result);      /* does it expire only when nobody else can go on? UINT32_MAX: of one that has not yet */
uint32_t timer_expected(const struct system *, const struct op *);       /* what an expiry would give, but for slots; UINT32_MAX: not known */
uint32_t timer_choices(const struct system *, const struct op *);
uint32_t timer_operate(struct system *, const struct node *, uint32_t choice);

/* ---- time.c ---- */

bool time_limits(const struct op *);                                     /* has it a time limit? */
bool time_would_wait(const struct system *, const struct node *);        /* were there no limit, would it have to wait? */
bool time_waits(const struct system *, const struct node *);             /* does it stand in a wait of which it said how long it may last? */
bool time_runs_out(const struct system *, const struct node *);          /* if it goes now, has its time run out? */
void time_passes(struct system *, const struct node *, uint32_t result, bool out);       /* it went, and its time had run out, or not */

#endif
