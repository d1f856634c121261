/* Filling the outcome of a job.
 * SPDX-License-Identifier: MIT */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "report/job.h"

/* Takes what the finding owns; `at` is its place in the list, finding_count for a new one. */
void outcome_put(struct outcome *, uint32_t at, const struct error *);
void outcome_suppress(struct outcome *, struct raced *);            /* takes what it owns, and leaves it empty */
void outcome_error_fini(struct error *);                         /* of an error that did not become part of it */
void outcome_warn(struct outcome *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void outcome_note(struct outcome *, const char *line);    /* once */
/* A file of the job, as its user can name it from the current folder; gives. */
char *outcome_file(const struct job *, const char *name);

#endif
