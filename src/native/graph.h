/* The history graph of one process: what it does after each list of results. A node is a local state with its pending
 * operation, an edge a result. Nodes with the same fingerprint are one node, so a loop in the program is a cycle here.
 *
 * Invariant: an edge, once there, never changes; `runner` is asked for an edge only when it is not there.
 * In a sharing group a process depends on more than its own results, and an edge only says what it did last time: there nodes
 * are its own past, and graph_learn lets an edge lead elsewhere.
 * The runner is the real program (native.h) or, in a test, a made-up one.
 * SPDX-License-Identifier: MIT */
#ifndef GRAPH_H
#define GRAPH_H

#include "base/err.h"
#include "object.h"

#define NO_NODE UINT32_MAX

/* Where a process came to stand. */
struct arrival {
    struct op op;
    uint64_t  fingerprint[2];        /* of memory, registers and pending operation */
    bool      mergeable;             /* false: it keeps state in the kernel, so it is like no other */
    uint32_t  notes;                 /* text: what it printed with VS_print on the way, a line each; 0: nothing */
};

/* A step of a sharing group, as it is foreseen: who goes on from which node with which result, and to which node. */
struct foreseen {
    uint32_t process, from, result, to;      /* to NO_NODE: nobody knows */
    int      host;                           /* the UNIX process it belongs to: its first thread */
};

struct way { const struct foreseen *path; uint32_t count; };
enum sending { SEND_AND_WAIT, SEND_AND_GO_ON };          /* what the sender will do meanwhile */

struct runner {
    void *self;
    /* Brings process `process` from `node` of its graph over `result` to its next operation. 0, or negative when the
     * machine fails (no memory, no more processes, interrupted), but never -EAGAIN, -ESTALE or -ESRCH. A fault of the program is an
     * arrival at an end. */
    int (*run)(void *self, int process, uint32_t node, uint32_t result, struct arrival *, struct err *);
    /* In a sharing group instead: brings the group along the whole path. `right` is how many steps led where they should;
     * the arrival is that of the first that did not (also of a last one of which nobody knew). */
    int (*settle)(void *self, const struct foreseen *path, uint32_t count, uint32_t *right, struct arrival *, struct err *);
    /* The same for several paths, one after the other, up to the first that is wrong. `send` sets them off and comes back, `await`
     * waits for what became of them; meanwhile they stay as they are. `wrong` is the number of the first wrong one, or how many
     * there are. */
    int (*send)(void *self, const struct way *ways, uint32_t count, enum sending, struct err *);
    int (*await)(void *self, uint32_t *wrong, uint32_t *right, struct arrival *, struct err *);
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
    int           process;
    struct node  *nodes;
    uint32_t      count, room;
    uint32_t     *slots;             /* hash table of the fingerprints: node + 1 */
    uint32_t      mask;
    const struct runner *runner;     /* borrowed */
    void        (*prepare)(void *, struct node *);     /* fills what the system adds to a new node */
    void         *prepare_arg;
};

void graph_init(struct graph *, int process, const struct runner *);
void graph_fini(struct graph *);
uint32_t graph_add(struct graph *, const struct arrival *, uint32_t parent, uint32_t result);   /* gives the node, merged or new */

/* The node after `node` over `result`; runs the program when nobody took this edge yet. `next` is filled on 0. */
int graph_extend(struct graph *, uint32_t node, uint32_t result, uint32_t *next, struct err *);

/* In a group: from now on the edge of `node` over `result` leads to this arrival. Gives its node. */
uint32_t graph_learn(struct graph *, uint32_t node, uint32_t result, const struct arrival *);

/* The edge over `result`; NULL: nobody took it yet. */
const struct edge *graph_edge(const struct graph *, uint32_t node, uint32_t result);

#endif
