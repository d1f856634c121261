/* The system under test as every search sees it: a global state, which transitions are enabled in it, execute one, undo it,
 * which of two depend on each other, and a fingerprint. A search knows nothing of processes, memory or queues beyond this.
 *
 * A global state is one node number for each process (its history graph says what it does next) and the words of all
 * objects. Executing a transition changes a few words; undo puts them back. The program itself runs only when a history
 * graph lacks the edge that is needed.
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
};

struct system {
    int              processes;
    uint32_t         node[MAX_PROCESSES];       /* where each process stands in its graph */
    const struct node *at[MAX_PROCESSES];       /* the same node; valid until its graph grows */
    const struct node *nodes[MAX_PROCESSES];    /* those of each graph; valid until it grows */
    uint64_t         enabled;                   /* bit p: process p has an enabled transition */
    uint32_t        *words;
    uint64_t         alive;                     /* bit p: p has not ended */
    uint32_t         word_count;
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
    uint64_t         leaving;                   /* bit p: p stands where its step ends all other threads (ends.c) */
};

/* Flags of a node beside those of graph.h. */
enum {
    NODE_ALARM   = 16,      /* something to report as soon as a process stands here: a false assertion, a crash, ... */
    NODE_END     = 32,      /* the process goes no further */
    NODE_ABORT   = 64,      /* VS_abort of a false value: no state with a process here is searched on */
    NODE_PATIENT = 128,     /* an end, or waits for a child: never livelocked */
    NODE_YIELDS  = 256,     /* lets others go first: a sleep, a wait that may time out */
    NODE_VARIES  = 512,     /* in a group: one result has led to different nodes */
    NODE_UNSEEN  = 1024     /* in a group: the process is only thought to come here */
};

/* What the system is made of; all borrowed. The history, empty at first, is filled as the runner runs the program. */
struct system_parts {
    const struct start     *start;
    struct history         *history;
    const struct runner    *runner;
    struct texts           *texts;
    const struct structure *structure;          /* NULL: everything is allowed */
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

/* Executes the next transition of an enabled process; `step` is what system_undo needs. Negative when the machine fails:
 * then the state is as it was. (Defined in step.h, for the searches that live by its speed.)
 * -EAGAIN: only while system_foresee is on, see there. */
int  system_execute(struct system *, int process, uint32_t choice, struct step *, struct err *);
void system_undo(struct system *, const struct step *);                    /* steps are undone in reverse order */
/* Executes once more what was executed before, in a state that is the same for its process: it leads where it led. */
int  system_execute_again(struct system *, const struct step *before, struct step *, struct err *);

/* In a sharing group (elsewhere these do nothing, and all is always right): executing a transition runs the program, unless the
 * search foresees. Then what the process did last time is taken for what it will do, and only system_settle runs the program along
 * the path. `right` is how many steps from the initial state led where they were thought to lead: if not all, step number `right`
 * leads elsewhere. Undo it and what came after, and execute it again. system_execute gives -EAGAIN when it had to run the program
 * and met such a step: the same holds, with system_right.
 * -ENOTRECOVERABLE, from all that runs the program: it had run the first steps of this path before, and now step system_right of
 * them led elsewhere. The path says where it led then, the graph (graph_edge) where now. */
void     system_foresee(struct system *, bool);
int      system_settle(struct system *, uint32_t *right, struct err *);
uint32_t system_right(const struct system *);
/* Believes for now that the path is right. Such paths are gathered in sets, which have numbers: `set` is that of this path. One of
 * `most` is sent off to the program, which runs it while the search goes on: 1 says so. With the next set that is sent off, with
 * system_settle, or with an execute that has to run the program, it is known whether they were right. All of these give
 * -ESTALE when one was wrong: then all that was done since the first path of that set is void. system_wrong_set says which, until
 * system_forget_deferred; 0: none. */
int      system_defer(struct system *, uint32_t most, uint32_t *set, struct err *);
uint32_t system_wrong_set(const struct system *);
bool     system_believes(const struct system *);         /* are there paths that are only believed? */
/* Is the path one that was right, but void? Those come again in the order in which they came: ask once for each. */
bool     system_proven(const struct system *);
void     system_forget_deferred(struct system *);
uint64_t system_ends_with(const struct system *, int process);   /* who is ended by its next transition, beside itself */
void     system_next_child(struct system *, uint32_t number);   /* this number, if it is free, for the next process that is new */
uint32_t system_path_length(const struct system *);      /* steps from the initial state; 0 where there is no group */

/* May it matter, in this state, which of the next transitions of p and q goes first? Both must be enabled and known to the
 * graphs (executed before, here or in a state from which only independent transitions led here). */
bool system_dependent(const struct system *, int p, int q);

/* Does it matter to the next transition of q what this step came to: an end that q awaits, an abort? */
bool system_arrival_matters(const struct system *, const struct step *, int q);

/* Of two executed steps of different processes, first before second: must they stay in this order in every equivalent
 * execution? Stamps are system_stamp's. Unlike system_dependent this does not look at the current state. */
uint32_t system_stamp(const struct system *, int process);                 /* of its next transition, before it is executed */
bool     system_conflict(const struct system *, const struct step *first, uint32_t first_stamp,
                         const struct step *second, uint32_t second_stamp);
/* The same for a transition that is not executed: the next one of `process`, with its stamp of now. */
bool     system_conflict_next(const struct system *, const struct step *first, uint32_t first_stamp, int process);
/* What was seen of the program that the rules of dependence and conflict rest on. When it has changed, what was decided by them before
 * does not hold. */
/* What its next operation would give back with this choice; the program does not run. It can go, and creates no process. */
uint32_t system_preview(struct system *, int process, uint32_t choice);
uint32_t system_expected(const struct system *, int process);   /* RESULT_SIGNAL: a handler runs before its next operation; else UINT32_MAX */
uint64_t system_rules(const struct system *);
/* The processes with whose transitions this step may be in conflict though they are on other objects. */
uint64_t system_reach(const struct system *, const struct step *);
/* Is the operation of that node about processes? If so, may it be in conflict with others of that kind only? (Reach may go beyond: it
 * names processes, not operations.) */
enum about { NOT_ABOUT_PROCESSES, ABOUT_PROCESSES, ONLY_PROCESSES };
enum about system_about_processes(const struct system *, uint32_t process, uint32_t node);
/* Two executed steps, first before second: is it known that the second could never have gone without the first? */
bool     system_enables(const struct system *, const struct step *first, const struct step *second);
bool     system_is_local(const struct system *, const struct node *);      /* do only the words of its object say whether it can go? */
/* Both enabled: could the two next transitions be exchanged wherever they stand side by side, by the rules of conflict? */
bool     system_exchangeable(const struct system *, int p, int q);

/* In a sharing group: the processes whose end could end this one, too; those that may yet come to be. */
uint64_t system_family(const struct system *, int process);
uint64_t system_unborn(const struct system *);

/* Is the state one where nothing more happens, and is that wrong? */
static inline bool system_finished(const struct system *s) { return s->alive == 0; }   /* every process has ended */
bool system_aborted(const struct system *);                                /* a process stands before VS_abort(0) */

void system_fingerprint(struct system *, uint64_t fingerprint[2]);
/* A whole state as words, to be put back later: processes + word_count of them. */
uint32_t system_state_words(const struct system *);
void system_save(const struct system *, uint32_t *state);
void system_load(struct system *, const uint32_t *state);

uint32_t system_local_states(const struct system *, int process);          /* in which the process was seen */
bool     system_was_there(const struct system *, int process);             /* false: it was only foreseen */

/* The object an operation is on, printed within its type: "0" or "0, 1". "" for operations without object. */
void system_object_name(const struct system *, const struct op *, char *out, size_t room);
#endif
