/* Several paths, one after the other, in one batch: as long as a sharing group is one UNIX process, it goes back between them by itself.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

/* As long as the group is one UNIX process, it can go back by itself. */
static bool is_alone(const struct native *n)
{
    if (n->group.single)
        return false;
    for (uint32_t h = 1; h < MAX_PROCESSES; h++)
        if (n->members[h].pid)
            return false;
    return snapshots_can(n) && n->group.snapshot_count;
}

static uint32_t common(const struct way *a, const struct way *b)
{
    enum { BLOCK = 16 };             /* mostly they are alike for long */
    uint32_t same = 0, least = a->count < b->count ? a->count : b->count;
    while (same + BLOCK <= least && !memcmp(a->path + same, b->path + same, BLOCK * sizeof *a->path))
        same += BLOCK;
    while (same < least && a->path[same].process == b->path[same].process && a->path[same].result == b->path[same].result
           && a->path[same].to == b->path[same].to)
        same++;
    return same;
}

static bool any_forks(const struct native *n, const struct way *w, uint32_t from)
{
    for (uint32_t i = from; i < w->count; i++)
        if (ran_forks(n, &w->path[i]))
            return true;
    return false;
}

static void add_mark(struct native *n, uint8_t mark, uint32_t snapshot)
{
    struct batch_plan *batch = &n->group.plan;
    assert(batch->count < MAX_BATCH && snapshot < MAX_SNAPSHOTS);
    batch->steps[batch->count++] = (struct wire_step){.result = snapshot, .process = mark};
}

/* Back to the last snapshot that is at most `shared` steps from the start. Gives its place; NO_NODE: there is none. */
static uint32_t add_back(struct native *n, uint32_t shared)
{
    struct group_run *g = &n->group;
    while (g->snapshot_count && g->snapshots[g->snapshot_count - 1] > shared)
        g->snapshot_count--;
    uint32_t number = g->snapshot_count - 1;
    if (!g->snapshot_count || g->kept[0][number] != number)
        return NO_NODE;
    assert(g->snapshots[number] <= shared);
    add_mark(n, STEP_BACK, number);
    return g->snapshots[number];
}

static void add_keep(struct native *n, uint32_t at)
{
    struct group_run *g = &n->group;
    uint32_t number = g->snapshot_count++;
    assert(!number || g->snapshots[number - 1] <= at);           /* they stand in the order in which they were taken */
    add_mark(n, STEP_KEEP, number);
    g->snapshots[number] = at;
    g->kept[0][number] = (uint8_t)number;
}

/* Adds a way to the batch that begins where the group stands then, after `standing` steps; `shared` of these are its own. False: it
 * does not fit. */
static bool add_way(struct native *n, const struct way *ways, uint32_t which, uint32_t standing, uint32_t shared)
{
    struct batch_plan *batch = &n->group.plan;
    const struct way *way = &ways[which];
    uint32_t at = standing <= shared ? standing : batch->count < MAX_BATCH ? add_back(n, shared) : NO_NODE;
    if (at == NO_NODE || batch->count + way->count - at + 1 > MAX_BATCH || any_forks(n, way, at))
        return false;
    uint32_t keep = shared > at + FAR && n->group.snapshot_count < MAX_SNAPSHOTS ? shared - (shared - at) / 4 : UINT32_MAX;
    for (; at < way->count; at++) {
        if (at == keep)
            add_keep(n, at);
        n->group.spots[batch->count] = (struct spot){which, at};
        if (!batch_add(n, &way->path[at]))
            return false;
    }
    return true;
}

/* The snapshots as they are after the first `done` steps of the batch. */
static void replay_marks(struct native *n, uint32_t done)
{
    struct group_run *g = &n->group;
    const struct batch_plan *batch = &n->group.plan;
    memcpy(g->snapshots, g->sent.snapshots, sizeof g->snapshots);
    g->snapshot_count = g->sent.snapshot_count;
    for (uint32_t i = 0; i < done; i++) {
        const struct wire_step *step = &batch->steps[i];
        if (step->process < STEP_KEEP)
            continue;
        g->snapshot_count = step->result + 1;
        if (step->process == STEP_KEEP)
            g->snapshots[step->result] = g->spots[i + 1].step;
    }
}

/* Puts the ways from `first` on into the batch, as many as fit. */
static void fill_batch(struct native *n, uint32_t first)
{
    struct group_run *g = &n->group;
    struct sent *sent = &g->sent;
    struct batch_plan *batch = &n->group.plan;
    const struct way *ways = sent->ways;
    uint32_t standing = g->ran_count, shared = ran_shared(n, ways[first].path, ways[first].count, 0);
    assert(first < sent->count && shared <= ways[first].count);
    memcpy(sent->snapshots, g->snapshots, sizeof sent->snapshots);
    sent->snapshot_count = g->snapshot_count;
    sent->first = sent->next = first;
    sent->shared = shared;
    batch_empty(n);
    while (sent->next < sent->count) {
        uint32_t kept = batch->count;
        if (!add_way(n, ways, sent->next, standing, shared)) {
            batch->count = kept;
            replay_marks(n, kept);
            break;
        }
        standing = ways[sent->next++].count;
        if (sent->next < sent->count)
            shared = common(&ways[sent->next - 1], &ways[sent->next]);
    }
}

/* The program stands at the end of this way, or where `steps` of it led, the last of them to `digest`. */
static void stands_at(struct native *n, const struct way *way, uint32_t steps, uint64_t digest)
{
    assert(steps && steps <= way->count);
    n->group.ran_count = 0;
    uint64_t transitions = n->counts.transitions;
    for (uint32_t i = 0; i < steps; i++)
        ran_note(n, &way->path[i], i + 1 < steps ? ran_digest(n, &way->path[i]) : digest, seen_standing(n, i));
    n->counts.transitions = transitions;
}

static void count_done(struct native *n, uint32_t done)
{
    const struct batch_plan *batch = &n->group.plan;
    bool tells = native_instrumented(n);
    replay_marks(n, done);
    if (tells)
        seen_begin(n);
    for (uint32_t i = 0; i < done; i++) {
        if (tells && batch->steps[i].process < STEP_KEEP)
            seen_note(n, i, n->group.spots[i]);
        n->counts.transitions += batch->steps[i].process < STEP_KEEP;
        n->counts.restores += batch->steps[i].process == STEP_BACK;
    }
}

/* Waits for the batch. Gives the number of the way to be run next, with `right` of the one before; or, with UINT32_MAX there, of
 * one that was not run to its end: a crash ends a batch, also when foreseen, and the program may have been killed. */
static int collect(struct native *n, uint32_t *right, struct arrival *a, struct err *err)
{
    struct sent *sent = &n->group.sent;
    const struct batch_plan *batch = &n->group.plan;
    sent->runs = false;
    *right = sent->ways[sent->next - 1].count;
    if (!batch->count)
        return (int)sent->next;
    int done = batch_finish(n, a, err);
    if (done == -ESRCH) {
        *right = UINT32_MAX;
        return (int)sent->first;
    }
    if (done < 0)
        return done;
    struct spot spot = n->group.spots[done - 1];
    assert(spot.way >= sent->first && spot.way < sent->next && spot.step < sent->ways[spot.way].count);
    count_done(n, (uint32_t)done);
    odd_stand_at(n, sent->ways[spot.way].path, spot.step, a);
    stands_at(n, &sent->ways[spot.way], spot.step + 1, a->fingerprint[1]);
    ran_note_loop(n, a);
    if (a->fingerprint[1] != batch->steps[done - 1].expect) {
        const struct way *way = &sent->ways[spot.way];
        *right = spot.step;
        odd_check(n, way->path, spot.step, spot.way == sent->first ? sent->shared : common(way - 1, way), a);
        return (int)spot.way + 1;
    }
    if ((uint32_t)done == batch->count)
        return (int)sent->next;
    bool whole = spot.step + 1 == sent->ways[spot.way].count;
    *right = whole ? spot.step + 1 : UINT32_MAX;
    return (int)spot.way + whole;
}

int group_send(void *self, const struct way *ways, uint32_t count, enum sending how, struct err *err)
{
    struct native *n = self;
    struct sent *sent = &n->group.sent;
    (void)err;
    sent->ways = ways;
    sent->count = count;
    sent->runs = false;
    seen_forget(n);
    if (!is_alone(n))
        return 0;
    fill_batch(n, 0);
    sent->runs = sent->next > 0;
    pace_stay_apart(n, how == SEND_AND_GO_ON && pace_is_faster_apart(n, count));
    if (sent->runs && n->group.plan.count)
        batch_start(n);
    return 0;
}

/* The next of the ways, or several. As `collect`. */
static int run_ways(struct native *n, uint32_t first, uint32_t *right, struct arrival *a, struct err *err)
{
    struct sent *sent = &n->group.sent;
    *right = UINT32_MAX;
    if (!is_alone(n))
        return (int)first;
    fill_batch(n, first);
    if (sent->next == first)
        return (int)first;
    if (n->group.plan.count)
        batch_start(n);
    return collect(n, right, a, err);
}

int group_await(void *self, uint32_t *wrong, uint32_t *right, struct arrival *a, struct err *err)
{
    struct native *n = self;
    const struct sent *sent = &n->group.sent;
    for (int i = 0; i < (int)sent->count;) {
        i = sent->runs ? collect(n, right, a, err) : run_ways(n, (uint32_t)i, right, a, err);
        if (i < 0)
            return native_refused(i);
        if (*right == UINT32_MAX) {
            int rc = group_run_whose(n, sent->ways[i].path, sent->ways[i].count, DEFERRED, right, a, err);
            if (rc < 0)
                return rc;
            seen_copy(n, (uint32_t)i);
            i++;
        }
        assert(i && *right <= sent->ways[i - 1].count);
        if (*right < sent->ways[i - 1].count) {
            *wrong = (uint32_t)i - 1;
            return 0;
        }
    }
    *wrong = sent->count;
    return 0;
}
