/* Going back: a sharing group's memory is put back to a snapshot, or the program starts again.
 *
 * Invariant: snapshot i was taken after `snapshots[i]` steps of what was run. A snapshot is taken, and put back, by each UNIX process when
 * it next runs: until then `snapshot` and `restore` stand in its slot. One that did not run between two snapshots takes only the first.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

bool snapshots_can(const struct native *n)
{
    return n->group.alive && !n->settings.restart && !n->settings.threads && !n->settings.states && !line_batch(&n->line)->kernel_state;
}

void snapshots_ask(struct native *n)
{
    struct group_run *g = &n->group;
    if (!snapshots_can(n) || g->snapshot_count == MAX_SNAPSHOTS)
        return;
    assert(!g->snapshot_count || g->snapshots[g->snapshot_count - 1] <= g->ran_count);
    g->snapshots[g->snapshot_count++] = g->ran_count;
    uint32_t number = g->snapshot_count - 1;
    for (uint32_t h = 0; h < MAX_PROCESSES; h++) {
        if (!n->members[h].pid)
            continue;
        if (g->same[h] == NOT_KEPT) {
            n->line.wire->slots[h].snapshot = number + 1;
            g->same[h] = (uint8_t)number;
        }
        g->kept[h][number] = g->same[h];
    }
    line_batch(&n->line)->snapshot = number + 1;
}

static void put_host_back(struct native *n, uint32_t h, uint32_t number)
{
    struct group_run *g = &n->group;
    struct wire_slot *s = &n->line.wire->slots[h];
    if (g->same[h] == g->kept[h][number])
        return;
    s->snapshot = 0;
    s->restore = g->kept[h][number] + 1u;
    g->same[h] = g->kept[h][number];
}

static void restore(struct native *n)
{
    struct group_run *g = &n->group;
    struct wire_batch *batch = line_batch(&n->line);
    assert(g->snapshot_count && g->snapshots[g->snapshot_count - 1] <= g->ran_count);
    g->ran_count = g->snapshots[g->snapshot_count - 1];
    for (uint32_t h = 0; h < MAX_PROCESSES; h++) {
        if (n->members[h].pid && g->born[h] > g->ran_count)
            member_dismiss(n, h);
        else if (n->members[h].pid)
            put_host_back(n, h, g->snapshot_count - 1);
    }
    if (batch->snapshot != g->snapshot_count) {          /* else nobody has run since it was asked for */
        batch->snapshot = 0;
        batch->restore = g->snapshot_count;
    }
    n->counts.restores++;
}

void group_forget(struct native *n)
{
    n->group.ran_count = n->group.snapshot_count = 0;
    n->group.alive = n->group.apart = false;
    memset(n->group.same, NOT_KEPT, sizeof n->group.same);
}

static int start_again(struct native *n, struct err *err)
{
    if (n->settings.states && !n->comparable && n->group.ran_count)
        return fail(err, "the program has to start again, and its states cannot be compared with those of its first start, because the "
                    "system fixes no addresses (personality or ptrace is refused); use --search dfs or iterative");
    member_dismiss_all(n);
    line_repair(&n->line);
    memset(line_batch(&n->line), 0, offsetof(struct wire_batch, steps));
    group_forget(n);
    return native_boot(n, err);
}

/* The journal goes back to any state on the way; it is one UNIX process. */
static void unwind(struct native *n, uint32_t steps)
{
    n->group.ran_count = steps;
    n->line.wire->slots[0].restore = 1 + steps;
    n->counts.restores++;
}

/* Brings the group to a state on the path, at most `shared` steps from its start. */
int snapshots_go_back(struct native *n, uint32_t shared, struct err *err)
{
    struct group_run *g = &n->group;
    if (g->alive && g->ran_count <= shared)
        return 0;
    if (n->settings.states && g->alive && !n->settings.restart) {
        unwind(n, shared);
        return 0;
    }
    while (g->snapshot_count && g->snapshots[g->snapshot_count - 1] > shared)
        g->snapshot_count--;
    if (!g->snapshot_count || !snapshots_can(n))
        return start_again(n, err);
    restore(n);
    return 0;
}

/* A place for a snapshot between where the group stands and where it will come back to, if that is far, or if UNIX processes are
 * made on the way: that is dear. 0: none. */
uint32_t snapshots_stop(const struct native *n, const struct leg *path, uint32_t shared)
{
    const struct group_run *g = &n->group;
    uint32_t at = g->ran_count;
    if (!snapshots_can(n) || g->snapshot_count == MAX_SNAPSHOTS)
        return 0;
    for (uint32_t i = shared; i > at; i--)
        if (ran_forks(n, &path[i - 1]))
            return i;
    return shared > at + FAR ? shared - (shared - at) / 4 : 0;
}
