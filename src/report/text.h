/* The outcome of a job for a person: what was searched, what was found, the story of each error, what to type next.
 * SPDX-License-Identifier: MIT */
#ifndef TEXT_H
#define TEXT_H

#include "report/job.h"

struct look { bool colour; int width; };                         /* columns of a line; 0: as long as it is */
void text_report(FILE *, const struct job *, const struct outcome *, struct look);

#endif
