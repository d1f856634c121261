/* Simulation: a state that can do all that another can, step by step and with at least its marks, accepts all that the other accepts. States
 * that can do the same become one, and an edge goes when another from the same state says as much and leads to a state that can do more
 * (direct simulation; Etessami and Holzmann 2000, section 4; Somenzi and Bloem 2000, section 4). Looked at backwards, it is the
 * ways by which states are reached that are compared: each finite run into the one has a run into the other with the same guards and
 * marks, from the initial state, too (Somenzi and Bloem call it reverse simulation).
 *
 * Guards are compared as sets: an edge is matched when those of the other state, all together, allow what it allows. So what is one
 * edge here and two there, p and !p, is found to be the same.
 *
 * Marks that are met only once may be any, but one choice must do for the whole comparison, or it is not transitive: 'all' lets a state
 * on no cycle be the same as one that accepts, 'none' as one that does not. Hence both, one after the other.
 *
 * Left out: delayed and fair simulation, which find more and cost more. The relation is a table of states times states, worked on until
 * nothing changes, so automata of more than SIMULATED edges are left as they are: they only stay larger.
 * SPDX-License-Identifier: MIT */
#include "properties/automaton.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SIMULATED = 5000 };
enum direction { FORWARD, BACKWARD };

struct relation {
    struct automaton *a;
    enum direction    direction;
    uint32_t        **at;            /* of each state: numbers of the edges that leave it, or backwards: that lead to it */
    uint32_t         *count;
    bool             *more;          /* more[p * states + q]: q can do what p can */
    struct cube      *guard;         /* room for as many as there are edges */
    bool             *gone;          /* edges that have been left out */
};

static uint32_t far_end(const struct relation *r, uint32_t i)
{
    return r->direction == FORWARD ? r->a->edges[i].to : r->a->edges[i].from;
}

static bool *more(const struct relation *r, uint32_t p, uint32_t q)
{
    return &r->more[(size_t)p * r->a->states + q];
}

/* Do edges at state q, without that one itself, say at least as much as the edge? */
static bool matched(const struct relation *r, uint32_t edge, uint32_t q)
{
    const struct arc *e = &r->a->edges[edge];
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->count[q]; i++) {
        uint32_t other = r->at[q][i];
        const struct arc *f = &r->a->edges[other];
        if (other != edge && !r->gone[other] && !(e->marks & ~f->marks) && *more(r, far_end(r, edge), far_end(r, other)))
            r->guard[count++] = f->guard;
    }
    return cube_covered(e->guard, r->guard, count);
}

static bool all_matched(const struct relation *r, uint32_t p, uint32_t q)
{
    for (uint32_t i = 0; i < r->count[p]; i++)
        if (!matched(r, r->at[p][i], q))
            return false;
    return true;
}

static void index_edges(struct relation *r)
{
    const struct automaton *a = r->a;
    uint32_t *room = memory_get(a->states * sizeof *room);
    r->at = memory_get(a->states * sizeof *r->at);
    r->count = memory_get(a->states * sizeof *r->count);
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t s = r->direction == FORWARD ? a->edges[i].from : a->edges[i].to;
        ARRAY_GROW(r->at[s], r->count[s], room[s]);
        r->at[s][r->count[s]++] = i;
    }
    free(room);
}

static void relation_find(struct relation *r, struct automaton *a, enum direction direction)
{
    *r = (struct relation){ .a = a, .direction = direction, .more = memory_get((size_t)a->states * a->states),
                            .guard = memory_get(a->count * sizeof *r->guard), .gone = memory_get(a->count * sizeof *r->gone) };
    index_edges(r);
    for (uint32_t p = 0; p < a->states; p++)
        for (uint32_t q = 0; q < a->states; q++)
            *more(r, p, q) = !(a->marks[p] & ~a->marks[q]) && (direction == FORWARD || p || !q);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = 0; p < a->states; p++)
            for (uint32_t q = 0; q < a->states; q++)
                if (p != q && *more(r, p, q) && !all_matched(r, p, q)) {
                    *more(r, p, q) = false;
                    changed = true;
                }
    }
}

static void relation_fini(struct relation *r)
{
    for (uint32_t s = 0; s < r->a->states; s++)
        free(r->at[s]);
    free(r->at);
    free(r->count);
    free(r->more);
    free(r->guard);
    free(r->gone);
}

/* One edge after the other, so that of two that say the same one stays. */
static void leave_out_edges(struct relation *r)
{
    struct automaton *a = r->a;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->count; i++)
        r->gone[i] = matched(r, i, r->direction == FORWARD ? a->edges[i].from : a->edges[i].to);
    for (uint32_t i = 0; i < a->count; i++)
        if (!r->gone[i])
            a->edges[kept++] = a->edges[i];
    a->count = kept;
    automaton_sort(a);
}

/* Those that can do the same get one number. Gives how many there are. */
static uint32_t number_classes(const struct relation *r, uint32_t *now)
{
    uint32_t classes = 0;
    for (uint32_t s = 0; s < r->a->states; s++) {
        now[s] = UINT32_MAX;
        for (uint32_t t = 0; t < s && now[s] == UINT32_MAX; t++)
            if (*more(r, s, t) && *more(r, t, s))
                now[s] = now[t];
        if (now[s] == UINT32_MAX)
            now[s] = classes++;
    }
    return classes;
}

static void reduce(struct automaton *a, enum direction direction)
{
    struct relation r;
    uint32_t *now = memory_get(a->states * sizeof *now);
    relation_find(&r, a, direction);
    uint32_t classes = number_classes(&r, now);
    leave_out_edges(&r);
    relation_fini(&r);
    automaton_renumber(a, now, classes);
    automaton_trim(a);
    free(now);
}

void automaton_reduce(struct automaton *a)
{
    uint32_t states, edges;
    automaton_trim(a);
    do {
        states = a->states;
        edges = a->count;
        automaton_saturate(a);
        for (int i = 0; i < 2 && a->count <= SIMULATED; i++) {
            automaton_idle_marks(a, i ? 0 : a->all);
            reduce(a, FORWARD);
        }
        if (a->count <= SIMULATED)
            reduce(a, BACKWARD);
        automaton_check(a);
    } while (a->states < states || a->count < edges);
}
