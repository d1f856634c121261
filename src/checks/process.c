/* SPDX-License-Identifier: MIT */
#include "checks/checks.h"

#include <assert.h>

/* A loop may wait until another process that could go on writes to memory that they share, which is not seen. */
static bool may_wait_for_memory(const struct system *s, int p)
{
    bool alone = system_pending(s, p)->op.arg[0] == DIVERGENCE_ALONE;
    return system_shares(s) && !alone && s->enabled & ~(UINT64_C(1) << p);
}

static enum error_kind kind_of(const struct system *s, int p, enum wrong wrong)
{
    switch (wrong) {
    case WRONG_ASSERTION:      return ERROR_ASSERTION;
    case WRONG_CRASH:          return ERROR_CRASH;
    case WRONG_DIVERGENCE:     return may_wait_for_memory(s, p) ? ERROR_UNSUPPORTED : ERROR_DIVERGENCE;
    case WRONG_UNSUPPORTED:    return ERROR_UNSUPPORTED;
    case WRONG_NONDETERMINISM: return ERROR_NONDETERMINISM;
    case WRONG_STRUCTURE:
    case WRONG_NOTHING:        break;                /* the operation itself is fine, but was declared not to happen */
    }
    return ERROR_STRUCTURE;
}

static enum wrong wrong_with(const struct node *n) { return n->type->operations[n->op.code].wrong; }

bool checks_cut_off(const struct system *s, int p)
{
    const struct node *n = system_pending(s, p);
    return n->flags & NODE_END && wrong_with(n) == WRONG_UNSUPPORTED;
}

bool checks_process(const struct system *s, int p, enum error_kind *kind)
{
    const struct node *n = system_pending(s, p);
    if (!(n->flags & NODE_ALARM))
        return false;
    *kind = kind_of(s, p, wrong_with(n));
    assert(*kind != ERROR_DEADLOCK && *kind != ERROR_LIVELOCK);  /* these are of several */
    return true;
}
