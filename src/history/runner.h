/* Who runs the program: it is brought along a path, and tells where it came to. The runner is the real program (native/native.h)
 * or, in a test, a made-up one.
 *
 * A path is a list of legs. Of a sharing group it is all that its processes did from the initial state, in order. A process
 * alone is the path of its last leg: how it came to where that begins, its graph tells (history/graph.h).
 *
 * Invariants: what is asked for is never the runner's to decide; it says what the program does, and changes no graph. The arrival is
 * that of the process whose leg led elsewhere.
 * SPDX-License-Identifier: MIT */
#ifndef RUNNER_H
#define RUNNER_H

#include "history/graph.h"

/* A step of a path: who goes on from which node with which result, and to which node that should lead. */
struct leg {
    uint32_t process, from, result, to;      /* to NO_NODE: nobody knows */
    int      host;                           /* in a group: the UNIX process it belongs to, that is, its first thread */
    uint32_t choice, stamp;                  /* in a group: of the step; dependence_stamp of its operation, where somebody looks for data races */
};

/* Where a leg led that was only tried. The arrival's, but for what it stands before: of that there is the digest. */
struct glimpse {
    uint64_t digest, memory[2];              /* digest 0: nothing is known */
    const struct noted *noted;               /* valid until the next time */
    uint32_t seen;                           /* its set of accesses */
};
enum { MAX_GLIMPSES = MAX_TRIES };
struct attempt { struct leg leg; uint32_t at; };           /* a leg to be tried where so many legs led: of the path, and of attempts before it. Of which it is known where it leads: unless it does, no more are tried */

struct way { const struct leg *path; uint32_t count; };
enum sending { SEND_AND_WAIT, SEND_AND_GO_ON };          /* what the sender will do meanwhile */

struct runner {
    void *self;
    /* Brings the program along the path. `right` is how many legs led where they should (and before: of how many it is known that they
     * are those of the path that was run last, and led where they say); the arrival is that of the first that
     * did not (also of a last one of which nobody knew). 0, or negative when the machine fails (no memory, no more processes,
     * interrupted), but never -EAGAIN, -ESTALE or -ESRCH. A fault of the program is an arrival at an end. */
    int (*run)(void *self, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *, struct err *);
    /* Of a sharing group, the same for several paths, one after the other, up to the first that is wrong. `send` sets them off and
     * comes back, `await` waits for what became of them; meanwhile they stay as they are. `wrong` is the number of the first wrong
     * one, or how many there are. */
    int (*send)(void *self, const struct way *ways, uint32_t count, enum sending, struct err *);
    int (*await)(void *self, uint32_t *wrong, uint32_t *right, struct arrival *, struct err *);
    /* NULL, or, of a sharing group that tells states: brings the program along the path, and then tries these legs, from its end or from where one
     * before it led. `known` as `right` of `run`. Gives how many of the path's legs are now those that were run last; of what was not found out this
     * way nothing is said, and it has to be run. Negative as `run`. */
    int (*glimpse)(void *self, const struct leg *path, uint32_t count, uint32_t known, const struct attempt *, uint32_t many, struct glimpse *, struct err *);
    /* NULL, or, of a sharing group: what the program calls an object of its list, the same in every run (pool.lock). False: it is in no
     * variable that lives as long as the program. */
    bool (*name)(void *self, uint32_t object, char *out, size_t room);
    /* NULL, or, of a sharing group: which memory was read and written (wire.h: accesses). `seen` gives the set of each leg of the path that
     * was last run, or of that way of those that were awaited and right; NULL: nobody tells. `accesses` gives what is in a set, and how many;
     * negative: that was not kept. */
    const uint32_t *(*seen)(void *self, uint32_t way);
    int (*accesses)(void *self, uint32_t set, const struct wire_access **);
};
enum { LAST_RUN = -1 };              /* as the number of a way */

#endif
