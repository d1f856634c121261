/* The outcome of a job for continuous integration: as JUnit XML, with a test case for the search and one for each error, and as SARIF 2.1.0,
 * with the story of each error as a code flow. Of a run that came to nothing (`failure` says why, and there is no outcome) both say so.
 * SPDX-License-Identifier: MIT */
#ifndef CI_H
#define CI_H

#include "report/job.h"

struct ci { const char *program; const struct outcome *outcome; const char *failure; };

int ci_junit(const void *ci, FILE *);                            /* 0, or negative errno when writing fails */
int ci_sarif(const void *ci, FILE *);

#endif
