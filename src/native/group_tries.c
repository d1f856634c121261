/* Steps that are only tried, in one turn of the program: all that can be done in a state, or some that are known to be asked for next. It
 * tries one, says where that led, goes back by its journal, and tries the next: a turn costs more than most steps. Where a step led it says by its digest alone: a step that comes to what
 * nobody ever stood before has to be run for itself, and so has one that ends.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

/* Where addresses differ from start to start, variables are known by the part of the program that they lie in: pages that are told by their addresses
 * would be others. */
static bool can_try(const struct native *n, uint32_t count, const struct attempt *attempts, uint32_t many)
{
    const struct group_run *g = &n->group;
    bool forks = many > MAX_TRIES || (n->settings.visible && !native_fixed(n));
    for (uint32_t i = 0; i < many && !forks; i++)
        forks = ran_forks(n, &attempts[i].leg);
    return n->settings.states && !n->settings.restart && !g->single && g->alive && !forks && g->loop.count <= count;
}

/* False: there is no room. */
static bool fill(struct native *n, const struct leg *path, uint32_t count, const struct attempt *attempts, uint32_t many)
{
    struct batch_plan *plan = &n->group.plan;
    uint32_t standing = count;
    batch_empty(n);
    for (uint32_t i = n->group.ran_count; i < count; i++)
        if (ran_forks(n, &path[i]) || !batch_add(n, &path[i]))
            return false;
    for (uint32_t i = 0; i < many; standing = attempts[i++].at + 1) {
        if (standing != attempts[i].at && plan->count < MAX_BATCH)
            plan->steps[plan->count++] = (struct wire_step){.result = attempts[i].at, .process = STEP_BACK};
        if (plan->count == MAX_BATCH)
            return false;
        n->group.spots[plan->count] = (struct spot){i, 0};
        if (!batch_add(n, &attempts[i].leg))
            return false;
        plan->steps[plan->count - 1].tries = (uint8_t)(1 + i);
        plan->steps[plan->count - 1].depth = attempts[i].at + 1;
    }
    return true;
}

/* One of those that were tried led there; the path goes on from where it began. */
static void stand_behind(struct native *n, const struct attempt *t, uint64_t digest, uint32_t seen)
{
    assert(t->at <= n->group.ran_count);
    n->counts.restores += t->at < n->group.ran_count;
    n->group.ran_count = t->at;
    ran_note(n, &t->leg, digest, seen);
}

/* The program has done so many steps, and the last led there. Gives how many of the path's led where they should. */
static uint32_t stand(struct native *n, const struct leg *path, const struct attempt *attempts, uint32_t first, uint32_t done, const struct arrival *a)
{
    const struct batch_plan *plan = &n->group.plan;
    const struct wire_batch *batch = line_batch(&n->line);
    uint32_t begin = n->group.ran_count, on_path = done < first ? done : first;
    for (uint32_t i = 0; i < on_path; i++)
        ran_note(n, &path[begin + i], i + 1 < done ? plan->steps[i].expect : a->fingerprint[1], seen_in_batch(n, i));
    for (uint32_t i = first; i < done; i++)
        if (plan->steps[i].process < STEP_KEEP)
            stand_behind(n, &attempts[n->group.spots[i].way], i + 1 < done ? batch->led[n->group.spots[i].way].digest : a->fingerprint[1], seen_in_batch(n, i));
    ran_note_loop(n, a);
    return done > first ? first : on_path - 1;           /* else it stopped within the path, and that has a reason */
}

static void keep_noted(struct native *n, uint32_t number, const struct noted *noted, uint32_t count, struct glimpse *to)
{
    struct group_run *g = &n->group;
    assert((number + 1) * count <= g->tried_room);
    if (count)
        memcpy(g->tried + (size_t)number * count, noted, count * sizeof *noted);
    to->noted = count ? g->tried + (size_t)number * count : NULL;
}

/* What the program told of this one, and what its variables held then. */
static int take(struct native *n, uint32_t number, struct glimpse *to, struct err *err)
{
    const struct noter *noter = &n->settings.noter;
    const struct wire_batch *batch = line_batch(&n->line);
    const struct noted *noted = NULL;
    uint32_t count = 0;
    *to = (struct glimpse){.digest = batch->led[number].digest, .memory = {batch->led[number].memory[0], batch->led[number].memory[1]}};
    if (!noter->self)
        return 0;
    n->memory.told = batch->told[number];
    n->memory.missed = false;
    int rc = noter->note(noter->self, native_where(n), &n->memory, &noted, &count, err);
    n->memory.told = NULL;
    if (rc < 0)
        return rc;
    to->digest = n->memory.missed ? 0 : to->digest;
    keep_noted(n, number, noted, count, to);
    return 0;
}

/* Those that were done before the last one; this one is as any that was run. */
static int take_all(struct native *n, uint32_t first, uint32_t done, const struct arrival *a, struct glimpse *out, struct err *err)
{
    struct group_run *g = &n->group;
    uint32_t last = g->spots[done - 1].way, needed = (last + 1) * a->noted_count;
    if (needed > g->tried_room) {
        g->tried_room = 2 * needed;
        g->tried = memory_resize(g->tried, g->tried_room * sizeof *g->tried);
    }
    out[last] = (struct glimpse){.digest = g->alive ? a->fingerprint[1] : 0, .memory = {a->memory[0], a->memory[1]}, .seen = seen_in_batch(n, done - 1)};
    if (a->notes || a->fingerprint[1] != n->told.digest)         /* a death, or its like, is known by what it is alone */
        out[last].digest = 0;
    keep_noted(n, last, a->noted, a->noted ? a->noted_count : 0, &out[last]);
    for (uint32_t i = first; i + 1 < done; i++) {
        uint32_t number = g->spots[i].way;
        int rc = g->plan.steps[i].tries ? take(n, number, &out[number], err) : 0;
        if (rc < 0)
            return rc;
        if (g->plan.steps[i].tries)
            out[number].seen = seen_in_batch(n, i);
    }
    return 0;
}

int group_try(void *self, const struct leg *path, uint32_t count, uint32_t known, const struct attempt *attempts, uint32_t many, struct glimpse *out,
              struct err *err)
{
    struct native *n = self;
    struct arrival a = {0};
    memset(out, 0, many * sizeof *out);
    if (!can_try(n, count, attempts, many))
        return 0;
    uint32_t shared = ran_shared(n, path, count, known);
    int rc = snapshots_go_back(n, shared, err);
    if (rc < 0)
        return native_refused(rc);
    uint32_t first = count - n->group.ran_count;
    if (!fill(n, path, count, attempts, many))
        return (int)shared;
    memcpy(line_batch(&n->line)->pages, n->memory.pages, sizeof n->memory.pages);
    pace_stay_apart(n, false);
    n->group.pace.count = 0;
    batch_start(n);
    int done = batch_finish(n, &a, err);
    if (done == -ESRCH)
        n->group.alive = false;
    if (done < 0)
        return done == -ESRCH ? 0 : native_refused(done);
    seen_told(n);
    uint32_t stands = count - first + stand(n, path, attempts, first, (uint32_t)done, &a);
    rc = (uint32_t)done > first ? take_all(n, first, (uint32_t)done, &a, out, err) : 0;
    return rc < 0 ? native_refused(rc) : (int)stands;
}
