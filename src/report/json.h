/* The outcome of a job as the JSON object that DESIGN fixes.
 * SPDX-License-Identifier: MIT */
#ifndef JSON_H
#define JSON_H

#include "report/job.h"

int json_report(FILE *, const struct job *, const struct outcome *);      /* 0, or negative errno when writing fails */

/* The same of a run that came to nothing: what was to be checked ("" when that is not known), and why not: somebody stopped it, or it could not
 * be used. */
int json_unusable(FILE *, const char *program, enum stopped_by, const char *message);

#endif
