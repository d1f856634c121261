/* What the outcome of a search means: what lowers the coverage that is claimed, with a warning, and what a reader is told beside it.
 * Invariant: whatever was not searched lowers the coverage, or is no part of what is promised and noted.
 * SPDX-License-Identifier: MIT */
#ifndef JUDGE_H
#define JUDGE_H

#include "report/run.h"

void judge_search(const struct job *, struct outcome *);                         /* of every search */
void judge_group(const struct job *, const struct run *, struct outcome *);      /* of a sharing group */
void judge_start(const struct job *, const struct run *, struct outcome *);      /* how the program was started, and where it lies */

#endif
