/* SPDX-License-Identifier: MIT */
#include "properties/automaton.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- states and edges ---- */

void automaton_fini(struct automaton *a)
{
    free(a->marks);
    free(a->edges);
    free(a->first);
    *a = (struct automaton){ 0 };
}

uint32_t automaton_state(struct automaton *a, uint64_t marks)
{
    ARRAY_GROW(a->marks, a->states, a->state_room);
    a->marks[a->states] = marks;
    return a->states++;
}

void automaton_edge(struct automaton *a, struct arc e)
{
    assert(cube_possible(e.guard));
    free(a->first);
    a->first = NULL;
    ARRAY_GROW(a->edges, a->count, a->room);
    a->edges[a->count++] = e;
}

static int compare_numbers(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int compare_edges(const void *a, const void *b)
{
    const struct arc *e = a, *f = b;
    int order = compare_numbers(e->from, f->from);
    if (!order) order = compare_numbers(e->to, f->to);
    if (!order) order = compare_numbers(e->guard.yes, f->guard.yes);
    if (!order) order = compare_numbers(e->guard.no, f->guard.no);
    return order ? order : compare_numbers(e->marks, f->marks);
}

void automaton_sort(struct automaton *a)
{
    uint32_t kept = 0;
    if (a->count)
        qsort(a->edges, a->count, sizeof *a->edges, compare_edges);
    for (uint32_t i = 0; i < a->count; i++)
        if (!kept || compare_edges(&a->edges[kept - 1], &a->edges[i]))
            a->edges[kept++] = a->edges[i];
    a->count = kept;
    free(a->first);
    a->first = memory_get(((size_t)a->states + 1) * sizeof *a->first);
    for (uint32_t i = 0; i < kept; i++)
        a->first[a->edges[i].from + 1]++;
    for (uint32_t s = 0; s < a->states; s++)
        a->first[s + 1] += a->first[s];
}

void automaton_check(const struct automaton *a)
{
    assert(a->states);
    for (uint32_t s = 0; s < a->states; s++)
        assert(!(a->marks[s] & ~a->all));
    for (uint32_t i = 0; i < a->count; i++) {
        const struct arc *e = &a->edges[i];
        assert(e->from < a->states && e->to < a->states && cube_possible(e->guard) && !(e->marks & ~a->all));
        assert(!a->first || (a->first[e->from] <= i && i < a->first[e->from + 1]));
    }
}

void automaton_renumber(struct automaton *a, const uint32_t *now, uint32_t states)
{
    uint64_t *marks = memory_get(states * sizeof *marks);
    uint32_t kept = 0;
    assert(now[0] == 0);
    for (uint32_t s = 0; s < a->states; s++)
        if (now[s] != UINT32_MAX)
            marks[now[s]] |= a->marks[s];
    for (uint32_t i = 0; i < a->count; i++) {
        struct arc e = a->edges[i];
        if (now[e.from] == UINT32_MAX || now[e.to] == UINT32_MAX)
            continue;
        e.from = now[e.from];
        e.to = now[e.to];
        a->edges[kept++] = e;
    }
    free(a->marks);
    a->marks = marks;
    a->states = a->state_room = states;
    a->count = kept;
    automaton_sort(a);
}

/* ---- components: Tarjan's, with a stack of its own ---- */

struct walk {
    const struct automaton *a;
    struct components *c;
    uint32_t *number;                /* when it was met, from 1 on; 0: not yet */
    uint32_t *low;                   /* the lowest number of what it leads back to */
    uint32_t *next;                  /* its next edge to look at */
    uint32_t *path, depth;           /* from the start to where we are */
    uint32_t *open, opened;          /* met, and in no component yet */
    uint32_t  met;
};

static void enter(struct walk *w, uint32_t s)
{
    w->number[s] = w->low[s] = ++w->met;
    w->next[s] = w->a->first[s];
    w->path[w->depth++] = s;
    w->open[w->opened++] = s;
}

static void leave(struct walk *w)
{
    uint32_t s = w->path[--w->depth], t;
    if (w->depth && w->low[s] < w->low[w->path[w->depth - 1]])
        w->low[w->path[w->depth - 1]] = w->low[s];
    if (w->low[s] != w->number[s])
        return;
    do {
        t = w->open[--w->opened];
        w->c->of[t] = w->c->count;
    } while (t != s);
    w->c->count++;
}

static void walk_from(struct walk *w, uint32_t start)
{
    enter(w, start);
    while (w->depth) {
        uint32_t s = w->path[w->depth - 1];
        if (w->next[s] == w->a->first[s + 1]) {
            leave(w);
            continue;
        }
        uint32_t t = w->a->edges[w->next[s]++].to;
        if (!w->number[t])
            enter(w, t);
        else if (w->c->of[t] == UINT32_MAX && w->number[t] < w->low[s])
            w->low[s] = w->number[t];
    }
}

static void sum_up(struct components *c, const struct automaton *a)
{
    c->cyclic = memory_get(c->count * sizeof *c->cyclic);
    c->marks = memory_get(c->count * sizeof *c->marks);
    for (uint32_t i = 0; i < a->count; i++) {
        const struct arc *e = &a->edges[i];
        if (c->of[e->from] != c->of[e->to])
            continue;
        c->cyclic[c->of[e->from]] = true;
        c->marks[c->of[e->from]] |= e->marks | a->marks[e->from] | a->marks[e->to];
    }
}

void components_find(struct components *c, const struct automaton *a)
{
    size_t room = a->states * sizeof(uint32_t);
    struct walk w = { .a = a, .c = c, .number = memory_get(room), .low = memory_get(room), .next = memory_get(room),
                      .path = memory_get(room), .open = memory_get(room) };
    *c = (struct components){ .of = memory_get(room) };
    memset(c->of, 0xff, room);
    assert(a->first);
    for (uint32_t s = 0; s < a->states; s++)
        if (!w.number[s])
            walk_from(&w, s);
    sum_up(c, a);
    free(w.number);
    free(w.low);
    free(w.next);
    free(w.path);
    free(w.open);
}

void components_fini(struct components *c)
{
    free(c->of);
    free(c->cyclic);
    free(c->marks);
    *c = (struct components){ 0 };
}

/* ---- what is useless ---- */

/* Of each component: can an accepting run be had in it or in what it leads to? Gives. */
static bool *useful_components(const struct components *c, const struct automaton *a)
{
    bool *useful = memory_get(c->count * sizeof *useful), changed = true;
    for (uint32_t i = 0; i < c->count; i++)
        useful[i] = c->cyclic[i] && c->marks[i] == a->all;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < a->count; i++) {
            bool *from = &useful[c->of[a->edges[i].from]];
            if (!*from && useful[c->of[a->edges[i].to]])
                *from = changed = true;
        }
    }
    return useful;
}

static void reach(const struct automaton *a, const struct components *c, const bool *useful, uint32_t *now, uint32_t *states)
{
    uint32_t *open = memory_get(a->states * sizeof *open), head = 0;
    memset(now, 0xff, a->states * sizeof *now);
    now[0] = 0;
    open[0] = 0;
    *states = 1;
    while (head < *states) {
        uint32_t s = open[head++];
        for (uint32_t i = a->first[s]; useful[c->of[s]] && i < a->first[s + 1]; i++) {
            uint32_t t = a->edges[i].to;
            if (now[t] != UINT32_MAX || !useful[c->of[t]])
                continue;
            open[*states] = t;
            now[t] = (*states)++;
        }
    }
    free(open);
}

static void drop_edges_of_useless(struct automaton *a, const struct components *c, const bool *useful)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (useful[c->of[a->edges[i].from]] && useful[c->of[a->edges[i].to]])
            a->edges[kept++] = a->edges[i];
    a->count = kept;
}

void automaton_trim(struct automaton *a)
{
    struct components c;
    uint32_t *now = memory_get(a->states * sizeof *now), states;
    automaton_sort(a);
    components_find(&c, a);
    bool *useful = useful_components(&c, a);
    reach(a, &c, useful, now, &states);
    drop_edges_of_useless(a, &c, useful);
    automaton_renumber(a, now, states);
    components_fini(&c);
    free(useful);
    free(now);
}

/* ---- marks that could as well be others ---- */

static uint64_t idle_mark(const struct components *c, const struct automaton *a, uint32_t from, uint32_t to, uint64_t now, uint64_t idle)
{
    uint32_t of = c->of[from];
    if (of != c->of[to] || !c->cyclic[of])
        return idle;
    return c->marks[of] == a->all ? now : 0;
}

void automaton_idle_marks(struct automaton *a, uint64_t marks)
{
    struct components c;
    components_find(&c, a);
    for (uint32_t s = 0; a->on_states && s < a->states; s++)
        a->marks[s] = idle_mark(&c, a, s, s, a->marks[s], marks);
    for (uint32_t i = 0; !a->on_states && i < a->count; i++) {
        struct arc *e = &a->edges[i];
        e->marks = idle_mark(&c, a, e->from, e->to, e->marks, marks);
    }
    components_fini(&c);
    automaton_sort(a);                               /* by marks, too */
}

/* Of each component: does it have a cycle without the mark? Gives. */
static bool *avoiding(const struct automaton *a, const struct components *c, uint64_t mark)
{
    bool *avoids = memory_get(c->count * sizeof *avoids);
    struct automaton rest = { 0 };
    struct components parts;
    while (rest.states < a->states)
        automaton_state(&rest, 0);
    for (uint32_t i = 0; i < a->count; i++)
        if (!((a->edges[i].marks | a->marks[a->edges[i].from]) & mark))
            automaton_edge(&rest, a->edges[i]);
    automaton_sort(&rest);
    components_find(&parts, &rest);
    for (uint32_t s = 0; s < a->states; s++)
        avoids[c->of[s]] |= parts.cyclic[parts.of[s]];
    components_fini(&parts);
    automaton_fini(&rest);
    return avoids;
}

static void saturate_with(struct automaton *a, const struct components *c, uint64_t mark)
{
    bool *avoids = avoiding(a, c, mark);
    for (uint32_t s = 0; a->on_states && s < a->states; s++)
        if (c->cyclic[c->of[s]] && !avoids[c->of[s]])
            a->marks[s] |= mark;
    for (uint32_t i = 0; !a->on_states && i < a->count; i++) {
        struct arc *e = &a->edges[i];
        if (c->of[e->from] == c->of[e->to] && !avoids[c->of[e->from]])
            e->marks |= mark;
    }
    free(avoids);
}

void automaton_saturate(struct automaton *a)
{
    struct components c;
    components_find(&c, a);
    for (uint64_t left = a->all; left; left &= left - 1)
        saturate_with(a, &c, left & -left);
    components_fini(&c);
    automaton_sort(a);
}
