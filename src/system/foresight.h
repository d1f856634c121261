/* Foresight: a layer around the system of a sharing group, for a search that walks ahead of the program.
 *
 * What a process did last time is taken for what it will do; where that varies, or nobody has been, it is guessed (guess.h). The
 * program is asked (foresight_settle) before anything is believed of a path; or paths are believed for now, gathered in sets, and
 * the program runs a set while the search goes on (foresight_defer). Where it came to something else, the graphs learn, and the
 * search takes back what rests on it. A wrong forecast costs time, nothing else. A search without this runs the program at every
 * step, and never meets any of it; the system does not know it.
 *
 * Invariants: every path that was settled, and every path of a set that was awaited and is not wrong, is what the program does. One
 * set at most is sent off at a time; a set has room for all its paths; a step that is taken leads to a node that is there.
 *
 * All that may ask the program gives one of enum took: AGAIN as in system.h; VOID when a path of a set was wrong: then all that was
 * done since the first path of that set is void. foresight_wrong_set says which, until foresight_forget.
 * SPDX-License-Identifier: MIT */
#ifndef FORESIGHT_H
#define FORESIGHT_H

#include "system/system.h"

struct foresight;
struct foresight *foresight_new(struct system *);        /* borrows a system that shares; gives; return it with foresight_free */
void              foresight_free(struct foresight *);    /* NULL is fine */

/* As system_execute. */
enum asking { FORESEE, ASK };                            /* ASK: the program is asked where it leads, whatever is thought */
enum took foresight_execute(struct foresight *, int process, uint32_t choice, enum asking, struct step *, struct err *);

enum took foresight_settle(struct foresight *, struct err *);    /* TAKEN: the path is what the program does */

/* Believes for now that the path is right. Sets have numbers: `set` is that of this path. One of `most` is sent off to the program,
 * which runs it while the search goes on: `sent` says so. With the next set that is sent off, with foresight_settle, or with an
 * execute that has to ask, it is known whether they were right. */
enum took foresight_defer(struct foresight *, uint32_t most, uint32_t *set, bool *sent, struct err *);
bool      foresight_believes(const struct foresight *);  /* are there paths that are only believed? */
uint32_t  foresight_wrong_set(const struct foresight *); /* 0: none */
void      foresight_forget(struct foresight *);          /* what was gathered, and that a set was wrong */
/* Is the path one that was right, but void? Those come again in the order in which they came: ask once for each. */
bool      foresight_proven(struct foresight *);

#endif
