/* The steps that a sharing group has run since its start, and how much of a path they are; the loop that it is not to run into again.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

static uint32_t alike(const struct native *n, const struct ran *ran, uint32_t ran_count, const struct leg *path, uint32_t count,
                      uint32_t known)
{
    uint32_t same = known < ran_count ? known : ran_count;
    while (same < count && same < ran_count && ran[same].process == path[same].process && ran[same].result == path[same].result
           && ran[same].digest == ran_digest(n, &path[same]))
        same++;
    return same;
}

uint32_t ran_shared(const struct native *n, const struct leg *path, uint32_t count, uint32_t known)
{
    return alike(n, n->group.ran, n->group.ran_count, path, count, known);
}

/* Where the last step of the path, of which nobody has said where it leads, led when the same path was last run; 0: it was not. */
uint64_t ran_led(const struct native *n, const struct leg *path, uint32_t count, uint32_t shared)
{
    const struct ran *last = &n->group.ran[shared];
    bool again = shared + 1 == count && shared < n->group.ran_count && path[shared].to == NO_NODE
              && last->process == path[shared].process && last->result == path[shared].result;
    return again ? last->digest : 0;
}

void ran_note(struct native *n, const struct leg *f, uint64_t digest, uint32_t seen)
{
    struct group_run *g = &n->group;
    ARRAY_GROW(g->ran, g->ran_count, g->ran_room);
    g->ran[g->ran_count++] = (struct ran){.process = f->process, .result = f->result, .digest = digest, .seen = seen};
    n->counts.transitions++;
    assert(f->host >= 0 && f->host < MAX_PROCESSES);
    g->same[f->host] = NOT_KEPT;
    if (!ran_forks(n, f))
        return;
    g->same[f->result] = NOT_KEPT;
    member_join(n, f->result, member_pid(n, f->result), (int)f->result);
    g->born[f->result] = g->ran_count;
}

/* ---- loops ---- */

/* The program has run along `ran`, and the last of these steps led to `a`. */
void ran_note_loop(struct native *n, const struct arrival *a)
{
    const struct group_run *g = &n->group;
    struct loop *loop = &n->group.loop;
    if (!is_process(&a->op, PROCESS_DIVERGENCE))
        return;
    loop->count = 0;
    for (uint32_t i = 0; i < g->ran_count; i++) {
        ARRAY_GROW(loop->steps, loop->count, loop->room);
        loop->steps[loop->count++] = g->ran[i];
    }
    loop->arrival = *a;
}

/* Would the path end in the loop that is known? Then this is all that running it would tell. */
bool ran_ends_in_loop(const struct native *n, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a)
{
    const struct loop *loop = &n->group.loop;
    if (!loop->count || count < loop->count)
        return false;
    uint32_t last = loop->count - 1, same = alike(n, loop->steps, loop->count, path, count, 0);
    if (same < last || path[last].process != loop->steps[last].process || path[last].result != loop->steps[last].result)
        return false;
    *right = same;
    *a = loop->arrival;
    return same == last || count == loop->count;
}
