/* The system under test as every search sees it: a global state, which transitions are enabled in it, execute one, undo it,
 * which of two depend on each other, and a fingerprint. A search knows nothing of processes, memory or queues beyond this.
 *
 * A global state is one node number for each process (its history graph says what it does next) and the words of all
 * objects. Executing a transition changes a few words; undo puts them back. The program itself runs only when a history
 * graph lacks the edge that is needed.
 *
 * Invariants: who goes is enabled; steps are undone in reverse order, so the log ends where it ended before the step; the words of an
 * object do not move while something is in the log; in each state its type's `check` holds of them, and the guard of an operation says
 * what the type would. There is at least one process.
 * SPDX-License-Identifier: MIT */
#ifndef SYSTEM_H
#define SYSTEM_H

#include "base/err.h"
#include "base/texts.h"
#include "history/runner.h"
#include "history/start.h"
#include "system/structure.h"

#include <stdbool.h>
#include <stdint.h>

struct invariants;

struct object {
    const struct object_type *type;
    uint32_t                  state, words;     /* where its words stand among all */
    const struct created     *created;          /* NULL for the table of processes */
    uint32_t                  may;              /* where `may` of the system has its operations */
    bool                      declared;         /* something is declared of it */
};

/* A transition that was executed: enough to undo it, to execute it again and to print it. */
struct step {
    uint32_t       process, choice;
    uint64_t       enabled;                     /* of the system, before */
    uint32_t       node, result;                /* where the process stood, and what its operation gave back */
    uint32_t       next;                        /* where it stood then */
    uint32_t       log;                         /* 1 + how long the log was, before; 0: it is plain (struct guard), nothing is there */
    uint32_t       tail;                        /* in a group: what was done outside after it, by number (hidden.h); 0: nothing */
};

struct system {
    int              processes;
    uint32_t         node[MAX_PROCESSES];       /* where each process stands in its graph */
    const struct node *at[MAX_PROCESSES];       /* the same node; valid until its graph grows */
    const struct node *nodes[MAX_PROCESSES];    /* those of each graph; valid until it grows */
    uint64_t         enabled;                   /* bit p: process p has an enabled transition */
    uint32_t        *words;
    uint64_t         alive;                     /* bit p: p has not ended */
    uint32_t         word_count, group_room;    /* room: of a group, for all objects that can come */
    struct log       log;
    struct change   *log_start, *log_end;
    struct object   *objects;
    uint32_t         object_count;
    uint32_t        *ends;                      /* the word of process 0 in the table of processes; then those of the others */
    uint64_t        *users;                     /* for each object: who was ever seen before an operation on it; then a 0 */
    int8_t          *pairs;                     /* the two users xor each other, 0: fewer than two, negative: more */
    struct graph    *graphs;                    /* of the history; borrowed */
    const struct runner *runner;                /* borrowed */
    struct texts    *texts;                     /* borrowed */
    const struct structure *structure;          /* borrowed; NULL: everything is allowed */
    const struct invariants *invariants;        /* borrowed; NULL: none. Only who checks states looks into them */
    uint64_t         aborters;                  /* processes that have been seen before a VS_abort(0) */
    uint32_t         leads;                     /* how often a node was seen to lead to an end or an abort, and was not before */
    bool             polls;                     /* a parent has been seen before a wait that does not block */
    uint64_t        *may;                       /* for each operation of each object: the processes that may do it (structure.h) */
    uint32_t         learned;                   /* how often a process was added there */
    struct structure seen;                      /* in a group: who was seen to do what is not declared (declared.h) */
    bool             kills;                     /* in a group: somebody was seen to end or cancel another */
    uint32_t        *scratch;                   /* for fingerprints */
    uint32_t         table, nothing;            /* places in `objects` and `users`: the table of processes; operations on none */
    struct group    *group;                     /* NULL, or: it is a sharing group (group.h) */
    uint64_t         timers;                    /* bit p: p was seen before the expiry of a timer, which may depend on any step (timers.c) */
    bool             timed;                     /* timers and waits with time limits go by one clock (time.c) */
    bool             hides;                     /* somebody was seen before an operation that is outside (hidden.h) */
    uint64_t         carried;                   /* whom the last step moved, beside its own process */
    bool             alert;                     /* the state is to be looked at, whoever moved: there are invariants, or somebody was carried */
    uint64_t         leaving;                   /* bit p: p stands where its step ends all other threads (ends.c) */
    uint32_t         stamp;                     /* in a group: of the last step that was executed (dependence_stamp) */
};

/* Flags of a node beside those of graph.h. */
enum {
    NODE_ALARM   = 16,      /* something to report as soon as a process stands here: a false assertion, a crash, ... */
    NODE_END     = 32,      /* the process goes no further */
    NODE_ABORT   = 64,      /* VS_abort of a false value: no state with a process here is searched on */
    NODE_PATIENT = 128,     /* an end, or waits for a child: never livelocked */
    NODE_YIELDS  = 256,     /* lets others go first: a sleep, a wait that may time out */
    NODE_VARIES  = 512,     /* in a group: one result has led to different nodes */
    NODE_UNSEEN  = 1024,    /* in a group: the process is only thought to come here */
    NODE_OUTSIDE = 4096,    /* in a group: it is run within transitions of others (hidden.h) */
    NODE_ALONE   = 2048     /* it keeps state in the kernel, so it is like no other */
};

/* What the system is made of; all borrowed. The history, empty at first, is filled as the runner runs the program. */
struct system_parts {
    const struct start     *start;
    struct history         *history;
    const struct runner    *runner;
    struct texts           *texts;
    const struct structure *structure;          /* NULL: everything is allowed */
    const struct invariants *invariants;        /* NULL: none */
    bool                    states;             /* of a group: the runner tells what memory comes to, and states are compared */
    struct hiding          *hiding;             /* which processes are outside as a whole; NULL: none */
    bool                    hides;              /* of a group: what is outside is run within transitions; else it is told, and goes like all else */
};

/* The system at its initial global state. Give it back with system_free. NULL with err when an object cannot be created as asked. */
struct system *system_new(const struct system_parts *, struct err *);
void           system_free(struct system *);                               /* NULL is fine */

static inline const struct node *system_pending(const struct system *s, int process)    /* what it stands before */
{
    return s->at[process];
}

static inline const char *system_object_text(void *texts, uint32_t number) { return texts_string(texts, number); }

uint32_t system_ask_choices(const struct system *, const struct node *);               /* asks the type of its operation */
static inline uint32_t system_choices(const struct system *s, int process)             /* of an enabled process */
{
    const struct node *n = system_pending(s, process);
    return n->choices ? n->choices : system_ask_choices(s, n);
}

/* What becomes of a step that is to be taken. */
enum took {
    STEP_TAKEN,
    STEP_AGAIN,              /* in a group: the program was run along the path, and step system_right of it leads elsewhere than it did when
                                it was taken. Undo that step and all after it, and take it again */
    STEP_VOID,               /* only with foresight.h */
    STEP_FAILED              /* the machine fails; err says why, and its code is a negative errno */
};

/* Executes the next transition of an enabled process; `step` is what system_undo needs. Unless it is taken, the state is as it was.
 * (Defined in step.h, for the searches that live by its speed.)
 * FAILED with -ENOTRECOVERABLE: a group had run the first steps of this path before, and now step system_right of them led elsewhere.
 * The path says where it led then, the graph (graph_edge) where now. */
enum took system_execute(struct system *, int process, uint32_t choice, struct step *, struct err *);
void      system_undo(struct system *, const struct step *);               /* steps are undone in reverse order */
/* Executes once more what was executed before, in a state that is the same for its process: it leads where it led, and the program
 * does not run. False: it would give another result here; nothing was done. */
bool      system_execute_again(struct system *, const struct step *before, struct step *);

/* Of a group, the same of a step of which is known that it leads to the node `next`, and what was done outside after it. */
void      system_follow(struct system *, int process, uint32_t choice, uint32_t next, uint32_t tail, struct step *);

/* Of a sharing group. Elsewhere nobody shares memory, and nobody comes later. */
static inline bool system_shares(const struct system *s) { return s->group != NULL; }
uint64_t system_ends_with(const struct system *, int process);   /* who is ended by its next transition, beside itself */
void     system_next_child(struct system *, uint32_t number);    /* this number, if it is free, for the next process that is new */
uint32_t system_path_length(const struct system *);              /* legs from the initial state; 0 where there is no group */
uint32_t system_right(const struct system *);                    /* see STEP_AGAIN */
uint64_t system_family(const struct system *, int process);      /* the processes whose end could end this one, too */
uint64_t system_unborn(const struct system *);                   /* those that may yet come to be */
/* What its variables held after so many steps of the path; NULL: nobody asked for that. Known where the program ran to that step last. */
const struct noted *system_noted(const struct system *, uint32_t steps);
bool     system_was_there(const struct system *, int process);   /* false: it was only foreseen */

/* What its next operation would give back with this choice; the program does not run. It can go, and creates no process (unless states are
 * compared). */
uint32_t system_preview(struct system *, int process, uint32_t choice);

/* Is the state one where nothing more happens, and is that wrong? */
static inline bool system_finished(const struct system *s) { return s->alive == 0; }   /* every process has ended */
bool system_aborted(const struct system *);                                /* a process stands before VS_abort(0) */

/* Of a group: only with `states`, and where the program was run last. The same in every run of the program. */
void system_fingerprint(struct system *, uint64_t fingerprint[2]);
/* The same in every run of the program, also of processes with memory of their own, if two of its starts can be compared
 * (native_comparable). Dearer. Not for objects of types that a user wrote: false. */
bool system_lasting_fingerprint(struct system *, uint64_t fingerprint[2]);
/* A whole state as words, to be put back later: processes + word_count of them. */
uint32_t system_state_words(const struct system *);
void system_save(const struct system *, uint32_t *state);
void system_load(struct system *, const uint32_t *state);

uint32_t system_local_states(const struct system *, int process);          /* in which the process was seen */

/* Is everything as this header and those below it say? Asserts it. For tests, after every step. */
void system_check(const struct system *);

/* The object an operation is on, printed within its type: "0" or "0, 1". "" for operations without object. In a group, the same in every
 * run: the variable that it is, or its address. */
void system_object_name(const struct system *, const struct op *, char *out, size_t room);
#endif
