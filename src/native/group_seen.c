/* The memory that each step of a sharing group read and wrote, as the runtime told it with the batch.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The last is where the group stands: the path that was run last. */
static struct seen *standing(struct native *n) { return &n->group.seen[MAX_WAYS]; }

static void make_room(struct seen *s, uint32_t count)
{
    if (count <= s->room)
        return;
    s->room = 2 * count;
    s->sets = memory_resize(s->sets, s->room * sizeof *s->sets);
}

uint32_t seen_in_batch(const struct native *n, uint32_t step)
{
    return line_accesses(&n->line)->seen[step];
}

void seen_begin(struct native *n)
{
    struct seen *s = standing(n);
    make_room(s, n->group.ran_count);
    s->count = n->group.ran_count;
    for (uint32_t i = 0; i < s->count; i++)
        s->sets[i] = n->group.ran[i].seen;
}

void seen_copy(struct native *n, uint32_t way)
{
    struct seen *to = &n->group.seen[way];
    assert(way < MAX_WAYS);
    seen_begin(n);
    make_room(to, standing(n)->count);
    to->count = standing(n)->count;
    memcpy(to->sets, standing(n)->sets, to->count * sizeof *to->sets);
}

/* Steps of a way come one after the other; what it has in common with the way before was there already. */
void seen_note(struct native *n, uint32_t step, struct spot spot)
{
    struct seen *s = standing(n), *way = &n->group.seen[spot.way];
    uint32_t count = n->group.sent.ways[spot.way].count;
    assert(spot.way < MAX_WAYS && spot.step < count);
    make_room(s, spot.step + 1);
    s->sets[spot.step] = seen_in_batch(n, step);
    s->count = spot.step + 1;
    if (s->count < count)
        return;
    make_room(way, count);
    way->count = count;
    memcpy(way->sets, s->sets, count * sizeof *way->sets);
}

uint32_t seen_standing(const struct native *n, uint32_t step)
{
    const struct seen *s = &n->group.seen[MAX_WAYS];
    assert(s->count <= s->room);
    return step < s->count ? s->sets[step] : 0;          /* a program that is not instrumented tells nothing */
}

void seen_forget(struct native *n)
{
    for (uint32_t i = 0; i < MAX_WAYS; i++)
        n->group.seen[i].count = 0;
}

void seen_fini(struct native *n)
{
    for (uint32_t i = 0; i <= MAX_WAYS; i++)
        free(n->group.seen[i].sets);
    free(n->group.told);
}

/* In the C++ library what such a loop counts is of no use to anybody (std::atomic::wait looks some times before it waits). */
static bool is_of_library(struct native *n, uint64_t place)
{
    if (place == n->group.library_loop)
        return true;
    bool library = where_call(native_where(n), place).file && !where_is_own(native_where(n), place);
    n->group.library_loop = library ? place : n->group.library_loop;
    return library;
}

static void note_counting(struct native *n)
{
    uint64_t *told = &line_accesses(&n->line)->counts, place = *told;
    *told = 0;                       /* another one may be told */
    if (place && !is_of_library(n, place))
        visible_loop(n->settings.visible, place, false);
}

/* ---- of the runner ---- */

bool seen_told(struct native *n)
{
    if (!native_instrumented(n) || !n->settings.visible)
        return false;
    seen_resolve(n);
    n->settings.visible->instrumented = true;
    n->settings.visible->weak |= line_accesses(&n->line)->weak != 0;
    note_counting(n);
    if (!n->settings.visible->whole)
        n->settings.visible->whole = line_accesses(&n->line)->whole;
    return true;
}

const uint32_t *seen_of(void *self, uint32_t way)
{
    struct native *n = self;
    if (!seen_told(n))
        return NULL;
    if (way == (uint32_t)LAST_RUN) {
        seen_begin(n);
        return standing(n)->sets;
    }
    return n->group.seen[way].count ? n->group.seen[way].sets : NULL;    /* none: it is the way before once more */
}

/* The program may write there: nothing is believed unseen. */
int seen_accesses(void *self, uint32_t set, const struct wire_access **all)
{
    struct native *n = self;
    struct group_run *g = &n->group;
    const struct wire_accesses *told = line_accesses(&n->line);
    seen_resolve(n);                 /* an error may have been confirmed meanwhile, by another run */
    struct wire_set s = set < MAX_SETS ? told->sets[set] : (struct wire_set){ .count = UINT32_MAX };
    if (s.first > MAX_ACCESSES || s.count > MAX_ACCESSES - s.first)
        return -1;
    if (s.count > g->told_room) {
        g->told_room = 2 * s.count;
        g->told = memory_resize(g->told, g->told_room * sizeof *g->told);
    }
    if (s.count)
        memcpy(g->told, told->accesses + s.first, s.count * sizeof *g->told);
    for (uint32_t i = 0; i < s.count; i++)
        if (g->told[i].address >= WIRE_TOP || !g->told[i].size)
            return -1;
    *all = g->told;
    return (int)s.count;
}

/* ---- where they are ---- */

const struct habits *native_habits(const struct native *n) { return n->settings.group ? n->settings.habits : NULL; }
const char *native_executable(const struct native *n) { return n->settings.executable; }

/* Another run may have had the program elsewhere. */
void seen_resolve(struct native *n)
{
    if (n->settings.visible)
        visible_move(n->settings.visible, line_accesses(&n->line)->parts);
}

const struct visible *native_visible(struct native *n)
{
    if (!n->settings.group)
        return NULL;
    seen_resolve(n);
    return n->settings.visible;
}
