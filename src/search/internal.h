/* What the strategies share: the counts, the stack of the current path, and what is looked at in every state.
 * Only files of this folder include it.
 *
 * Invariants: the path is what the system has executed since the search began, so there is a step to be taken back wherever one is; there
 * is room for one more step. Of an enabled process there is at least one result to choose. Only a group's program can lead elsewhere than
 * it did (AGAIN), and only for a search with foresight is anything void. The search looks up again in finite time.
 * SPDX-License-Identifier: MIT */
#ifndef SEARCH_INTERNAL_H
#define SEARCH_INTERNAL_H

#include "search/search.h"
#include "system/dependence.h"
#include "system/step.h"

struct abroad;
struct foresight;
struct mission;
struct visited;

#define NO_PROCESS UINT32_MAX

/* A state on the current path and how far it is explored. */
struct frame {
    uint64_t todo;                   /* processes still to be tried here */
    uint64_t tried;                  /* processes tried, or being tried */
    uint64_t sleep;                  /* processes whose next transition need not be tried: it was, in a state before */
    uint64_t number;                 /* of the state, for the state-space file */
    union {
        uint64_t peeked;             /* processes whose next state is known already, by fingerprint (stateful.c) */
        uint64_t before;             /* executions before this state was entered (share.h) */
    };
    uint32_t process;                /* whose transition is being explored; NO_PROCESS: none yet */
    uint32_t choice, choices;        /* which of its results, of how many; only when there are more than one */
    uint32_t stride, offset;         /* the order in which results are tried: choice * stride + offset, modulo choices */
    uint32_t first;                  /* executions below its first branch, when that is done (share.h) */
};
_Static_assert(sizeof(struct frame) == 64, "a cache line");

struct search {
    struct system                *system;
    const struct search_settings *settings;
    const struct watcher         *watcher;
    struct counts                 counts;
    enum stopped_by               stopped;       /* STOPPED_NOTHING while it goes on */
    bool                          first_only;    /* the end of the first path is where to give up this try */
    bool                          spent;         /* the budget is used up, or so it is */
    int                           failure;       /* negative: the machine failed, err says how */
    bool                          over;          /* one of the three is so */
    bool                          full;          /* with foresight: there are stop_at_state states, if none of them is void (search_stop_if_full) */
    bool                          watched;       /* somebody wants to see every state */
    bool                          transitions;   /* there are invariants of transitions */
    struct err                   *err;
    uint64_t                      attention;     /* number of states at which to look up from the work */
    uint64_t                      held;          /* memory when the search began */
    uint64_t                      began;         /* milliseconds on some clock, where there is a limit of time */
    uint64_t                      budget;        /* number of states at which to give up this try; 0: none */
    uint32_t                      livelock_from; /* the least depth at which there can be a livelock; UINT32_MAX: not looked for */
    uint64_t                      random;        /* state of the random numbers */

    /* NULL, or: who is given a livelock instead of the watcher. */
    void (*hold)(struct search *, int process);
    void  *hold_arg;

    bool (*pending)(const void *pending_of, uint32_t depth);     /* NULL: frames tell, or: is anything still to be tried in a state of the path? */
    const void *pending_of;
    struct left { uint64_t first, all; } left[MAX_PROCESSES + 1];        /* executions below states that were left, by how many could go (share.h) */

    struct { double sum, squares; uint64_t walks; } drawn;       /* of SEARCH_RANDOM: what each walk that ended counts for (share.h) */

    bool          ends;              /* of a group, where max_depth is not given: the first path ends by itself */
    uint32_t      alone;             /* so many steps of it are taken before there is a second process */

    struct abroad    *abroad;        /* NULL, or: others search parts of it (abroad.h) */
    struct mission   *mission;       /* NULL, or: it searches parts for another (mission.h) */
    struct foresight *foresight;     /* NULL, or: of a search that walks ahead of the program (belief.h) */
    struct frame *frames;            /* frames[d] is the state before steps[d] */
    struct step  *steps;
    uint32_t      depth, room;
    uint32_t      prefix;            /* steps of a group before the search began */
};

static inline bool search_over(const struct search *s) { return s->over; }

void search_init(struct search *, struct system *, const struct search_settings *, const struct watcher *, struct err *);
void search_fini(struct search *);               /* also brings the system back to where the search began */
void search_restart(struct search *);            /* counts and path as at the beginning; the system is back there */
void search_set_budget(struct search *, uint64_t states);        /* a new try: gives up when so many are counted; 0: never */
void search_add_counts(struct counts *, const struct counts *more);       /* of a part that was searched elsewhere */
void search_count_cut(struct search *);          /* a path that the depth bound ends */
void search_make_room(struct search *);          /* for one more step */
void search_look_up(struct search *);            /* interrupts, bounds, progress */
uint64_t search_random(struct search *);
enum took search_stop_if_full(struct search *);  /* the program is asked whether there are so many */

/* Counts the state that was just entered and reports what is wrong in it. `moved` came here with the last step; NO_PROCESS:
 * the first state. */
enum took search_check_state(struct search *, uint32_t moved);
void search_check_transition(struct search *);            /* the last step of the path, where `transitions` says so */
enum took search_check_livelock(struct search *);         /* at depths of livelock_from and more */
enum took search_tell(struct search *, enum error_kind, int process);    /* an error in the current state; -1: of all */
/* For the state-space file, when `watched`: the state just entered and counted; the step just taken, before its state is. */
void search_show_state(struct search *);
void search_show_transition(struct search *);

/* What a step, or asking the program, came to, and what follows: after AGAIN the search is unwound to the state from which a step
 * leads elsewhere than was thought, and the caller has to take the transition of frames[depth] again; when the machine failed, or the
 * program is nondeterministic, the search is over. Gives it back. */
enum took search_took(struct search *, enum took);

/* A step on the way to a state that others come from led elsewhere when it was run again: then nothing is sure, and all ends. */
void search_differs(struct search *);

/* Is the path what the program does? Only a search with foresight need ask. */
enum took search_settle(struct search *);

/* Is there somebody who has to see every step or state: a watcher, invariants, who divides the search; or does a step move others, too, as in
 * a group? A constant in each loop of dfs.c, for where nobody looks a twentieth of the instructions would go into asking. */
enum looked { NOT_LOOKED_AT, LOOKED_AT };
bool search_looked_at(const struct search *);

/* TAKEN; other than that only for a search with foresight, when the program had to be asked. */
STEP_INLINE enum took search_enter_so(struct search *s, struct system *system, uint32_t moved, enum looked looked)
{
    enum took took = STEP_TAKEN;
    uint64_t enabled = system->enabled, alive = system->alive;
    if (__builtin_expect(++s->counts.states >= s->attention, 0))
        search_look_up(s);
    if (__builtin_expect(moved == NO_PROCESS || (looked && system->alert) || system_pending(system, (int)moved)->flags & NODE_ALARM, 0))
        took = search_check_state(s, moved);
    else if (!enabled && alive)
        took = search_check_state(s, moved);
    if (s->depth >= s->livelock_from && alive & ~enabled && took == STEP_TAKEN)
        took = search_check_livelock(s);
    return took;
}

STEP_INLINE enum took search_enter(struct search *s, struct system *system, uint32_t moved)
{
    return search_enter_so(s, system, moved, LOOKED_AT);
}

/* The deepest states are those where a path ends: no need to look at others. */
static inline void search_note_depth(struct search *s)
{
    if (s->depth > s->counts.max_depth)
        s->counts.max_depth = s->depth;
}

void search_show_execution(struct search *);     /* when somebody wants to see them: the path that ends here, which is counted */

static inline void search_end_path(struct search *s)
{
    search_note_depth(s);
    if (__builtin_expect(s->watcher->execution != NULL, 0))
        search_show_execution(s);
    if (__builtin_expect(s->first_only, 0))
        s->spent = s->over = true;
}

/* True: frames and steps may have moved. */
STEP_INLINE bool search_room(struct search *s)
{
    if (__builtin_expect(s->depth + 1 < s->room, 1))
        return false;
    search_make_room(s);
    return true;
}

/* Executes, and puts the step on the path, where there must be room. AGAIN: see search_took. */
STEP_INLINE enum took search_step_so(struct search *s, struct system *system, uint32_t process, uint32_t choice, enum looked looked)
{
    enum took took = step_execute(system, (int)process, choice, &s->steps[s->depth], s->err);
    if (__builtin_expect(took != STEP_TAKEN, 0))
        return search_took(s, took);
    s->depth++;
    s->counts.transitions++;
    if (looked && __builtin_expect(s->transitions, 0))
        search_check_transition(s);
    return STEP_TAKEN;
}

STEP_INLINE enum took search_step(struct search *s, struct system *system, uint32_t process, uint32_t choice)
{
    return search_step_so(s, system, process, choice, LOOKED_AT);
}

STEP_INLINE void search_back(struct search *s, struct system *system)
{
    STEP_ASSERT(s->depth);
    s->depth--;
    step_undo(system, &s->steps[s->depth]);
}

/* Of a search that keeps states: the next result, or process, to be tried in this state; who was tried sleeps. False: there is none. */
static inline bool search_next_transition(struct search *s, struct frame *f)
{
    if (f->choice + 1 < f->choices) {
        f->choice++;
        return true;
    }
    f->sleep |= f->process == NO_PROCESS ? 0 : BIT(f->process);
    if (!f->todo)
        return false;
    f->process = (uint32_t)__builtin_ctzll(f->todo);
    f->todo &= f->todo - 1;
    f->choice = 0;
    f->choices = system_choices(s->system, (int)f->process);
    return true;
}

/* A reduction, as a depth-first search sees it: what of a state is tried at first, and what is done on the way. Each is a
 * `const struct reducer NAME_reducer` in a header of its own, named as in REDUCTIONS; dfs.c makes a loop of each. A function that is NULL
 * is not called; `self` is what `begin` gave. */
enum sleep_when { SLEEP_NOBODY, SLEEP_CONDITIONAL, SLEEP_ALWAYS };       /* what may sleep: sleep.h */
struct reducer {
    enum sleep_when sleep;
    bool            enters_all;      /* all states: so a depth bound hides nothing within it, for two orders of the same transitions are equally long */
    uint64_t (*first)(const struct system *, uint64_t awake);    /* which of those that are awake to try; NULL: all */
    void    *(*begin)(struct search *);
    bool     (*end)(void *self, const struct system *);  /* false: what it has done rests on what turned out to be wrong */
    void     (*before)(void *self, int process);         /* it is about to go */
    void     (*after)(void *self);                       /* the last step on the path was just executed */
    void     (*path_end)(void *self);                    /* the path ends in the current state */
    void     (*run)(struct search *, uint32_t bound);    /* NULL, or: it has a loop of its own, and this is all of it */
};
extern const struct reducer *const search_reducers[];    /* by enum reduction */

/* The strategies. `bound`: depth, 0 for none. */
/* False: what the reduction rests on turned out to be wrong on the way, and all is to be done again. */
bool dfs_run(struct search *, enum reduction, uint32_t bound);
void auto_run(struct search *, struct search_result *);
void iterative_run(struct search *, struct search_result *);
uint32_t iterative_next(const struct search *, uint32_t layer, uint32_t most);           /* the layer after this one */
/* One depth-first search; again from the start when it turns out on the way that persistent sets were too small. */
void iterative_layer(struct search *, enum reduction, uint32_t bound);
void iterative_shallow_first(struct search *, struct search_result *);   /* see search_settings */
/* Does the first path come to its end by itself, within FIRST_PATH steps? Then `length` is how long it is, else 0. `alone` of them are
 * taken before anybody else is there. */
enum { FIRST_PATH = 50000 };
void iterative_first_path(struct search *, enum reduction, uint32_t *length, uint32_t *alone);
void iterative_judge(struct search *, struct search_result *);   /* what the last layer means */
void stateful_run(struct search *);
void estimate_run(struct search *, struct search_result *);     /* where there is a limit of states, memory or time */
void cached_run(struct search *, struct search_result *);
void random_run(struct search *, uint32_t bound);

struct bfs;
struct bfs *bfs_new(struct search *);                            /* gives; return it with bfs_free */
void        bfs_free(struct bfs *);
void        bfs_run(struct bfs *, uint32_t bound);               /* goes on where it stopped, to states at depth `bound` */
bool        bfs_open(const struct bfs *);                        /* is there anything beyond? */
uint32_t    bfs_depth(const struct bfs *);                       /* all states up to this depth are known */
struct visited *bfs_visited(struct bfs *);                       /* all states that it has found */
/* The states that were found and not expanded: how many; the search stands at one of them, with the path to it; back to the first state.
 * Between two of these the search must come back to where it was. */
uint32_t    bfs_waiting(const struct bfs *);
void        bfs_go_to_waiting(struct bfs *, uint32_t which);
void        bfs_go_home(struct bfs *);
uint64_t    bfs_bytes(const struct bfs *);                       /* about as much memory as it takes */

#endif
