/* Parts of a depth-first search that other processes search, on this machine or on others (-j, --cluster). What comes out is exactly what one process would have come
 * to, count for count and error for error: one process does the search, and the others only spare it work.
 *
 *       0 ---- 1 ---- 2 ---- 3 ...       This process is below state 3. In states 0 and 2 something is still to be tried: a and b. It asks another process to
 *       |             |                  search what a leads to (a mission), and goes on. When it has come to a itself, it is told what came of it: it adds the counts, has
 *       +-- a         +-- b              its races ask what they ask of the states above, and goes back as if it had searched it.
 *
 * What is below a state depends on three things alone: the path that leads there, who sleeps in it, and what is known of the program on which
 * dependence rests (dependence_knowledge). With source sets, what races below ask of a state above (struct ask) does not depend on what that state was asked for
 * before; whether something is added there does, and that is decided here, in the order of the search. So a part is known by a key of these three, and
 * what was searched under another key is not used: a mission guesses who will sleep, supposing that nothing more is asked of its state. If it guessed
 * wrong, time is lost, nothing else.
 *
 * What is known of the program grows on the way. A mission is sent with the paths on which all that was learnt so far can be learnt again (lessons), and one that
 * learns more says on which paths: before a part is used these are walked here, and then as much must be known here as was there.
 *
 * A mission that lasts too long, or that is waited for, gives back the rest: it tells the parts that it has done. This process goes on below its state then, comes to
 * those parts, and asks others for what is left. One that comes to nothing is searched here.
 *
 * Errors are told by their paths: they are walked here, so that the watcher sees them where they are. Where an error may end the search, a part that has one is
 * searched here: what was counted until then is to be what one process counts.
 *
 * Invariants: what is used is known by its key; a mission that nobody will come to is dropped; the path of the search is the same before and after something is used.
 * SPDX-License-Identifier: MIT */
#ifndef ABROAD_H
#define ABROAD_H

#include "search/harvest.h"

struct abroad;
struct abroad *abroad_new(struct search *);              /* gives, return it with abroad_free */
void           abroad_free(struct abroad *);             /* NULL is fine; drops all that is under way */
void abroad_begin(struct abroad *, enum reduction, uint32_t bound);      /* a depth-first search begins */
void abroad_end(struct abroad *);                        /* it is over: nobody asks for missions of it any more */
void abroad_lesson(struct abroad *, uint32_t steps);     /* so many of the search's steps taught something */

/* What `optimal` lends, whose states are asked otherwise. */
struct waypoint;
struct abroad_lent {
    void           *self;
    struct level  **levels;
    void          (*ask_at)(void *self, struct abroad *, uint32_t level, uint32_t most);         /* for what is to be done in that state of the path */
    bool          (*course)(void *self, const struct tread *path, uint32_t count, uint64_t asleep);      /* see struct course. False: it cannot be walked */
};
void abroad_lend(struct abroad *, const struct abroad_lent *);   /* until abroad_end */
bool abroad_is_full(const struct abroad *, uint32_t most);
void abroad_ask_leaf(struct abroad *, uint32_t level, const struct waypoint *, uint32_t count);          /* these lead to it, the first `level` of them along the path */

void abroad_note(struct abroad *);                       /* a state was entered: was anything learnt on the way? */
bool abroad_awaits(struct abroad *, uint64_t sleep);     /* something was told of the state, or was asked for: then abroad_knows is to follow */
/* The path must be what the program does. True: others have searched all that is below it, and abroad_use is to follow; then it is as if it had been
 * searched here, and the search goes back from it. It may be waited for. */
bool abroad_knows(struct abroad *, uint64_t sleep);
void abroad_use(struct abroad *);
void abroad_look(struct abroad *);                       /* before the next step: what has come back, and what can be asked for */
void abroad_count(const struct abroad *, struct search_result *);        /* what others did */

#endif
