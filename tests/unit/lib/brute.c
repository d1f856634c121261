/* SPDX-License-Identifier: MIT */
#include "brute.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct world) == 2 * MADEUP_SEMAPHORES + 5 * MADEUP_PROCESSES + (1 + MADEUP_QUEUE_SIZE) * MADEUP_QUEUES,
               "a world is compared as bytes");

static void *grow(void *array, size_t count, size_t size)
{
    void *got = realloc(array, count * size);
    if (!got)
        abort();
    return got;
}

/* ---- what operations do ---- */

void world_begin(const struct program *p, struct world *w)
{
    memset(w, 0, sizeof *w);
    for (int s = 0; s < p->semaphores; s++)
        w->semaphore[s] = p->initial[s];
    for (int process = 0; process < p->processes; process++)
        madeup_begin(p, process, &w->at[process]);
}

static const struct instruction *next_of(const struct program *p, const struct world *w, int process)
{
    return madeup_at(p, process, &w->at[process]);
}

static bool ended(const struct program *p, const struct world *w, int process)
{
    return next_of(p, w, process)->kind == DO_EXIT;
}

static bool stopped(const struct program *p, const struct world *w)       /* somebody aborted */
{
    for (int process = 0; process < p->processes; process++) {
        const struct instruction *i = next_of(p, w, process);
        if (i->kind == DO_ABORT && !madeup_holds(i, &w->at[process]))
            return true;
    }
    return false;
}

static int children_to_reap(const struct program *p, const struct world *w, const struct instruction *i, uint8_t *outcomes)
{
    int count = 0, left = 0;
    for (int child = 1; child < p->processes; child++) {
        if (w->reaped[child] || (i->value != ANY_CHILD && i->value != child))
            continue;
        left++;
        if (ended(p, w, child))
            outcomes[count++] = madeup_reaped(child, next_of(p, w, child)->value);
    }
    if (count || (left && i->n))
        return count;
    outcomes[0] = left ? OUTCOME_NOT_YET : OUTCOME_NO_CHILD;
    return 1;
}

static int tosses(int n, uint8_t *outcomes)
{
    for (int value = 0; value <= n; value++)
        outcomes[value] = (uint8_t)value;
    return n + 1;
}

static int on_queue(const struct program *p, const struct world *w, const struct instruction *i, uint8_t *outcomes)
{
    uint8_t count = w->count[i->object], size = p->size[i->object];
    if (count == WORLD_REMOVED) {
        outcomes[0] = OUTCOME_REMOVED;
        return 1;
    }
    switch (i->kind) {
    case DO_SEND:
    case DO_SEND_LOCAL: outcomes[0] = OUTCOME_NONE; return count < size;
    case DO_RECEIVE:    outcomes[0] = w->message[i->object][0]; return count > 0;
    case DO_IS_FULL:    outcomes[0] = count == size; return 1;
    case DO_IS_EMPTY:   outcomes[0] = count == 0; return 1;
    default:            outcomes[0] = OUTCOME_NONE; return 1;
    }
}

static int on_semaphore(const struct world *w, const struct instruction *i, uint8_t *outcomes)
{
    uint16_t value = w->semaphore[i->object];
    bool removed = value == WORLD_REMOVED_SEMAPHORE;
    outcomes[0] = removed ? OUTCOME_REMOVED : OUTCOME_NONE;
    return removed || i->kind != DO_WAIT || value >= i->n;
}

int world_outcomes(const struct program *p, const struct world *w, int process, uint8_t outcomes[MADEUP_VALUES])
{
    const struct instruction *i = next_of(p, w, process);
    if (i->kind == DO_EXIT || stopped(p, w))
        return 0;
    switch (i->kind) {
    case DO_WAIT:
    case DO_SIGNAL:
    case DO_REMOVE_SEMAPHORE: return on_semaphore(w, i, outcomes);
    case DO_TOSS:             return tosses(i->n, outcomes);
    case DO_REAP:             return children_to_reap(p, w, i, outcomes);
    case DO_ASSERT:
    case DO_ABORT:            outcomes[0] = OUTCOME_NONE; return 1;
    default:                  return on_queue(p, w, i, outcomes);
    }
}

static void reap(const struct program *p, struct world *w, const struct instruction *i, uint8_t outcome)
{
    for (int child = 1; child < p->processes; child++) {
        if (w->reaped[child] || !ended(p, w, child) || (i->value != ANY_CHILD && i->value != child))
            continue;
        if (madeup_reaped(child, next_of(p, w, child)->value) == outcome) {
            w->reaped[child] = 1;
            return;
        }
    }
}

static void push(struct world *w, int queue, uint8_t message)
{
    w->message[queue][w->count[queue]++] = message;
}

static void pop(struct world *w, int queue)
{
    memmove(w->message[queue], w->message[queue] + 1, MADEUP_QUEUE_SIZE - 1);
    w->message[queue][--w->count[queue]] = 0;
}

static void change(const struct program *p, struct world *w, int process, uint8_t outcome)
{
    const struct instruction *i = next_of(p, w, process);
    switch (i->kind) {
    case DO_WAIT:             w->semaphore[i->object] = (uint16_t)(w->semaphore[i->object] - i->n); break;
    case DO_SIGNAL:           w->semaphore[i->object] = (uint16_t)(w->semaphore[i->object] + i->n); break;
    case DO_REMOVE_SEMAPHORE: w->semaphore[i->object] = WORLD_REMOVED_SEMAPHORE; break;
    case DO_SEND:             push(w, i->object, i->value); break;
    case DO_SEND_LOCAL:       push(w, i->object, w->at[process].local[i->n]); break;
    case DO_RECEIVE:          pop(w, i->object); break;
    case DO_REMOVE_QUEUE:     w->count[i->object] = WORLD_REMOVED;
                              memset(w->message[i->object], 0, MADEUP_QUEUE_SIZE); break;
    case DO_REAP:             reap(p, w, i, outcome); break;
    }
}

static bool on_removed(const struct world *w, const struct instruction *i)
{
    if (i->kind == DO_WAIT || i->kind == DO_SIGNAL || i->kind == DO_REMOVE_SEMAPHORE)
        return w->semaphore[i->object] == WORLD_REMOVED_SEMAPHORE;
    return i->kind >= DO_SEND && i->kind <= DO_REMOVE_QUEUE && w->count[i->object] == WORLD_REMOVED;
}

bool world_step(const struct program *p, struct world *w, int process, uint8_t outcome)
{
    uint8_t outcomes[MADEUP_VALUES];
    int count = world_outcomes(p, w, process, outcomes);
    if (!count || !memchr(outcomes, outcome, (size_t)count))
        return false;
    if (!on_removed(w, next_of(p, w, process)))
        change(p, w, process, outcome);
    madeup_go_on(p, process, &w->at[process], outcome);
    return true;
}

static bool blocked(const struct program *p, const struct world *w)
{
    uint8_t outcomes[MADEUP_VALUES];
    for (int process = 0; process < p->processes; process++)
        if (world_outcomes(p, w, process, outcomes))
            return false;
    return true;
}

bool world_deadlocked(const struct program *p, const struct world *w)
{
    bool all_ended = true;
    for (int process = 0; process < p->processes; process++)
        all_ended &= ended(p, w, process);
    return !all_ended && !stopped(p, w) && blocked(p, w);
}

bool world_violates(const struct program *p, const struct world *w, int process)
{
    const struct instruction *i = next_of(p, w, process);
    return i->kind == DO_ASSERT && !madeup_holds(i, &w->at[process]);
}

/* ---- the list of states ---- */

static uint32_t *slot_of(const struct brute *b, const struct world *w)
{
    const unsigned char *bytes = (const unsigned char *)w;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < sizeof *w; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    uint32_t at = hash & b->mask;
    while (b->slots[at] && memcmp(&b->worlds[b->slots[at] - 1], w, sizeof *w))
        at = (at + 1) & b->mask;
    return &b->slots[at];
}

uint32_t brute_find(const struct brute *b, const struct world *w)
{
    return *slot_of(b, w) - 1;       /* 0 - 1: not in the list */
}

uint32_t brute_violation(const struct brute *b, int process, const struct local_state *at)
{
    for (uint32_t i = 0; i < b->violation_count; i++)
        if (b->violations[i].process == process && !memcmp(&b->violations[i].at, at, sizeof *at))
            return i;
    return UINT32_MAX;
}

static void note_violations(struct brute *b, const struct world *w, uint32_t depth)
{
    for (int process = 0; process < b->program->processes; process++) {
        const struct local_state *at = &w->at[process];
        if (!world_violates(b->program, w, process) || brute_violation(b, process, at) != UINT32_MAX)
            continue;
        if (b->violation_count == b->violation_room) {
            b->violation_room = 2 * b->violation_room + 8;
            b->violations = grow(b->violations, b->violation_room, sizeof *b->violations);
        }
        b->violations[b->violation_count++] = (struct violation){ .process = process, .at = *at, .depth = depth };
    }
}

static void make_room(struct brute *b)
{
    if (b->states < b->states_room)
        return;
    b->states_room = 2 * b->states_room + 64;
    b->worlds = grow(b->worlds, b->states_room, sizeof *b->worlds);
    b->distance = grow(b->distance, b->states_room, sizeof *b->distance);
    b->deadlock = grow(b->deadlock, b->states_room, sizeof *b->deadlock);
    b->first = grow(b->first, b->states_room + 1, sizeof *b->first);
}

static uint32_t add_world(struct brute *b, const struct world *w, uint32_t distance)
{
    uint32_t *slot = slot_of(b, w);
    if (*slot)
        return *slot - 1;
    make_room(b);
    uint32_t state = b->states++;
    b->worlds[state] = *w;
    b->distance[state] = distance;
    b->deadlock[state] = world_deadlocked(b->program, w);
    note_violations(b, w, distance);
    *slot = b->states;
    return state;
}

static void add_edge(struct brute *b, uint32_t to)
{
    if (b->edge_count == b->edge_room) {
        b->edge_room = 2 * b->edge_room + 256;
        b->edges = grow(b->edges, b->edge_room, sizeof *b->edges);
    }
    b->edges[b->edge_count++] = to;
}

static void expand(struct brute *b, uint32_t state)
{
    b->first[state] = b->edge_count;
    for (int process = 0; process < b->program->processes; process++) {
        uint8_t outcomes[MADEUP_VALUES];
        int count = world_outcomes(b->program, &b->worlds[state], process, outcomes);
        for (int i = 0; i < count; i++) {
            struct world next = b->worlds[state];
            world_step(b->program, &next, process, outcomes[i]);
            add_edge(b, add_world(b, &next, b->distance[state] + 1));
        }
    }
    b->first[state + 1] = b->edge_count;
}

/* ---- the tree ---- */

/* The states of one depth and how many paths lead to each. */
struct layer { uint32_t *states, count; uint64_t *paths; };

static void layer_init(struct layer *l, uint32_t states)
{
    l->count = 0;
    l->states = calloc(states, sizeof *l->states);
    l->paths = calloc(states, sizeof *l->paths);
    if (!l->states || !l->paths)
        abort();
}

static void layer_fini(struct layer *l)
{
    free(l->states);
    free(l->paths);
}

static void layer_add(struct layer *l, uint32_t state, uint64_t paths)
{
    if (!l->paths[state])
        l->states[l->count++] = state;
    l->paths[state] += paths;
}

/* Takes all out of `from` and puts the states behind them into `to`; at the bound it only counts. */
static void advance(const struct brute *b, struct layer *from, struct layer *to, bool at_bound, struct brute_tree *tree)
{
    for (uint32_t i = 0; i < from->count; i++) {
        uint32_t state = from->states[i], degree = b->first[state + 1] - b->first[state];
        uint64_t paths = from->paths[state];
        from->paths[state] = 0;
        if (!degree)
            tree->executions += paths;
        else if (at_bound)
            tree->depth_cut += paths;
        for (uint32_t e = 0; e < degree && !at_bound; e++)
            layer_add(to, b->edges[b->first[state] + e], paths);
        tree->transitions += at_bound ? 0 : paths * degree;
    }
    from->count = 0;
}

bool brute_tree(const struct brute *b, uint32_t depth, uint64_t most, struct brute_tree *tree)
{
    struct layer layers[2];
    layer_init(&layers[0], b->states);
    layer_init(&layers[1], b->states);
    layer_add(&layers[0], 0, 1);
    *tree = (struct brute_tree){ 0 };
    uint32_t d = 0;
    while (layers[d % 2].count && tree->transitions <= most && d < b->complete && d <= b->expanded + depth) {
        tree->longest = d;
        advance(b, &layers[d % 2], &layers[(d + 1) % 2], depth && d == depth, tree);
        d++;
    }
    bool all = !layers[d % 2].count && tree->transitions <= most;
    layer_fini(&layers[0]);
    layer_fini(&layers[1]);
    return all;
}

/* ---- all of it ---- */

void brute_init(struct brute *b, const struct program *p, const struct world *first, uint32_t most_states)
{
    *b = (struct brute){ .program = p, .complete = UINT32_MAX };
    for (b->mask = 255; b->mask < 4 * most_states; b->mask = 2 * b->mask + 1)
        ;
    b->slots = calloc((size_t)b->mask + 1, sizeof *b->slots);
    if (!b->slots)
        abort();
    add_world(b, first, 0);
    while (b->expanded < b->states && b->states < most_states)
        expand(b, b->expanded++);
    if (b->expanded < b->states)
        b->complete = b->distance[b->expanded];
    struct brute_tree tree;
    b->longest = brute_tree(b, 0, UINT64_MAX / 64, &tree) ? tree.longest : UINT32_MAX;
}

void brute_fini(struct brute *b)
{
    free(b->worlds);
    free(b->distance);
    free(b->edges);
    free(b->first);
    free(b->deadlock);
    free(b->slots);
    free(b->violations);
}
