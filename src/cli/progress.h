/* How far a long search is: one line on the terminal, written over a few times a second.
 * SPDX-License-Identifier: MIT */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "search/search.h"

struct progress {
    bool          shown;             /* on a terminal; otherwise only the counts are kept */
    bool          drawn;             /* there is a line to erase */
    struct counts latest;
    double        drawn_at;          /* seconds */
    uint64_t      drawn_transitions;
};

void progress_init(struct progress *, bool shown);
void progress_tell(void *progress, const struct counts *, uint32_t depth, uint32_t errors);     /* as struct job wants it */
void progress_erase(struct progress *);

#endif
