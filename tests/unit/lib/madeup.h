/* Made-up programs: small concurrent programs as data, to test searches on with no process running.
 *
 * A program is a list of instructions for each process. Some are visible operations, the others compute on a few small
 * locals and jump. What a process is at any time (its local state) is the instruction it stands before and its locals.
 * Objects are not in this file: an operation's effect on its process is one small number, its outcome.
 *
 * Invariant: a process always stands before a visible instruction.
 * SPDX-License-Identifier: MIT */
#ifndef MADEUP_H
#define MADEUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    MADEUP_PROCESSES  = 10,
    MADEUP_SEMAPHORES = 10,
    MADEUP_QUEUES     = 2,
    MADEUP_QUEUE_SIZE = 3,           /* the largest */
    MADEUP_LOCALS     = 3,
    MADEUP_VALUES     = 8,           /* locals, messages and outcomes are 0..7 */
    MADEUP_CODE       = 48,
    NO_LOCAL          = 255,         /* the outcome is dropped */
    ANY_CHILD         = 255
};

/* X(kind, how it prints): %o object, %n n, %v value, %l local, %t target; those before DO_WAIT are invisible. */
#define INSTRUCTIONS(X) \
    X(DO_NOTHING,          "-") \
    X(DO_SET,              "v%l = %v") \
    X(DO_ADD,              "v%l = (v%l + 1) mod 8") \
    X(DO_JUMP,             "goto %t") \
    X(DO_JUMP_UNLESS,      "if (v%l != %v) goto %t") \
    X(DO_WAIT,             "semwait(s%o, %n)") \
    X(DO_SIGNAL,           "semsignal(s%o, %n)") \
    X(DO_REMOVE_SEMAPHORE, "remove_semaphore(s%o)") \
    X(DO_SEND,             "send_to_queue(q%o, m%v)") \
    X(DO_SEND_LOCAL,       "send_to_queue(q%o, v%n)") \
    X(DO_RECEIVE,          "rcv_from_queue(q%o)") \
    X(DO_IS_FULL,          "is_queue_full(q%o)") \
    X(DO_IS_EMPTY,         "is_queue_empty(q%o)") \
    X(DO_REMOVE_QUEUE,     "remove_queue(q%o)") \
    X(DO_TOSS,             "VS_toss(%n)") \
    X(DO_ASSERT,           "VS_assert(v%n != %v)") \
    X(DO_ABORT,            "VS_abort(v%n != %v)") \
    X(DO_REAP,             "wait(%v, blocking %n)") \
    X(DO_EXIT,             "exit(%v)")

#define X(kind, ...) kind,
enum { INSTRUCTIONS(X) INSTRUCTION_KINDS };
#undef X

struct instruction { uint8_t kind, object, n, value, local, target; };

struct program {
    uint64_t seed;                                   /* of its generator; also of what else a test draws for it */
    int      processes, semaphores, queues;
    bool     array;                                  /* semaphores are one array, not one each */
    uint8_t  initial[MADEUP_SEMAPHORES], size[MADEUP_QUEUES];
    uint8_t  length[MADEUP_PROCESSES];
    struct instruction code[MADEUP_PROCESSES][MADEUP_CODE];
};

struct local_state { uint8_t pc, local[MADEUP_LOCALS]; };

/* What an operation tells its process. Toss, is_full, is_empty: the number; receive: the message; wait: see madeup_reaped. */
enum { OUTCOME_NONE = 0, OUTCOME_REMOVED = MADEUP_VALUES - 1, OUTCOME_NO_CHILD = 0, OUTCOME_NOT_YET = 1 };
static inline uint8_t madeup_reaped(int child, int status)       /* child counts from 1, status is 0 or 1 */
{
    return (uint8_t)(2 + (2 * (child - 1) + status) % (MADEUP_VALUES - 2));
}

/* The instruction the process stands before; behind the last one is exit(0). */
const struct instruction *madeup_at(const struct program *, int process, const struct local_state *);
bool madeup_holds(const struct instruction *, const struct local_state *);       /* the condition of an assert or abort */
void madeup_begin(const struct program *, int process, struct local_state *);
void madeup_go_on(const struct program *, int process, struct local_state *, uint8_t outcome);
void madeup_print(const struct program *, FILE *);

#endif
