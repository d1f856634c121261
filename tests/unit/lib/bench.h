/* A type of object against the definition of independence (POPL 1997, section 4, Definition 1), by trying both orders.
 *
 * States are made by executing operations from small first states, so nothing is known here of how a type keeps its words.
 * Pairs that are said to depend although they commute are no error; they are counted.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_H
#define BENCH_H

#include "objects/types.h"
#include "wire.h"

enum { MOST_WORDS = 20, MOST_STATES = 4000, MOST_OPS = 40 };

/* `within`: the processes that have begun something on the object (a wait, say) and can do nothing else before they end it. */
struct state { uint32_t word[MOST_WORDS], within; };

/* One first state of a type, all that can be made from it, and the operations to try. */
struct bench {
    const struct object_type *type;
    const char   *what;
    uint32_t      words;
    bool          named;             /* operations are of the processes they name; else each is of any process */
    const uint8_t *begins, *ends;    /* by code: what a process begins (if the result is 0), with what it ends it; NULL: none */
    struct state  states[MOST_STATES];
    uint32_t      state_count;
    struct op     ops[MOST_OPS];
    uint32_t      op_count;
    uint64_t      pairs, independent, too_careful, exchanges, kept;
    int           bad;
};

struct bench *bench_new(const char *what, int type, const int32_t arg[3]);       /* gives; bench_finish takes it */
void          bench_add(struct bench *, int type, int code, int process, int argument, int second, uint32_t text);       /* an operation to try */
uint32_t      bench_execute(const struct bench *, struct state *, const struct op *, uint32_t choice);   /* gives its result */
void          bench_add_state(struct bench *, const struct state *);             /* unless it is there */
void          bench_make_states(struct bench *);                                 /* all that operations lead to */
int           bench_finish(struct bench *);                                      /* makes all states and tries everything; 0: all is well */

#endif
