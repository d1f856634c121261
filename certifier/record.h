/* Records a depth-first search as a script while it goes on. What it is told is what a watcher of a search is told (search/search.h).
 * SPDX-License-Identifier: MIT */
#ifndef RECORD_H
#define RECORD_H

#include "certifier/script.h"

struct record;
/* TRUSTFUL: only what leads to new states, unless all of it takes less room. BESIDE: of a program whose search is as fast as writing, the script
 * is written by a copy of this process. AGAIN: a state can be entered several times, by a search with a cache; the script is made of the
 * first time, when all is known. Borrows the name; gives, return it with record_free. */
enum record_states { RECORD_ONCE, RECORD_BESIDE, RECORD_AGAIN };
struct record *record_new(enum script_kind, enum record_states, const char *file);
void           record_free(struct record *);                     /* NULL is fine. Without record_finish there is no file */

/* A search begins at the system's current state; what was recorded before is void. */
void record_begin(void *record, struct system *);
/* It took this step, and the system stands where it leads, if it is entered; states are numbered in the order in which they were entered. */
void record_transition(void *record, uint64_t from, uint64_t to, const struct step *);

/* The search has come to its end and has seen everything: writes the file. `bytes` is how long it is. */
int  record_finish(struct record *, const struct fields *, uint64_t *bytes, struct err *);

#endif
