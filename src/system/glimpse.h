/* Glimpses: all steps that a search will take from a state are tried by the program in one turn, and where each led is kept until the state
 * is left. A step that was tried is then executed without the program: it is brought there only when it is asked about a state further on.
 * So a state costs one turn of program and controller, not each of its steps.
 *
 * A glimpse says what memory came to, what was noted, and by a digest what its process stood before. What has this digest is a node, if
 * anybody ever stood there; else the step is executed as any other, and the node made.
 *
 * Invariant: glimpses of a set are of legs that go on from where the first `depth` of the path lead, and the sets lie in the order of
 * their depths; as soon as one of these legs is taken back a set is gone.
 * SPDX-License-Identifier: MIT */
#ifndef GLIMPSE_H
#define GLIMPSE_H

#include "system/system.h"

struct group;
struct glimpses;                                         /* opaque; fields are in glimpse.c */
/* From here all steps of these processes will be executed, in whatever order. Nothing is done yet; nothing has to be, where states are not those
 * of a sharing group. */
void glimpse_want(struct system *, uint64_t processes);

/* Who knows which steps it will execute next has the program try them beforehand: after `begin` it supposes them, as far as can be known where
 * they lead, undoing some on the way if it likes (system_undo), but none that it did not suppose. When all are undone, `end`. False: they
 * cannot be tried. `end` gives 0, or negative as system_execute fails. */
bool glimpse_begin(struct system *);
bool glimpse_suppose(struct system *, int process, uint32_t choice, struct step *);
int  glimpse_end(struct system *, struct err *);

/* For files of this folder: */
void glimpses_free(struct glimpses *);                   /* NULL is fine */
int  glimpse_all(struct system *, struct err *);         /* has the program try what is wanted here, if anything is. 0, or negative as group_run */
bool glimpse_last(struct system *);                      /* the last leg was tried, and led to a node: then it says so, as if it had been run */
void glimpse_back(struct group *);                       /* the path became shorter */

#endif
