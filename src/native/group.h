/* What the files of a sharing group's runs have in common: group.c runs a path, group_ways.c several; the others have a part each.
 * Only they include this.
 *
 * Invariants: `ran` are the steps that the program has run since its start, and it stands there; snapshots stand in the order in which
 * they were taken, none after where it stands; a batch has at least one step and no more than there is room for; the ways that are in
 * the batch are some of those that were set off.
 * SPDX-License-Identifier: MIT */
#ifndef NATIVE_GROUP_H
#define NATIVE_GROUP_H

#include "native/internal.h"

enum { FAR = 14 };                   /* so many steps run again are dearer than a snapshot */

/* Of where a step should lead; 0: nobody knows. Inline, as the next two: asked of every step that is run. */
static inline uint64_t ran_digest(const struct native *n, const struct leg *f)
{
    return f->to == NO_NODE ? 0 : n->graphs[f->process].nodes[f->to].fingerprint[1];
}

/* Before which it begins. */
static inline const struct op *ran_op(const struct native *n, const struct leg *f)
{
    return &n->graphs[f->process].nodes[f->from].op;
}

/* Does it make a UNIX process? */
static inline bool ran_forks(const struct native *n, const struct leg *f)
{
    const struct op *op = ran_op(n, f);
    return is_process(op, PROCESS_CREATE) && op->arg[0] && f->result < MAX_PROCESSES;
}

/* group_places.c: fills `frames` with who called whom, from the one in whom the program called the runtime. */
void places_unwind(struct native *, uint32_t slot, uint64_t saved);

/* group_births.c: names the object, if it was made just now or is used for the first time. */
void births_note(struct native *, uint32_t slot, const struct wire_slot *, const struct op *, bool first);

/* group_ran.c */
/* How many of these steps were run, and no others. `known`: at least so many, if so many were run. */
uint32_t ran_shared(const struct native *, const struct leg *path, uint32_t count, uint32_t known);
/* Where the last step of the path, of which nobody has said where it leads, led when the same path was last run; 0: it was not. */
uint64_t ran_led(const struct native *, const struct leg *path, uint32_t count, uint32_t shared);
void ran_note(struct native *, const struct leg *, uint64_t digest, uint32_t seen);      /* it was run, and led there */
void ran_note_loop(struct native *, const struct arrival *);             /* the last step that was run led there: to a loop? */
/* Would the path end in the loop that is known? Then this is all that running it would tell. */
bool ran_ends_in_loop(const struct native *, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *);

/* group_snapshots.c */
bool     snapshots_can(const struct native *);                           /* can memory be put back? */
void     snapshots_ask(struct native *);                                 /* for one, where the group stands */
int      snapshots_go_back(struct native *, uint32_t shared, struct err *);      /* to a state at most `shared` steps from the start */
/* A place for a snapshot between where the group stands and where it will come back to; 0: none. */
uint32_t snapshots_stop(const struct native *, const struct leg *path, uint32_t shared);

/* group_batch.c */
bool batch_add(struct native *, const struct leg *);                     /* one step; false: there is no room */
void batch_empty(struct native *);
void batch_start(struct native *);
int  batch_finish(struct native *, struct arrival *, struct err *);      /* how many steps were done; where the last of these led */

/* group_seen.c: the accesses of each step */
uint32_t seen_in_batch(const struct native *, uint32_t step);            /* of this step of the batch, which is done */
void     seen_begin(struct native *);                                    /* the group stands where `ran` led */
void     seen_note(struct native *, uint32_t step, struct spot); /* this step of the batch, which is done */
void     seen_copy(struct native *, uint32_t way);                       /* the way is what was run last */
uint32_t seen_standing(const struct native *, uint32_t step);            /* of the path that the last steps of the batch belong to */
void     seen_forget(struct native *);                                   /* ways are sent off: nothing is known of them */
bool     seen_told(struct native *);                                     /* what else the program tells with them; false: it tells nothing */
void     seen_resolve(struct native *);
void     seen_fini(struct native *);

/* group_pace.c */
void pace_stay_apart(struct native *, bool apart);
bool pace_is_faster_apart(struct native *, uint32_t count);              /* so many paths are sent off now */

/* group_odd.c: what was run before leads where it did. If not, the arrival becomes an end of its own. */
void odd_stand_at(struct native *, const struct leg *path, uint32_t at, struct arrival *);   /* if it was found there before */
void odd_check(struct native *, const struct leg *path, uint32_t at, uint32_t shared, struct arrival *);
void odd_check_last(struct native *, const struct leg *path, uint32_t at, uint64_t before, struct arrival *);

/* group.c: of its own path the search knows itself what was run before; a path that was deferred is none any more. */
enum whose { OWN, DEFERRED };
int group_run_whose(struct native *, const struct leg *path, uint32_t count, enum whose, uint32_t *right, struct arrival *, struct err *);

#endif
