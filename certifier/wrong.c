/* SPDX-License-Identifier: MIT */
#include "certifier/wrong.h"

#include "certifier/labels.h"
#include "base/prose.h"

#include <stdlib.h>

static const char *const kinds[] = {
    [WRONG_NOTHING] = "structure", [WRONG_ASSERTION] = "assertion", [WRONG_CRASH] = "crash", [WRONG_DIVERGENCE] = "divergence",
    [WRONG_STRUCTURE] = "structure", [WRONG_UNSUPPORTED] = "unsupported", [WRONG_NONDETERMINISM] = "nondeterminism",
};

const char *wrong_in(const struct system *s, bool ignore_deadlock, int *process)
{
    for (int p = 0; p < s->processes; p++) {
        const struct node *n = system_pending(s, p);
        if (n->flags & NODE_ALARM) {
            *process = p;
            return kinds[n->type->operations[n->op.code].wrong];
        }
    }
    *process = -1;
    bool stuck = !s->enabled && !system_finished(s) && !system_aborted(s);
    return stuck && !ignore_deadlock ? "deadlock" : NULL;
}

char *wrong_words(const struct system *s, const char *kind, int process)
{
    if (process < 0)
        return prose_make("nothing can go on, and not every process has ended");
    char *does = labels_operation(s, &system_pending(s, process)->op);
    char *words = prose_make("%s: process %d stands before %s", kind, process + 1, does);
    free(does);
    return words;
}
