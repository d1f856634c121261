/* The names of scenario files: error1.path, error2.path, ... Nothing that an earlier run found is lost: a name that is taken is
 * passed over, unless the file holds the very same scenario.
 * SPDX-License-Identifier: MIT */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "report/job.h"
#include "report/path.h"

/* Saves it in the job's folder as STEM and the first number that will do. Gives the name; NULL: err says why not. */
char *scenario_save(const struct job *, const char *stem, const struct path *, struct err *);
/* Saves it under this name, which a call of the above gave. Gives the name. */
char *scenario_replace(const struct job *, const char *name, const struct path *, struct err *);
void  scenario_remove(const struct job *, const char *name);
/* When the search is over: if an earlier run has left the very same scenario under a lower number, that file will do. Takes a name, gives
 * one. */
char *scenario_final(const struct job *, const char *stem, char *name);

#endif
