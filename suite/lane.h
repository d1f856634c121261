/* A lane: one copy of the box, and the drivers around it, brought along a path. To go back is to end all of them, put the box back, and run the
 * path from its beginning; what only goes on from where it stands, goes on. A lane never waits: lane_turn does what can be done now.
 *
 * Invariants: one driver of a lane runs at a time, and only between what it was told and its next request. What it has walked is where its
 * drivers are, and is known to the chronicle. When a step led elsewhere than ever before, it begins again, TRIES times in all.
 * SPDX-License-Identifier: MIT */
#ifndef LANE_H
#define LANE_H

#include "base/texts.h"
#include "suite/ahead.h"
#include "suite/box.h"
#include "suite/talk.h"

#include <poll.h>

enum { LANE_WAITS = 3 };
enum { TRIES = 20 };                     /* of a path that does not lead where it led */

/* What lanes have in common. */
struct lanes_share {
    const struct suite *suite;
    struct texts       *texts;
    struct chronicle    chronicle;
    uint64_t            runs, varied;    /* paths that were begun; those that led elsewhere than before */
    char               *was, *is;        /* the first of them, in words; NULL: none */
    uint64_t            transitions, starts;
    uint64_t            heard, ended;    /* drivers that ever said anything; that ended well */
    uint64_t            unheard;         /* and of these: while others could still ask in their place */
    bool               *tested;          /* by invariant: was it ever? Owned by who makes the lanes */
};

enum lane_state { LANE_EMPTY, LANE_STARTING, LANE_WALKING, LANE_STANDING, LANE_LOST };

struct walked { struct cue cue; struct arrival arrival; uint32_t node; };

struct lane {
    struct lanes_share *share;
    struct box          box;
    enum lane_state     state;
    int                 output, tries;
    bool                follower;        /* wants to see what happens: what leads elsewhere is told, and not begun again ... */
    bool                strayed;         /* ... and from then on nothing is put into the chronicle */
    struct cues        plan;
    struct walked      *walked;
    uint32_t            walked_count, walked_room;
    uint32_t            asked;           /* the node of the chronicle to which it was sent; NO_NODE: it is free for whatever comes */
    bool                spoke_twice;     /* the driver that runs had made another request before it was given its answer */
    bool                lingering;       /* the driver that runs has ended, but for somebody who has its socket */
    uint32_t            invariant;       /* the one that is being run before the step counts as done; NO_NODE: none is */
    double              until;           /* the moment by which the driver that runs must have come to its next request */
    struct talk         talks[MAX_PROCESSES];            /* by driver */
    int                 driver_of[MAX_PROCESSES];        /* by process; -1: none */
    int                 created;         /* drivers so far */
};

int  lane_open(struct lane *, struct lanes_share *, const struct warden_home *, struct err *);
void lane_close(struct lane *);

bool lane_fits(const struct lane *, const struct cues *path);   /* need it not begin anew to get there? */
/* Sends it along the path, from its beginning (with that port) where it does not fit. */
int  lane_send(struct lane *, const struct cues *path, int port, int output, struct err *);
void lane_free(struct lane *);           /* nobody waits for it any more */
int  lane_turn(struct lane *, struct err *);     /* state says what came of it */
bool lane_moves(const struct lane *);    /* is there anything to wait for? */
uint32_t lane_at(const struct lane *);   /* the node of the chronicle where it stands */

/* What to wait for, at most three; and milliseconds after which to take a turn in any case. */
int  lane_waits(const struct lane *, struct pollfd out[LANE_WAITS], int *milliseconds);

#endif
