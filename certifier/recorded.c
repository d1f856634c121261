/* SPDX-License-Identifier: MIT */
#include "certifier/recorded.h"

#include "base/memory.h"
#include "certifier/script.h"

#include <assert.h>
#include <stdlib.h>

struct edge_of { uint32_t from, to; };

struct recorded {
    uint32_t       *first, *to;      /* the transitions of state i lead to to[first[i]] .. to[first[i + 1] - 1] */
    uint32_t        states, transitions;
    struct start    start;
    struct history *history;
    struct runner   runner;
    struct texts   *texts;
    struct system  *system;
};

/* ---- reading ---- */

struct list { struct edge_of *edges; uint32_t count, room; };

static int read_entries(struct script *script, struct list *l, uint32_t *states, struct err *err)
{
    struct script_entry e;
    int got;
    *states = 1;
    while ((got = script_next(script, &e, err)) > 0) {
        if (e.label == BACK)
            continue;
        if (e.to >= UINT32_MAX - 1)
            return fail(err, "a script of so many states cannot be searched");
        ARRAY_GROW(l->edges, l->count, l->room);
        l->edges[l->count++] = (struct edge_of){ (uint32_t)e.from, (uint32_t)e.to };
        *states += e.is_new;
    }
    return got;
}

/* By state; those of one stay in their order. */
static void sort(struct recorded *r, const struct list *l)
{
    r->transitions = l->count;
    r->first = memory_get(((size_t)r->states + 2) * sizeof *r->first);
    r->to = memory_get(((size_t)l->count + 1) * sizeof *r->to);
    for (uint32_t i = 0; i < l->count; i++)
        r->first[l->edges[i].from + 2]++;
    for (uint32_t i = 0; i < r->states; i++)
        r->first[i + 2] += r->first[i + 1];
    for (uint32_t i = 0; i < l->count; i++)
        r->to[r->first[l->edges[i].from + 1]++] = l->edges[i].to;
}

static int read(struct recorded *r, const char *file, struct err *err)
{
    struct script *script = script_open(file, err);
    struct list list = { 0 };
    if (!script)
        return err_code(err);
    int bad = script_kind(script) != SCRIPT_SEARCH || script_start(script)
            ? fail(err, "%s: is not the whole script of a search that keeps states", file) : read_entries(script, &list, &r->states, err);
    if (!bad)
        sort(r, &list);
    free(list.edges);
    script_close(script);
    return bad;
}

/* ---- as a program ---- */

static void arrive(const struct recorded *r, uint32_t state, struct arrival *a)
{
    uint32_t degree = r->first[state + 1] - r->first[state];
    uint64_t mixed = (state + 1) * UINT64_C(0x9e3779b97f4a7c15);
    *a = (struct arrival){ .mergeable = true, .fingerprint = { mixed ^ mixed >> 29, state } };
    a->op = degree ? (struct op){ .type = TYPE_TOSS, .code = TOSS_TOSS, .object = NO_OBJECT, .arg = { (int32_t)degree - 1 } }
                   : (struct op){ .type = TYPE_PROCESS, .code = PROCESS_EXIT, .object = NO_OBJECT };
}

static int run(void *self, const struct leg *leg, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    const struct recorded *r = self;
    uint32_t state = (uint32_t)r->history->graphs[0].nodes[leg->from].fingerprint[1];
    (void)err;
    assert(count == 1 && leg->result < r->first[state + 1] - r->first[state]);
    *right = 0;
    arrive(r, r->to[r->first[state] + leg->result], a);
    return 0;
}

struct recorded *recorded_open(const char *file, struct err *err)
{
    struct recorded *r = memory_get(sizeof *r);
    if (read(r, file, err)) {
        recorded_close(r);
        return NULL;
    }
    r->texts = texts_new();
    r->history = history_new();
    r->runner = (struct runner){ .self = r, .run = run };
    r->start.processes = 1;
    arrive(r, 0, &r->start.first[0]);
    struct system_parts parts = { .start = &r->start, .history = r->history, .runner = &r->runner, .texts = r->texts };
    r->system = system_new(&parts, err);
    if (r->system)
        return r;
    recorded_close(r);
    return NULL;
}

void recorded_close(struct recorded *r)
{
    if (!r)
        return;
    system_free(r->system);
    history_free(r->history);
    texts_free(r->texts);
    free(r->first);
    free(r->to);
    free(r);
}

struct system *recorded_system(struct recorded *r) { return r->system; }
uint32_t       recorded_states(const struct recorded *r) { return r->states; }
uint64_t       recorded_transitions(const struct recorded *r) { return r->transitions; }
