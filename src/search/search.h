/* Searching the states of a system: which strategy, with which reduction, and what came of it.
 *
 * Invariant: whatever ends the search, the system is back at the state where the search began, and the counts say what
 * was really done. Everything found is told at once through `found`. A strategy and a reduction that do not go together never meet.
 * SPDX-License-Identifier: MIT */
#ifndef SEARCH_H
#define SEARCH_H

#include "base/err.h"
#include "system/system.h"

#define STRATEGIES(X) \
    X(AUTO,      auto,      "layers of iterative and of bfs in turn, until one of them has seen everything") \
    X(ITERATIVE, iterative, "depth first in layers of depth_incr: 5, 10, 15, ... up to max_depth") \
    X(DFS,       dfs,       "depth first, at once to max_depth") \
    X(RANDOM,    random,    "random walks, reproducible by random_seed") \
    X(STATEFUL,  stateful,  "depth first, entering each global state once; ends on programs that run for ever") \
    X(BFS,       bfs,       "breadth first, entering each global state once: the first error is a shortest one") \
    X(ESTIMATE,  estimate,  "within a limit of states, memory or time: breadth first, then at random, then on without keeping states, to say about how " \
                            "much of the state space was seen")
#define REDUCTIONS(X) \
    X(NONE,       none,       "every interleaving") \
    X(SLEEP,      sleep,      "sleep sets: no two orders of independent transitions; every state is entered") \
    X(PERSISTENT, persistent, "persistent sets from the declared structural properties, with sleep sets") \
    X(SOURCE,     source,     "source sets found while searching, with sleep sets; needs no declarations") \
    X(OPTIMAL,    optimal,    "one execution for each way in which dependent transitions can be ordered, and none in vain")
#define CACHE_POLICIES(X) \
    X(COST,       cost,         "what it would cost to search it again, as it was measured, times the chance that this is needed, by age") \
    X(SUM,        sum,          "the sum of the costs of its successors, plus one, as in the thesis that proposed it") \
    X(RANDOM,     random,       "any") \
    X(AGE,        age,          "the one that was entered first") \
    X(HITS,       hits,         "the one that was come to least often") \
    X(HITS_MOST,  hits-most,    "the one that was come to most often") \
    X(STRATIFIED, stratified,   "those of every fourth level of depth, then those of the next") \
    X(DEPTH,      depth,        "the deepest")
#define STOPS(X) \
    X(NOTHING, null) X(MAX_DEPTH, max_depth) X(STOP_AT_ERROR, stop_at_error) X(STOP_AT_STATE, stop_at_state) \
    X(TIME_LIMIT, time_limit) X(MEMORY_LIMIT, memory_limit) X(INTERRUPT, interrupt) X(DIVERGENCE, divergence)

#define X(upper, ...) SEARCH_##upper,
enum strategy { STRATEGIES(X) STRATEGY_COUNT };
#undef X
#define X(upper, ...) REDUCTION_##upper,
enum reduction { REDUCTIONS(X) REDUCTION_COUNT };
#undef X
#define X(upper, ...) CACHE_##upper,
enum cache_policy { CACHE_POLICIES(X) CACHE_POLICY_COUNT };
#undef X
#define X(upper, ...) STOPPED_##upper,
enum stopped_by { STOPS(X) STOPPED_COUNT };
#undef X

extern const char *const search_strategy_names[], *const search_reduction_names[], *const search_stop_names[], *const search_cache_names[];

#define ERROR_KINDS(X) \
    X(DEADLOCK, deadlock) X(LIVELOCK, livelock) X(DIVERGENCE, divergence) X(ASSERTION, assertion) X(INVARIANT, invariant) X(CRASH, crash) \
    X(NONDETERMINISM, nondeterminism) X(STRUCTURE, structure) X(UNSUPPORTED, unsupported) X(RACE, race)
#define X(upper, lower) ERROR_##upper,
enum error_kind { ERROR_KINDS(X) ERROR_KIND_COUNT };
#undef X
extern const char *const search_error_names[];

struct counts {
    uint64_t states, transitions, executions, sleep_cut, depth_cut;
    uint64_t untried;                /* races in which more steps are in the way than could be left out in every way (survey.c) */
    uint64_t surprises;              /* sequences of steps that were to be taken and could not: only where there are data races */
    double   executions_estimate;    /* of a depth-first search of executions, on its way, and of random walks: about so many in all (share.h); 0: not known */
    double   estimate_error;         /* the standard error of that, by random walks; 0: not known */
    uint32_t max_depth;              /* deepest state entered */
    struct { uint32_t process, times; uint64_t place; } round;   /* of the first path that the depth bound cut: who came how often where; times 0: it has no such */
};

/* How much an end without errors means. */
enum coverage {
    COVERAGE_ALL,                    /* every reachable deadlock and violated assertion would have been found */
    COVERAGE_DEPTH,                  /* every one within max_depth transitions */
    COVERAGE_PART                    /* some part, nothing is promised of the rest */
};

struct search_result {
    struct counts   counts;          /* of the last layer, for an iterative search */
    enum stopped_by stopped_by;
    enum coverage   coverage;
    bool            livelock_checked;       /* false: this search does not look for livelocks */
    bool            states_once;            /* it entered each state once, instead of each order of transitions */
    uint32_t        layer;           /* depth bound of the last layer */
    struct {                         /* of SEARCH_ESTIMATE, when a limit ended it; percent 0: none */
        double   percent, low, high; /* how much of the state space was seen, about and within */
        uint64_t states;             /* about how many there are */
        bool     counted, sampled;   /* they were counted; or that is what samples say; else there are more than those that were seen, and nobody
                                        knows how many */
    } estimate;
    uint64_t        elsewhere[MAX_PROCESSES];    /* local states of each process that only others came to (abroad.h) */
    struct { uint64_t missions, used, states; } divided;         /* so many were sent; parts of which others told; states that were entered there */
    struct { uint64_t states, replaced, distinct; } cache;       /* room for so many; how many were replaced; about how many there were */
};

enum verdict { GO_ON, STOP };
enum { WATCHER_BACK = 256 };

/* Who watches a search. `path` are the steps from the first state of the search to the current one. */
struct watcher {
    void *self;
    /* An error in the current state; process -1: all of them. */
    enum verdict (*found)(void *self, enum error_kind, int process, const struct step *path, uint32_t depth);
    /* NULL, or: every state entered and every transition taken, for the state-space file. `from` and the result name states;
     * a stateful search names a state it knows by its old number. */
    void (*state)(void *self, uint64_t number, uint32_t depth);
    void (*transition)(void *self, uint64_t from, uint64_t to, const struct step *);
    /* NULL, or: every execution that has come to its end, also one that a sleep set ended, when so many were before it. What was told under
     * this number, or a higher one, is void: the search begins again, or the program did something else. No more than WATCHER_BACK
     * are void, or all. */
    void (*execution)(void *self, uint64_t number, const struct step *path, uint32_t depth);
    /* NULL, or: called now and then on a long search. */
    void (*progress)(void *self, const struct counts *, uint32_t depth);
};

/* Who lends copies of this process what they need to search ahead of it (aside.h). */
struct helpers {
    int   jobs;                      /* processes that search at one time, this one included; below 2: there are no copies */
    void *self;
    void (*take_place)(void *self, uint32_t);    /* which one of them this process is from now on, below `jobs`: each has a core for itself, if there are as many */
    int  (*begin)(void *self, struct err *);     /* in a copy: it gets a program of its own, and whatever is found is not told. Negative: it has none */
    bool (*end)(void *self);                     /* in a copy: nothing of its program is left. True: nothing was found that should be told */
    uint64_t *(*work)(void *self);               /* what the program did so far, as HELPER_NUMBERS that can be added */
};
enum { HELPER_NUMBERS = 3 };

/* Who has parts of a search searched by other processes, wherever these run (abroad.h). */
struct dispatch {
    int   tasks;                     /* with others at one time, at most; 0: there are none */
    int   worth;                     /* milliseconds that a state was searched before parts of it are given away */
    bool  stops;                     /* an error may end the search */
    bool  far;                       /* one that has not begun may not do so for long */
    void *self;
    bool (*send)(void *self, uint64_t number, const uint64_t *words, uint32_t count);    /* false: this one is not sent, nor any other */
    /* Waits for up to so many milliseconds; false: none has come back. Words NULL: it came to nothing. They are given: return them with free. */
    bool (*hear)(void *self, int milliseconds, uint64_t *number, uint64_t **words, uint32_t *count);
    bool (*begun)(void *self, uint64_t number);
    void (*hurry)(void *self, uint64_t number);          /* it is waited for */
    void (*drop)(void *self, uint64_t number);           /* nobody asks for it any more */
    uint64_t *work;                  /* what the program did so far, as HELPER_NUMBERS: those of others are added; NULL: nobody asks */
};

/* What one that searches for another is to do (mission.h). */
struct commission {
    const uint64_t *words;           /* NULL: nothing; it searches for itself */
    uint32_t        count;
    void           *self;
    bool          (*late)(void *self);                   /* it has lasted long enough: what is left is given back */
    const uint64_t *work;            /* HELPER_NUMBERS; NULL: nobody asks */
    void          (*answer)(void *self, const uint64_t *words, uint32_t count);
};

struct search_settings {
    enum strategy   strategy;
    enum reduction  reduction;
    uint32_t        max_depth;       /* 0: no bound */
    uint32_t        depth_incr;
    uint64_t        stop_at_state;   /* 0: no bound */
    uint64_t        time_limit;      /* milliseconds after which `interrupt` will end the search, for who plans ahead (estimate.c); 0: none */
    uint64_t        cache;           /* stateful: keep only so many states, or bytes of them (cache.h); 0: all */
    bool            cache_in_bytes;
    enum cache_policy cache_policy;
    uint64_t        memory_limit;    /* bytes that the search may hold beyond what was held when it began (memory_held); 0: no bound */
    uint32_t        livelock_limit;  /* 0: livelocks are not looked for */
    bool            ignore_deadlock;
    bool            shuffle;         /* order of toss values by `seed` */
    uint64_t        seed;
    const volatile int *interrupt;   /* enum interrupt; NULL: never */
    bool            depth_given;     /* else, in a sharing group, max_depth is raised to twice the first path, if that ends by itself, and
                                        counts from when there is a second process */
    bool            accountable;     /* source and optimal: what is left out must be explained by what is told (watcher.execution; the conditions
                                        are those of certifier/tree.h), and an execution that does not end ends the search */
    bool            check;           /* for tests: walk the invariants of `optimal` after every step */
    struct helpers  helpers;         /* of `optimal`, in a sharing group */
    struct dispatch dispatch;
    struct commission commission;
    bool            shallow_first;   /* dfs: when the first path does not end, in layers: 16, 32, 64, ... up to max_depth */
};

/* Why everything has to come to an end soon. */
enum interrupt { NOT_INTERRUPTED, INTERRUPTED, OUT_OF_TIME };
enum stopped_by search_stopped_by(const volatile int *interrupt);        /* STOPPED_NOTHING: it has not; NULL is fine */

bool search_enters_all(enum reduction);          /* every state, by some of the orders that lead there */
bool search_keeps_states(enum strategy);         /* it compares states; of a group they must be told (system.h) */
/* NULL when the two go together, or a sentence that says why not and what does. */
const char *search_refuses(enum strategy, enum reduction);
/* The same for a sharing group. */
const char *search_refuses_group(enum strategy, enum reduction);
/* The same for a search of which others search parts. */
const char *search_refuses_dispatch(enum strategy, enum reduction);
/* 0, or negative when the machine fails (err says why; result holds what was done until then). */
int search_run(struct system *, const struct search_settings *, const struct watcher *, struct search_result *, struct err *);

#endif
