/* SPDX-License-Identifier: MIT */
#include "checks/checks.h"

static enum error_kind kind_of_end(uint8_t code)
{
    switch (code) {
    case PROCESS_CRASH:          return ERROR_CRASH;
    case PROCESS_DIVERGENCE:     return ERROR_DIVERGENCE;
    case PROCESS_UNSUPPORTED:    return ERROR_UNSUPPORTED;
    case PROCESS_NONDETERMINISM: return ERROR_NONDETERMINISM;
    default:                     return ERROR_STRUCTURE;
    }
}

bool checks_process(const struct system *s, int p, enum error_kind *kind)
{
    const struct node *n = system_pending(s, p);
    if (!(n->flags & NODE_ALARM))
        return false;
    if (n->op.type == TYPE_ASSERT)
        *kind = ERROR_ASSERTION;
    else if (n->flags & NODE_END)
        *kind = kind_of_end(n->op.code);
    else
        *kind = ERROR_STRUCTURE;             /* the operation itself is fine, but was declared not to happen */
    return true;
}
