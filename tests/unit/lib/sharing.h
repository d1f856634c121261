/* Made-up programs with threads: a sharing group as data, to test foresight on with no process running.
 *
 * What a thread does next depends on what others wrote: it reads shared variables and jumps on what it read. Every variable has a
 * mutex, and is used only by who holds it. The first thread creates the others, does its own part, joins them, and then asserts
 * something false, whose argument is what the variables came to: so every search must tell every outcome. In a large one that is false only
 * of one such sum, since a search that tells nothing need not ask the program at once.
 *
 * Here is also brute force: every state that the program can come to, by a semantics of its own that shares nothing with src/.
 * SPDX-License-Identifier: MIT */
#ifndef SHARING_H
#define SHARING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SHARING_THREADS = 4, SHARING_CODE = 56, SHARING_VARIABLES = 2, SHARING_COUNTERS = 2, SHARING_VALUES = 4 };

/* X(kind, how it prints): %o object, %n n, %t target; those before AT_LOCK are invisible. */
#define SHARING_INSTRUCTIONS(X) \
    X(TO_NOTHING, "-") X(TO_ADD, "x%o += %n") X(TO_MIX, "x%o = 2 * x%o + mine") X(TO_KEEP, "mine = x%o") \
    X(TO_SKIP_UNLESS, "if (mine != %n) goto %t") X(TO_JUMP, "goto %t") \
    X(AT_LOCK, "lock(%o)") X(AT_TRYLOCK, "if (!trylock(%o)) goto %t") X(AT_UNLOCK, "unlock(%o)") X(AT_POST, "post(%o)") \
    X(AT_WAIT, "wait(%o)") X(AT_TRYWAIT, "if (!trywait(%o)) goto %t") X(AT_TOSS, "if (toss) goto %t") \
    X(AT_CREATE, "create thread %n") X(AT_JOIN, "join thread %n") \
    X(AT_ASSERT, "assert(%n)") X(AT_LEAVE, "leave") X(AT_FINISH, "finish") X(AT_END, "end")
#define X(kind, ...) kind,
enum { SHARING_INSTRUCTIONS(X) SHARING_KINDS };
#undef X

struct sharing_code { uint8_t kind, object, n, target; };

struct sharing {
    uint64_t seed;
    int      threads;                            /* the first one is there from the beginning */
    uint8_t  initial[SHARING_COUNTERS];
    uint8_t  length[SHARING_THREADS];
    struct sharing_code code[SHARING_THREADS][SHARING_CODE];
};

/* All that the program's memory holds; threads count as the program has them. */
struct sharing_memory {
    uint8_t pc[SHARING_THREADS], mine[SHARING_THREADS], variable[SHARING_VARIABLES];
};

void sharing_make_up(struct sharing *, uint64_t seed);
void sharing_make_up_large(struct sharing *, uint64_t seed);              /* hundreds of executions that differ */
void sharing_print(const struct sharing *, FILE *);

/* The operation that the thread stands before. */
const struct sharing_code *sharing_at(const struct sharing *, const struct sharing_memory *, int thread);
void sharing_begin(const struct sharing *, struct sharing_memory *, int thread);         /* it runs to its first operation */
/* Its operation is done, and worked or did not (only those that try may not, and tosses): it runs to its next. */
void sharing_go_on(const struct sharing *, struct sharing_memory *, int thread, bool worked);
uint8_t sharing_sum(const struct sharing_memory *);                      /* of the variables: the argument of the assertion */
bool sharing_is_false(const struct sharing_code *, uint8_t sum);         /* the assertion; its n: 0, or the only sum of which it is */

/* The same with the objects. No padding: compared as bytes. */
struct sharing_world {
    struct sharing_memory memory;
    uint8_t holder[SHARING_VARIABLES];           /* 1 + thread; 0: nobody */
    uint8_t count[SHARING_COUNTERS];
    uint8_t life[SHARING_THREADS];               /* 0: not created, 1: created, 2: has begun, 3: ended, 4: joined */
};

void sharing_world_begin(const struct sharing *, struct sharing_world *);
bool sharing_can_go(const struct sharing *, const struct sharing_world *, int thread);
bool sharing_step(const struct sharing *, struct sharing_world *, int thread, uint32_t choice);    /* it can go; true: its operation worked */
uint32_t sharing_choices(const struct sharing *, const struct sharing_world *, int thread);      /* of who can go: 1, or 2 before a toss */
bool sharing_stuck(const struct sharing *, const struct sharing_world *);        /* nobody can go, and not all have ended */

/* What can become of it: sums that are asserted, and states in which it is stuck. */
struct sharing_outcomes {
    bool      sums[256];
    uint64_t *stuck;                             /* their hashes, sorted */
    uint32_t  stuck_count, stuck_room;
    uint32_t  states, transitions;               /* of it */
};

uint64_t sharing_hash(const struct sharing_world *);
void sharing_note_stuck(struct sharing_outcomes *, uint64_t hash);
bool sharing_same_outcomes(const struct sharing_outcomes *, const struct sharing_outcomes *);
/* False: there are more than `most` states. */
bool sharing_brute(const struct sharing *, uint32_t most, struct sharing_outcomes *);
void sharing_outcomes_fini(struct sharing_outcomes *);

#endif
