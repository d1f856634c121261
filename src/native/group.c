/* A sharing group: the whole program runs along a path, in batches; to go back, memory is put back or the program starts again.
 *
 * Invariant: `ran` are the steps that the program has run since its start, each with the digest of where it led; it stands there.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum { BOOTS = 3 };                  /* starts of the program for one path, when somebody kills its processes */

/* Runs steps of the path from where the group stands. 1: they, or as many as a batch holds, led where they should; 0: the last
 * of those that ran led to `a`. */
static int run_steps(struct native *n, const struct leg *path, uint32_t count, struct arrival *a, struct err *err)
{
    const struct batch_plan *batch = &n->group.plan;
    uint32_t begin = n->group.ran_count;
    assert(begin < count);
    batch_empty(n);
    for (uint32_t i = begin; i < count && batch_add(n, &path[i]); i++)
        ;
    pace_stay_apart(n, false);
    n->group.pace.count = 0;
    batch_start(n);
    int done = batch_finish(n, a, err);
    if (done < 0)
        return done;
    odd_stand_at(n, path, begin + (uint32_t)done - 1, a);
    for (int i = 0; i + 1 < done; i++)
        ran_note(n, &path[begin + (uint32_t)i], batch->steps[i].expect, seen_in_batch(n, (uint32_t)i));
    ran_note(n, &path[begin + (uint32_t)done - 1], a->fingerprint[1], seen_in_batch(n, (uint32_t)done - 1));
    ran_note_loop(n, a);
    assert(n->group.ran_count == begin + (uint32_t)done);
    return a->fingerprint[1] == batch->steps[done - 1].expect;
}

static int run_along(struct native *n, const struct leg *path, uint32_t count, uint32_t shared, uint32_t *right,
                     struct arrival *a, struct err *err)
{
    struct group_run *g = &n->group;
    uint32_t stop = snapshots_stop(n, path, shared);
    if (!g->snapshot_count && !g->ran_count)
        snapshots_ask(n);
    while (g->ran_count < count) {
        uint32_t end = stop > g->ran_count ? stop : count;
        int rc = run_steps(n, path, end, a, err);
        if (rc < 0)
            return rc;
        if (rc == 0) {
            *right = g->ran_count - 1;
            return 0;
        }
        if (g->ran_count == stop)
            snapshots_ask(n);
    }
    *right = count;
    return 0;
}

int group_run_whose(struct native *n, const struct leg *path, uint32_t count, enum whose whose, uint32_t *right,
                    struct arrival *a, struct err *err)
{
    int rc = -ESRCH;
    uint32_t known = whose == OWN ? *right : 0;
    assert(count);
    if (ran_ends_in_loop(n, path, count, right, a))
        return 0;
    for (int boots = 0; rc == -ESRCH && boots < BOOTS; boots++) {
        uint32_t shared = ran_shared(n, path, count, boots ? 0 : known);
        uint64_t before = ran_led(n, path, count, shared);
        rc = snapshots_go_back(n, shared, err);
        if (rc >= 0)
            rc = run_along(n, path, count, shared, right, a, err);
        if (rc >= 0 && whose == DEFERRED)
            odd_check(n, path, *right, shared, a);
        if (rc >= 0 && *right + 1 == count)
            odd_check_last(n, path, *right, before, a);
        if (rc == -ESRCH)
            n->group.alive = false;
    }
    return rc == -ESRCH ? fail(err, "processes of the program are killed from outside again and again") : native_refused(rc);
}

int group_run_path(void *self, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    return group_run_whose(self, path, count, OWN, right, a, err);
}

void group_fini(struct native *n)
{
    for (uint32_t i = 0; i < n->group.birth_count; i++)
        free(n->group.births[i].name);
    free(n->group.births);
    seen_fini(n);
    free(n->group.ran);
    free(n->group.tried);
    free(n->group.loop.steps);
}
