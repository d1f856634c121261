/* All races of a path that has come to its end: they are looked for, and what reverses them is put into the wakeup trees (the first
 * part of the paper's Algorithm 2).
 *
 *       position      0           1          2          3
 *       path          1: x=       2: y=      3: x=      2: x=          in conflict: 0 and 2, 2 and 3, 0 and 3
 *       race (2, 3)   reversed in state 2 by the sequence  2: x=
 *       race (0, 2)   reversed in state 0 by the sequence  2: y=, 3: x=
 *       (0, 3)        is not looked at: 0 happens before 2, and the race (2, 3) shows it
 *
 * From the last step to the first, each is looked at as the first of races, with all seconds that may go with it (suspects). Invariant:
 * when a step is looked at, all later ones were; `reversed` of a second has all that happens before a first with which it is in a race.
 *
 * Where this is not the paper's, and why no execution is lost by it:
 *
 *  - The paper's races have no step between that happens after the first and before the second. Here a pair is left out only
 *    when such a step is itself the first of a race with the second (`is_shown`): unlock comes between lock and lock, but the second lock
 *    could not go before the unlock, so the two locks are a race. Why pairs that are left out are not missed: the race that was
 *    found is reversed, and the execution that comes of it has the pair again, with fewer steps between the two.
 *
 *  - Seconds that were not taken: steps that stayed blocked at the end, that could go but for the depth bound, and those of processes
 *    that another's step has ended (up to their end: `limit`). The paper's algorithms with locks do it for those. Not those that
 *    sleep at the end: each is the first step of executions that were searched before, and there their races were looked for.
 *
 *  - What was found on the path before is kept. Races of known steps are not looked for again; but the sequence that reverses one
 *    ends with all that is free, and on a new path that may be other steps. A first step is *ordered* when it is known, no new step
 *    is a suspect with it, and all new steps happen after it. Then its free steps are those of before, or the first of
 *    them; and the steps that are free no more were in no conflict with the second (they came after it, and would depend on the first
 *    by it). So the sequence that was inserted begins, but for the order of independent steps, with the one that would be inserted now:
 *    what made it needless makes this one needless, or it is in the tree, which no branch leaves while the step is on the path.
 *
 *  - What sleeps before the first step makes a sequence needless when it is a weak initial of it (property 1 in wakeup.h). If what
 *    sleeps is the beginning of all that is free (beginning_sleeps), that is so for every race of this first step whose sequence
 *    begins with all that is free: they are passed over together.
 *
 *  - Of a search that must account for what it leaves out (`accountable`) somebody else will look, who knows of no trees (certifier/tree.h). To him it is
 *    not enough that something sleeps which stands by: has no step in the sequence, and is in conflict with none. The sequence is put into the
 *    tree then, unless a branch there is a weak initial of it. The path may turn out to be in vain (`sleep_cut`).
 *
 *  - Other results. A step is in a race with each of its own other results, in the state where it was taken; what is free goes along,
 *    after it, since it does not depend on it. Where nothing sleeps they are put into the tree as soon as the step is
 *    taken (`implied`). Where something does, at the end of the path (`picky`): with all that is free the sequence tells
 *    whether what sleeps will wake. Where there are more results than MOST_PICKED they are put there at once, whatever sleeps: nothing is
 *    lost, but a path may turn out to be in vain (`sleep_cut`). So it is with any number of results in a search that is `accountable`.
 *
 * In tests (`check` of the settings) what is ordered, and what is passed over, is looked at all the same, and no tree may change by it.
 *
 * The order of `all`: by second, and the steps that were not taken last. So forgetting those of steps that are not known any more is
 * cutting off its end.
 * SPDX-License-Identifier: MIT */
#ifndef RACES_H
#define RACES_H

#include "search/survey.h"
#include "search/aside.h"

struct race {
    struct second   second;
    uint32_t        first, next;
    uint32_t        found;           /* when, on its path */
    struct reversal reversal;
};

/* What a process that sleeps in a state would do there. */
struct sleeper { uint32_t node, stamp, expected; };

struct sleepers {
    struct sleeper *all;             /* `stride` for each state of the path */
    uint32_t        stride, room;
    uint64_t       *known;           /* for each state: which of them are filled in */
};

struct races {
    struct past    *past;            /* borrowed */
    struct trees   *trees;           /* borrowed */
    struct race    *all;             /* of the steps that are known, in the order of their second steps */
    uint32_t        count, room;
    struct sleepers sleepers;
    struct aside   *aside;           /* NULL, or: of a copy, which tells what it inserts (aside.h); borrowed */
    struct mission *mission;         /* NULL, or: of one who searches for another, and tells the paths that insert something (mission.h); borrowed */
    /* while a path is looked at */
    struct survey   survey;
    struct suspects suspects;
    struct sequence sequence;
    struct move     moved;           /* the second step, at the end of it */
    uint32_t       *near;            /* scratch */
    uint32_t       *reversed;        /* a clock for each second that races: all that happens before a first of its races */
    size_t          reversed_room;
    uint32_t        ordered[MAX_PROCESSES];      /* of each process: all new steps come after its steps before this position */
    uint32_t        lowest_free;     /* the first known step of which a new one does not; UINT32_MAX: there is none */
};

void races_init(struct races *, struct past *, struct trees *);  /* borrows both */
void races_fini(struct races *);
void races_make_room(struct races *);            /* for as many levels as the path has */
void races_look(struct races *);                 /* the path must be what the program does */
void races_forget_all(struct races *);           /* the levels are others now: no step of them is known */
void races_check(const struct races *);          /* ends the run if an invariant does not hold */

#endif
