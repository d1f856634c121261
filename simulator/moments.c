/* SPDX-License-Identifier: MIT */
#include "simulator/moments.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 32 };                 /* of an object: places in the list of last events; parts that share one only cost time */
#define NONE UINT32_MAX

/* ---- who took whose message ---- */

static uint32_t *last_of(struct scenario *s, const struct op *op, const struct passage *p)
{
    uint32_t key = op->object * PARTS + p->part % PARTS;
    if (key >= s->last_count) {
        uint32_t count = 2 * (key + 1);
        for (int i = 0; i < 2; i++) {
            s->last[i] = memory_resize(s->last[i], count * sizeof **s->last);
            memset(s->last[i] + s->last_count, 0, (count - s->last_count) * sizeof **s->last);
        }
        s->last_count = count;
    }
    return &s->last[p->role == ROLE_RECEIVE][key];
}

static bool moves(const struct passage *p) { return p->role == ROLE_SEND || p->role == ROLE_RECEIVE; }

/* Of a type that does not say what it moves: messages are received in the order in which they were sent. */
static void count_messages(const struct scenario *s, uint32_t before, struct passage *p)
{
    p->first = before == NONE ? 0 : s->moments[before].passage.first + 1;
    p->count = 1;
}

static bool overlaps(const struct passage *a, const struct passage *b)
{
    return a->part == b->part && (b->first - a->first < a->count || a->first - b->first < b->count);
}

static bool is_for(const struct passage *send, int process)
{
    return !send->to || send->to >> process & 1;
}

/* Each unit was sent once (a message for a process: only the last counts), so the search ends when all were found. */
static void find_senders(struct scenario *s, struct moment *m, int process, uint32_t last_send)
{
    struct passage *p = &m->passage;
    uint32_t found = 0;
    m->from = s->sender_count;
    for (uint32_t e = last_send; e != NONE && found < p->count; e = s->moments[e].before) {
        const struct passage *send = &s->moments[e].passage;
        if (!overlaps(send, p) || !is_for(send, process))
            continue;
        uint32_t start = send->first - p->first < p->count ? send->first : p->first;
        uint32_t end = send->first + send->count - p->first <= p->count ? send->first + send->count : p->first + p->count;
        found += end - start;
        ARRAY_GROW(s->senders, s->sender_count, s->sender_room);
        s->senders[s->sender_count++] = e;
        m->from_count++;
    }
}

static void note_passage(struct scenario *s, uint32_t event)
{
    struct moment *m = &s->moments[event];
    const struct op *op = &s->trace.events[event].op;
    m->before = NONE;
    m->from = s->sender_count;
    if (!moves(&m->passage))
        return;
    uint32_t *last = last_of(s, op, &m->passage);
    m->before = *last - 1;
    if (!types_get(op->type)->passage)
        count_messages(s, m->before, &m->passage);
    *last = event + 1;
    if (m->passage.role == ROLE_RECEIVE) {
        struct passage send = { .role = ROLE_SEND, .part = m->passage.part };
        find_senders(s, m, op->process, *last_of(s, op, &send) - 1);
    }
}

static void forget_passage(struct scenario *s, uint32_t event)
{
    const struct moment *m = &s->moments[event];
    s->sender_count = m->from;
    if (moves(&m->passage))
        *last_of(s, &s->trace.events[event].op, &m->passage) = m->before + 1;
}

/* ---- the scenario ---- */

void scenario_fini(struct scenario *all)
{
    trace_fini(&all->trace);
    free(all->moments);
    free(all->senders);
    free(all->last[0]);
    free(all->last[1]);
    *all = (struct scenario){ 0 };
}

bool scenario_drop_after(struct scenario *s, uint32_t count)
{
    bool any = s->trace.count > count;
    while (s->trace.count > count)
        forget_passage(s, --s->trace.count);
    return any;
}

void scenario_add(struct scenario *s, const struct moment *m)
{
    uint32_t event = s->trace.count - 1;
    while (event >= s->moment_room)
        ARRAY_GROW(s->moments, s->moment_room, s->moment_room);
    s->moments[event] = *m;
    s->moments[event].from_count = 0;
    note_passage(s, event);
}
