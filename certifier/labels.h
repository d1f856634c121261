/* What a script calls a transition: who goes, its operation as a person reads it, and what that gave. Each is kept once and has a number,
 * from 1 on; BACK, which is no label, is the end of a state.
 * Invariant: two labels are never the same, and a number means the same label as long as the table lives.
 * SPDX-License-Identifier: MIT */
#ifndef LABELS_H
#define LABELS_H

#include "system/system.h"

enum { BACK = 0, MOST_LABELS = 1 << 20, MOST_LABEL_TEXT = 1 << 26 };     /* bytes of all together: a script cannot ask for more */

struct script_label {
    int   process;                   /* counts from 0 */
    char *operation, *outcome;       /* owned; outcome "": none */
};

struct labels { struct script_label *all; uint32_t count, room, *slots, mask; uint64_t bytes; };        /* all zero: none */

void labels_fini(struct labels *);
uint32_t labels_find(const struct labels *, int process, const char *operation, const char *outcome);    /* 0: there is none */
/* A new one, which copies; 0: there is no room for it. */
uint32_t labels_add(struct labels *, int process, const char *operation, const char *outcome);
static inline const struct script_label *labels_get(const struct labels *l, uint32_t label) { return &l->all[label - 1]; }

/* The words for an operation that a process stands before, and for its result. Both give; they are the same in every run of the
 * program. */
char *labels_operation(const struct system *, const struct op *);
char *labels_outcome(const struct system *, const struct op *, uint32_t result);

#endif
