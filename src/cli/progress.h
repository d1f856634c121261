/* How far a long search is: one line on the terminal, written over a few times a second.
 * SPDX-License-Identifier: MIT */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "search/search.h"

/* Where it will end at the latest; 0: that is not known. */
struct progress_limits { uint64_t seconds, states; bool samples; };       /* samples: it never comes to its end by itself */

struct progress {
    struct progress_limits limits;
    double        began;             /* seconds */
    bool          shown;             /* on a terminal; otherwise only the counts are kept */
    bool          drawn;             /* there is a line to erase */
    struct counts latest;
    double        drawn_at;          /* seconds */
    uint64_t      drawn_transitions;
};

void progress_init(struct progress *, bool shown, struct progress_limits);
/* As struct job wants it. `group`: executions are counted, as in the report. */
void progress_tell(void *progress, const struct counts *, uint32_t depth, uint32_t errors, bool group);
void progress_erase(struct progress *);

#endif
