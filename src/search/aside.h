/* Parts of an optimal search that copies of this process search ahead of it (-j). What comes out is exactly what one process would have
 * come to, count for count: one process does the search, and the copies only spare it work.
 *
 *       0 ---- 1 ---- 2 -+-- 3 ...       This process is below state 3. The trees of states 0 and 2 hold what is still to be done there. A copy
 *       |                |               (fork) stands at state 0 as if all below the current branch were done, and goes on from there: along
 *       +-- a ... leaf   +-- b ... leaf  a, to the leaf, and below it.
 *
 * What is below the *leaf* of a wakeup tree depends on three things alone: the path that leads there, what sleeps in each of its states,
 * and what is known of the program on which dependence rests (dependence_seen). No race that is found elsewhere changes it: trees only grow, at
 * the ends of their lists, and never below a leaf. So the copy notes, by a key of path and sleep sets, what came of each such part (a
 * `record`): how many states, transitions, executions; and the sequences that its races put into the trees of states *above* the leaf. When this
 * process comes to a leaf whose key has a record, it adds the counts, inserts the sequences, in the order in which they were found, and
 * goes back, as if it had searched the part itself.
 *
 * Why the trees come out the same: a copy tells all sequences but those that its trees absorb by branches that were there when it was made (others
 * are `late`). Those, ours absorb, too: they have grown at the ends of lists since, and wakeup_insert takes the first branch that fits. What is told
 * once more changes nothing. Of a path the copy looks only at what the path before it did not show (races.h, "what was found on the path before is kept"). That path is
 * one of this process's before the copy was made, or one of a part that comes before this one in the order of the search. This process has done that part, or used a record of it,
 * when it comes to this one: so it has inserted what is not told again. The one change of a tree that is not at an end is another result of a step, beside the first: which of
 * them there were in the trees of the path (`besides` of its levels) is a part of the key, too.
 *
 * What makes a record useless, so that this process searches the part itself: the part comes to a local state that this process did not know
 * when the copy was made, and does not come to along the path that the copy tells (the copy's number means nothing here, and the report counts local states); the part has something to be told (errors; of data races
 * and limits the copy tells nothing at all): all of that is found, confirmed and told by this process alone, in its order. So whatever becomes of a copy, killed or not, nothing is lost
 * but time. (Of a search that is cut, the report counts local states that only copies have come to, too.) A copy goes on until it is done, or until this process comes to where it began: then it tells the parts that it has done so far, also
 * those within larger ones, and both share the rest.
 *
 * Invariants: records are used where nothing is believed of the path that is not believed of the end of one (belief.h); a copy holds no
 * process of this one's program, and is gone when this process is.
 * SPDX-License-Identifier: MIT */
#ifndef ASIDE_H
#define ASIDE_H

#include "search/wakeup.h"

struct optimal;
struct aside;

static inline void aside_note_beside(struct level *l, const struct move *e)
{
    l->besides = (l->besides ^ (((uint64_t)e->process << 32) + e->choice + 1)) * UINT64_C(0x9e3779b97f4a7c15);
}

/* A part that was begun and is not done, or (as a record) is. */
struct aside_part {
    uint64_t      key[2];
    uint32_t      depth;             /* of its leaf */
    uint32_t      entries, end;      /* what was told since: from the first of these on, up to the second */
    uint32_t      records;           /* of parts within it: those since this number */
    bool          spoilt;
    struct counts counts;            /* as they were at its leaf; of a record, what was counted since */
};

/* What a copy knows while it searches: grows at its ends, and is cut there when paths turn out wrong (belief.c). */
struct aside_mark { uint32_t sequences, entries, records, witnesses, open; struct aside_part *stack; uint32_t room; };

struct aside *aside_new(struct optimal *);               /* borrows; gives, return it with aside_free, which ends all copies */
void          aside_free(struct aside *);                /* NULL is fine, here and below: then there are no copies */

/* Of the process that searches. */
/* Before the next branch of a state is taken. A copy may be there already: then it is waited for, and meanwhile there may be one more. */
enum aside_news { NO_NEWS, MORE_HELP, NEWS };
enum aside_news aside_meets(struct aside *);
void aside_learn(struct aside *);                        /* the news. The path must be what the program does, for it is run along others, and back */
bool aside_wants(struct aside *);                        /* should a copy be made now? Then the path must be what the program does: */
void aside_start(struct aside *);
bool aside_knows(struct aside *);                        /* the search stands at the leaf of a part of which there is a record */
void aside_use(struct aside *);                          /* so it is: as if the part had been searched */

/* Of a copy. */
bool aside_copies(const struct aside *);                 /* is this process one? */
bool aside_late(struct aside *);                         /* it gives back what is left of its work */
void aside_open(struct aside *);                         /* it stands at the leaf of a part */
void aside_close(struct aside *);                        /* parts that the search has left are done */
void aside_drop(struct aside *);                         /* parts below where the search stands were none: the path was wrong */
void aside_entered(struct aside *, uint32_t moved);      /* a state */
void aside_keep(struct aside *, const struct sequence *);                /* it is about to be inserted, which uses it up */
void aside_tell(struct aside *, const struct sequence *, enum inserted); /* so it was */
void aside_spoil(struct aside *, uint32_t first);        /* the tree there got something that cannot be told */
void aside_save(struct aside *, struct aside_mark *);    /* as it is now; room belongs to the mark */
void aside_put_back(struct aside *, const struct aside_mark *);

#endif
