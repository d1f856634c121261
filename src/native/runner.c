/* Running an edge of a history graph: find a live process that stands where the edge begins, or bring one there from the
 * nearest ancestor by running its history again, and give it the result.
 *
 * Invariant: whoever runs a history again must come to the operations and fingerprints that are recorded; the first
 * difference is the arrival PROCESS_NONDETERMINISM.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/internal.h"
#include "base/memory.h"
#include "objects/types.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPY_EVERY = 256 };           /* transitions of one path */
enum { RESTARTS = 3 };               /* of the program in one run of an edge, when somebody kills its processes; and each may be found dead once */

/* ---- who stands where ---- */

/* The process that ran last: the graph has meanwhile given its place a node, perhaps one where another stands already. */
static void give_node(struct native *n, uint32_t slot)
{
    struct member *m = &n->members[slot];
    const struct edge *edge = graph_edge(&n->graphs[m->process], m->from, m->result);
    if (!edge || member_at(n, m->process, edge->next) >= 0)
        member_dismiss(n, slot);
    else
        m->node = edge->next;
}

static void give_nodes(struct native *n)
{
    for (uint32_t i = 0; i < n->member_count; i++)
        if (n->members[i].pid && n->members[i].node == NO_NODE)
            give_node(n, i);
    member_limit(n);
}

/* ---- one step ---- */

static void give_result(struct native *n, uint32_t slot, const struct op *op, uint32_t result)
{
    struct wire_slot *s = &n->line.wire->slots[slot];
    s->result = result;
    s->has_reply = 0;
    if (types_get(op->type)->operations[op->code].result != RESULT_TEXT || result == UINT32_MAX)
        return;
    s->result = 0;
    s->has_reply = 1;
    snprintf(s->reply, sizeof s->reply, "%s", texts_string(n->texts, result));
}

/* Copies the process in `slot`. The copy finds its own command waiting for it, so it runs at once. Gives its slot. */
static int copy(struct native *n, uint32_t slot, uint32_t result, struct err *err)
{
    struct member original = n->members[slot];
    assert(original.pid && original.node != NO_NODE);
    int target, failure = 0;
    n->members[slot].used = ++n->now;
    n->members[slot].node = NO_NODE;                     /* so that nobody makes room by ending just this one */
    do {
        target = member_slot(n);
        if (target < 0)
            break;
        n->line.wire->slots[target].process = original.process;
        give_result(n, (uint32_t)target, &original.op, result);
        n->line.wire->slots[target].command = COMMAND_RUN;
        n->line.wire->slots[slot].target = target;
        line_command(&n->line, slot, COMMAND_COPY);
        failure = arrive_copied(n, slot, err);
        if (failure)
            line_clear(&n->line, (uint32_t)target);
    } while ((failure == -EAGAIN || failure == -ENOMEM) && member_make_room(n));
    n->members[slot].node = original.node;
    if (target < 0 || failure == -EAGAIN || failure == -ENOMEM) {
        errno = failure ? -failure : EAGAIN;
        fail_errno(err, "no more processes for the program");
        return -EAGAIN;
    }
    if (failure)
        return failure;
    assert((uint32_t)target != slot);
    member_join(n, (uint32_t)target, member_pid(n, (uint32_t)target), original.process);
    n->members[target].op = original.op;
    return target;
}

/* Is this the last result of a toss or its like, which has no state, so that nobody will come here again? */
static bool last_choice(const struct node *node)
{
    const struct object_type *type = types_get(node->op.type);
    uint32_t known = (node->one.next != NO_NODE) + node->more_count;
    return !type->size && known + 1 >= type->choices(NULL, &node->op);
}

/* Whoever follows one path comes back seldom, and a copy costs more than many steps. */
static bool leaves_copy(const struct native *n, uint32_t slot, const struct node *node)
{
    if (n->settings.one_path)
        return n->members[slot].first || n->counts.transitions % COPY_EVERY == 0;
    return n->members[slot].first ||
           (types_get(node->op.type)->operations[node->op.code].many && !last_choice(node));
}

/* Gives the slot of the process that now runs; it is the given one or a copy of it. */
static int send_off(struct native *n, uint32_t slot, const struct node *node, uint32_t index, uint32_t result, struct err *err)
{
    int runs = (int)slot;
    if (leaves_copy(n, slot, node)) {
        runs = copy(n, slot, result, err);
        if (runs < 0)
            return runs;
    } else {
        give_result(n, slot, &node->op, result);
        line_command(&n->line, slot, COMMAND_RUN);
    }
    struct member *m = &n->members[runs];
    m->node = NO_NODE;
    m->from = index;
    m->result = result;
    m->used = ++n->now;
    n->counts.transitions++;
    return runs;
}

/* ---- running a history again ---- */

static bool same_operation(const struct op *a, const struct op *b)
{
    return a->type == b->type && a->code == b->code && a->object == b->object && !memcmp(a->arg, b->arg, sizeof a->arg) &&
           a->text == b->text && a->place == b->place;
}

static void describe(struct native *n, const struct op *op, char *text, size_t room)
{
    char name[64] = "";
    if (op->object != NO_OBJECT) {
        const struct created *c = &n->start.objects[op->object];
        if (n->settings.group)
            snprintf(name, sizeof name, "...");
        else if (c->index >= 0)
            snprintf(name, sizeof name, "%u, %d", c->number, c->index);
        else
            snprintf(name, sizeof name, "%u", c->number);
    }
    types_print(op, name, n->texts, text, room);
    struct place place = where_call(native_where(n), op->place);
    size_t used = strlen(text);
    if (place.file)
        snprintf(text + used, room - used, " at %s:%d", place.file, place.line);
}

void native_differs(struct native *n, uint32_t slot, const struct node *before, struct arrival *a)
{
    char old[200], new[200], text[MAX_RULE];
    struct op op = a->op;
    describe(n, &before->op, old, sizeof old);
    describe(n, &op, new, sizeof new);
    if (same_operation(&before->op, &op))
        snprintf(text, sizeof text, "came to %s again after the same results, but with other values in its memory", new);
    else
        snprintf(text, sizeof text, "came to %s, and when it was given the same results before, to %s", new, old);
    n->members[slot].process = op.process;               /* it may have left already, by an end */
    end_so(n, slot, PROCESS_NONDETERMINISM, 0, op.place, text, a);
}

static bool as_recorded(const struct node *node, const struct arrival *a)
{
    return same_operation(&node->op, &a->op) && !memcmp(node->fingerprint, a->fingerprint, sizeof a->fingerprint);
}

/* The nodes from `node` up to, but without, the nearest ancestor at which somebody is parked. */
struct trail { uint32_t *nodes, count, room; int slot; uint32_t top; };

static struct trail find_trail(struct native *n, int process, uint32_t node)
{
    const struct graph *g = &n->graphs[process];
    struct trail t = {.top = node};
    assert(node < g->count);
    while ((t.slot = member_at(n, process, t.top)) < 0 && g->nodes[t.top].parent != NO_NODE) {
        ARRAY_GROW(t.nodes, t.count, t.room);
        t.nodes[t.count++] = t.top;
        t.top = g->nodes[t.top].parent;
    }
    return t;
}

/* A copy of the process at the top of the trail runs down it. Gives the slot of who now stands at its end; or 0 with `arrival`
 * filled and `slot` negative when the program did something else than before. */
static int run_down(struct native *n, int process, struct trail *t, int *slot, struct arrival *a, struct err *err)
{
    const struct graph *g = &n->graphs[process];
    uint32_t at = t->top;
    assert(t->count && t->slot >= 0);
    *slot = copy(n, (uint32_t)t->slot, g->nodes[t->nodes[t->count - 1]].result, err);
    for (uint32_t i = t->count; *slot >= 0 && i-- > 0; at = t->nodes[i]) {
        const struct node *next = &g->nodes[t->nodes[i]];
        if (i + 1 < t->count) {
            give_result(n, (uint32_t)*slot, &g->nodes[at].op, next->result);
            line_command(&n->line, (uint32_t)*slot, COMMAND_RUN);
        }
        n->counts.transitions++;
        int failure = arrive(n, (uint32_t)*slot, a, err);
        if (failure) {
            member_dismiss(n, (uint32_t)*slot);
            return failure;
        }
        if (!as_recorded(next, a)) {
            native_differs(n, (uint32_t)*slot, next, a);
            *slot = -1;
            return 0;
        }
    }
    if (*slot < 0)
        return *slot;
    n->members[*slot].node = t->nodes[0];
    return 0;
}

/* ---- an edge ---- */

static int bring(struct native *n, int process, uint32_t node, int *slot, struct arrival *a, struct err *err)
{
    struct trail t = find_trail(n, process, node);
    int failure = t.slot < 0 ? -ESRCH : 0;
    *slot = t.slot;
    if (!failure && t.count)
        failure = run_down(n, process, &t, slot, a, err);
    if (failure == -ESRCH && t.slot >= 0)
        member_dismiss(n, (uint32_t)t.slot);
    free(t.nodes);
    return failure;
}

static int run_once(struct native *n, int process, uint32_t node, uint32_t result, struct arrival *a, struct err *err)
{
    int slot, failure = bring(n, process, node, &slot, a, err);
    if (failure || slot < 0)
        return failure;
    int runs = send_off(n, (uint32_t)slot, &n->graphs[process].nodes[node], node, result, err);
    if (runs < 0) {
        if (runs == -ESRCH)
            member_dismiss(n, (uint32_t)slot);
        return runs;
    }
    failure = arrive(n, (uint32_t)runs, a, err);
    if (failure)
        member_dismiss(n, (uint32_t)runs);
    return failure;
}

/* Are the first processes all there? If somebody killed one, the program starts anew, and must come to the same state. */
static bool complete(const struct native *n)
{
    for (int p = 0; p < n->start.processes; p++) {
        if (!(types_traits(&n->start.first[p].op) & OP_ENDS) && member_at(n, p, 0) < 0)
            return false;
    }
    return true;
}

static int start_anew(struct native *n, struct err *err)
{
    struct arrival before[MAX_PROCESSES];
    int processes = n->start.processes;
    memcpy(before, n->start.first, sizeof before);
    member_dismiss_all(n);
    int failure = native_boot(n, err);
    if (failure)
        return failure;
    for (int p = 0; p < processes; p++)
        if (n->start.processes != processes || !same_operation(&before[p].op, &n->start.first[p].op) ||
            memcmp(before[p].fingerprint, n->start.first[p].fingerprint, sizeof before[p].fingerprint))
            return fail(err, "a process of the program was killed from outside, and the program does not start the same way "
                        "twice on this machine");
    return 0;
}

/* For a debugger: the one live process goes on. */
static int run_on(struct native *n, int process, uint32_t node, uint32_t result, struct arrival *a, struct err *err)
{
    int slot = member_of(n, process);
    if (slot >= 0) {
        give_result(n, (uint32_t)slot, &n->graphs[process].nodes[node].op, result);
        line_command(&n->line, (uint32_t)slot, COMMAND_RUN);
        n->counts.transitions++;
    }
    int failure = slot < 0 ? -ESRCH : arrive(n, (uint32_t)slot, a, err);
    if (failure == -ESRCH)
        fail(err, "a process of the program was killed from outside");
    return failure;
}

int native_run(void *self, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    struct native *n = self;
    int process = (int)path->process, failure = -ESRCH;
    uint32_t node = path->from, result = path->result;
    assert(count == 1 && path->to == NO_NODE && process < n->start.processes);
    assert(node < n->graphs[process].count && !graph_edge(&n->graphs[process], node, result));      /* else nobody would ask */
    *right = 0;
    if (n->settings.threads)
        return native_refused(run_on(n, process, node, result, a, err));
    give_nodes(n);
    uint32_t tries = n->member_count;
    for (int restarts = 0; failure == -ESRCH && restarts <= RESTARTS && tries--; restarts += !complete(n)) {
        failure = complete(n) ? 0 : start_anew(n, err);
        if (!failure)
            failure = run_once(n, process, node, result, a, err);
    }
    if (failure == -ESRCH)
        fail(err, "processes of the program are killed from outside again and again");
    return native_refused(failure);
}
