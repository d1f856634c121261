/* The history graph of one process: what it does after each list of results. A node is a local state with its pending
 * operation, an edge a result. Nodes with the same fingerprint are one node, so a loop in the program is a cycle here.
 * A history is the graphs of all processes; whoever starts a program owns it. It is data: the program fills it (native), the
 * system walks it, and it calls neither.
 *
 * Invariants: an edge, once there, never changes. Edges lead to nodes that are there. The hash table always has free places, so looking
 * in it comes to an end.
 * In a sharing group a process depends on more than its own results, and an edge only says what it did last time: there nodes
 * are its own past, and graph_lead lets an edge lead elsewhere.
 * SPDX-License-Identifier: MIT */
#ifndef GRAPH_H
#define GRAPH_H

#include "base/err.h"
#include "object.h"
#include "wire.h"

#define NO_NODE UINT32_MAX

/* What a variable of the program holds while a process stands at a node. */
struct noted { int64_t value; bool known; };     /* false: there is nothing to read it from */

/* Where a process came to stand. */
struct arrival {
    struct op op;
    uint64_t  fingerprint[2];        /* of memory, registers and pending operation */
    bool      mergeable;             /* false: it keeps state in the kernel, so it is like no other */
    uint64_t  memory[2];             /* in a group that tells states: what all of its memory comes to */
    uint32_t  notes;                 /* text: what it printed with VS_print on the way, a line each; 0: nothing */
    const struct noted *noted;       /* as many as the runner was asked for; NULL: for none. Valid until the next arrival */
    uint32_t  noted_count;
};

struct edge { uint32_t result, next, notes; };

struct node {
    struct op     op;
    struct guard  guard;             /* of the pending operation; `word` counts in the whole system's words */
    uint32_t      state;             /* first word of the object, in the whole system's words */
    uint32_t      choices;           /* results to choose from while the guard holds; 0: ask the type */
    uint32_t      flags;
    uint32_t      slot;              /* the object, or the number of objects when the operation is on none */
    uint32_t      ended;             /* at an end: the word of the process in the table of processes */
    struct edge   one;               /* the first edge found, next == NO_NODE when there is none */
    struct edge  *more;              /* all others, by rising result */
    uint32_t      more_count;        /* there is room for the next power of two */
    uint32_t      parent, result;    /* the edge by which it was first reached; NO_NODE for the first node */
    uint32_t      plain;             /* guard.adds, as soon as `one` is the edge over 0; 0: ask the type to execute */
    uint64_t      fingerprint[2];
    const struct object_type *type;
};

enum { LEADS_TO_END = 1, LEADS_TO_ABORT = 2 };     /* node flags: some edge of it goes to a node that ... */

_Static_assert(sizeof(struct node) == 128, "two cache lines, and an address that is found by a shift");

struct graph {
    struct node  *nodes;
    uint32_t      count, room;
    uint32_t     *slots;             /* hash table of the fingerprints: node + 1 */
    uint32_t      mask;
    struct noted *noted;             /* noted_count of them for each node; NULL: nothing is noted */
    uint32_t      noted_count;
};

struct history { struct graph graphs[MAX_PROCESSES]; };

struct history *history_new(void);                       /* gives; return it with history_free */
void            history_free(struct history *);          /* NULL is fine */

/* The node of this arrival, which is a new one or one with its fingerprint. `is_new`: what the system adds to it is still to come. */
uint32_t graph_add(struct graph *, const struct arrival *, uint32_t parent, uint32_t result, bool *is_new);

uint32_t graph_find(const struct graph *, const uint64_t fingerprint[2]);    /* the node that has it; NO_NODE: none */

/* From now on the edge of `node` over `result` leads to `next`; `notes` are the arrival's. */
void graph_lead(struct graph *, uint32_t node, uint32_t result, uint32_t next, uint32_t notes);

/* The edge over `result`; NULL: nobody took it yet. */
const struct edge *graph_edge(const struct graph *, uint32_t node, uint32_t result);

/* What was noted at the node; NULL: nothing is. */
static inline const struct noted *graph_noted(const struct graph *g, uint32_t node)
{
    return g->noted ? g->noted + (size_t)node * g->noted_count : NULL;
}

/* Is it as this header says? Asserts it: for tests. */
void graph_check(const struct graph *);

#endif
