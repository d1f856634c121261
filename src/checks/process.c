/* SPDX-License-Identifier: MIT */
#include "checks/checks.h"

/* A loop may wait until another process that could go on writes to memory that they share, which is not seen. */
static bool may_wait_for_memory(const struct system *s, int p)
{
    return s->group && s->enabled & ~(UINT64_C(1) << p);
}

static enum error_kind kind_of_end(const struct system *s, int p, uint8_t code)
{
    switch (code) {
    case PROCESS_CRASH:          return ERROR_CRASH;
    case PROCESS_DIVERGENCE:     return may_wait_for_memory(s, p) ? ERROR_UNSUPPORTED : ERROR_DIVERGENCE;
    case PROCESS_UNSUPPORTED:    return ERROR_UNSUPPORTED;
    case PROCESS_NONDETERMINISM: return ERROR_NONDETERMINISM;
    default:                     return ERROR_STRUCTURE;
    }
}

bool checks_cut_off(const struct system *s, int p)
{
    const struct node *n = system_pending(s, p);
    return n->flags & NODE_END && n->op.type == TYPE_PROCESS && n->op.code == PROCESS_UNSUPPORTED;
}

bool checks_process(const struct system *s, int p, enum error_kind *kind)
{
    const struct node *n = system_pending(s, p);
    if (!(n->flags & NODE_ALARM))
        return false;
    if (n->op.type == TYPE_ASSERT)
        *kind = ERROR_ASSERTION;
    else if (n->flags & NODE_END)
        *kind = kind_of_end(s, p, n->op.code);
    else
        *kind = ERROR_STRUCTURE;             /* the operation itself is fine, but was declared not to happen */
    return true;
}
