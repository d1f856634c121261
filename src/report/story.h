/* A scenario as a person reads it: the lines of a story, and the scenario file.
 * SPDX-License-Identifier: MIT */
#ifndef STORY_H
#define STORY_H

#include "report/condition.h"
#include "report/path.h"
#include "report/run.h"

/* Adds a line for each event to the error. */
void story_tell(const struct run *, const struct trace *, struct error *);
/* Adds what is wrong in the current state: a line for each process that has a part in it. */
void story_end(const struct run *, const struct trace *, struct condition, struct error *);
void story_add(struct error *, uint32_t step, int process, char *text, char *notes, char *location);    /* takes the strings */

/* The file of the error: its steps, with a header that names program and error. `error` NULL: nothing is wrong where they end. */
void story_path(const struct run *, const struct trace *, const char *program, const struct error *, struct path *);
/* And back: the kind of error that the header names. False: it names none. */
bool story_kind(const struct path *, enum error_kind *);

/* An operation on an object of a library of the system that, as far as the trace goes, only one process used: how a library sets
 * itself up. Such steps, from one to another (they count from 1), are one line. */
bool  story_in_library(const struct run *, const struct trace *, const struct op *);
char *story_library(uint32_t from, uint32_t to);                 /* gives */

char *story_notes(const struct run *, uint32_t notes);           /* gives; NULL: none */
char *story_event_notes(const struct run *, const struct trace *, uint32_t event);       /* the same, with those before its first */

#endif
