/* Replays a scenario from the start, in fresh processes, before an error is believed.
 *
 * Invariant: CONFIRM_SAME means that every process did the same operations with the same results and ended in the same
 * condition, and that two starts of the program come to the same local states (where the machine lets them be compared).
 * SPDX-License-Identifier: MIT */
#ifndef CONFIRM_H
#define CONFIRM_H

#include "report/condition.h"
#include "report/run.h"

enum confirmed {
    CONFIRM_SAME,
    CONFIRM_DIFFERENT,               /* some process did something else: `step`, `process`, `words` say what */
    CONFIRM_FAILED                   /* the machine could not replay it: err says why */
};

struct confirmation {
    enum confirmed verdict;
    uint32_t       step;             /* after how many transitions it differed */
    int            process;          /* counts from 0; -1: the program as a whole */
    uint64_t       difference;       /* what differed: where these are the same number, it is the same of the same process */
    char          *words;            /* owned; "came to A (main.c:3), but to B (main.c:7) when the same steps ..." */
    char          *first, *second;   /* owned; what it did, then and now; NULL: the same */
    char          *location;         /* owned; of what it did the first time; NULL: unknown */
    struct run     run;              /* owned; the replay, where it ended */
    struct trace   trace;            /* owned; what it did */
};

/* `run` is at the end of `trace`, with that condition; condition NULL: nothing is wrong there. Release with
 * confirm_fini. */
struct confirmation confirm(const struct job *, const struct run *, const struct trace *, const struct condition *, struct err *);
/* The last step of the trace was run twice, in a group, and its graph says where it led the second time. */
struct confirmation confirm_difference(struct run *, const struct trace *, const struct step *last);
void confirm_fini(struct confirmation *);

#endif
