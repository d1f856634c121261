/* Of a process that searches a part of another's search (abroad.h): it learns what that one knew, goes to the state that it was told, searches below it, and
 * answers what came of it.
 *
 * While it searches, every state that it enters may be the first of a part of its own. Those that are done when it has to end are told, the largest alone:
 * so nothing is lost of what was done, and what is left is given back.
 *
 * Invariants: parts are opened one within the other; what is told of one concerns states above it; a part within another that is done is told no more.
 * SPDX-License-Identifier: MIT */
#ifndef MISSION_H
#define MISSION_H

#include "search/harvest.h"

struct mission;
struct sequence;
struct mission *mission_new(struct search *);            /* NULL: it was told nothing that can be read. Else return it with mission_free */
void            mission_free(struct mission *);          /* NULL is fine */
enum reduction  mission_reduction(const struct mission *);
uint32_t        mission_bound(const struct mission *);

/* What the other one knew, again. False: the program does something else. */
bool mission_learn(struct mission *);
/* Where to go: the path to a state; whose next step leads to the first states of parts, from this of its results on; who sleeps in that state. */
struct destination { const struct tread *path; uint32_t count, process, choice; uint64_t sleep; };
struct destination mission_destination(const struct mission *);
/* Of `optimal` that is the state of a part itself, and the states on the way are told, each with its step: who sleeps there or, unless `exact`, who sleeps beside those that
 * sleep on from the state before; the rest is as in struct level. */
struct waypoint { uint32_t process, choice; uint64_t sleep, besides, done; bool picky, exact; };
const struct waypoint *mission_way(const struct mission *, uint32_t *count);
void mission_begin(struct mission *);                    /* the search stands before the first state of a part: from here on it counts */

/* A state. LEAF: it may be the first of a part; what was counted before is not of that. */
enum mission_state { MISSION_WITHIN, MISSION_LEAF };
void mission_enter(struct mission *, uint64_t sleep, uint32_t moved, enum mission_state);
bool mission_goes_on(struct mission *);                  /* parts that were left are done; false: it has lasted long enough */
bool mission_asks(struct mission *, uint32_t first, uint64_t initials);  /* as struct ask; false: that is a state of its own */
void mission_end(struct mission *, bool whole);          /* the search stands above the part again; it was searched to its end, or not */

/* Of `optimal`: what is told are paths to their ends whose races put something into a tree above a part (struct course). */
void mission_lend(struct mission *, struct level **levels);              /* the levels of its path, wherever they are */
void mission_inserts(struct mission *, const struct sequence *);         /* it is about to be put there, if it is not there already */
void mission_drop(struct mission *);                     /* parts below where the search stands were none: the path was wrong */
void mission_adds(struct mission *, uint32_t first);     /* something else was put into the tree of that state */
void mission_looked(struct mission *);                   /* at all races of the path */
/* As it is now, and back; room belongs to the mark. (belief.h) */
struct mission_mark { uint32_t plots, courses, mistakes, sights, lessons, states, sequences, open, room; struct plot *stack; };
void mission_save(const struct mission *, struct mission_mark *);
void mission_put_back(struct mission *, const struct mission_mark *);

void mission_answer(struct mission *);                   /* all that came of it, to who asked */

#endif
