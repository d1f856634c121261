/* What differs from run to run.
 *
 * Where the program leads to depends on the order of its steps and their results: what was run before leads where it did. Where it
 * does not, the process stands at an end of its own from then on, whatever it does when it is run once more.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include "objects/types.h"

#include <assert.h>

void odd_stand_at(struct native *n, const struct leg *path, uint32_t at, struct arrival *a)
{
    const struct odd *odd = &n->group.odd;
    const struct leg *f = &path[at];
    if (odd->found && odd->at == at && odd->process == f->process && odd->from == f->from && odd->result == f->result)
        *a = odd->arrival;
}

static void differs(struct native *n, const struct leg *path, uint32_t at, uint32_t before, struct arrival *a)
{
    const struct leg *f = &path[at];
    struct odd *odd = &n->group.odd;
    if (odd->found || types_mishap(&a->op))
        return;
    native_differs(n, f->host, &n->graphs[f->process].nodes[before], a);
    *odd = (struct odd){.found = true, .at = at, .process = f->process, .from = f->from, .result = f->result, .arrival = *a};
    assert(at < n->group.ran_count);
    n->group.ran[at].digest = a->fingerprint[1];
}

/* Step number `at` led elsewhere than foreseen; the first `shared` of the path were run before. */
void odd_check(struct native *n, const struct leg *path, uint32_t at, uint32_t shared, struct arrival *a)
{
    if (at < shared)
        differs(n, path, at, path[at].to, a);
}

/* The same of a last step that was run before, though nothing is foreseen of it. */
void odd_check_last(struct native *n, const struct leg *path, uint32_t at, uint64_t before, struct arrival *a)
{
    const struct leg *f = &path[at];
    const struct edge *edge = graph_edge(&n->graphs[f->process], f->from, f->result);
    if (before && edge && a->fingerprint[1] != before && n->graphs[f->process].nodes[edge->next].fingerprint[1] == before)
        differs(n, path, at, edge->next, a);
}
