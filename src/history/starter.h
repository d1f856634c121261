/* Who starts a program that is not native's own (native/native.h): a suite of drivers around a black box. It is a sharing group behind the
 * same runner; what it is called, and where its operations stand, it tells itself.
 *
 * Invariant: what start gave is returned by stop, and leaves nothing behind.
 * SPDX-License-Identifier: MIT */
#ifndef STARTER_H
#define STARTER_H

#include "history/runner.h"
#include "history/start.h"
#include "base/texts.h"

struct starter_counts { uint64_t transitions, starts; };

/* What was not under control, for the report. */
struct starter_says {
    char    *promise;                        /* in words; gives */
    uint64_t runs, varied;                   /* how often it was put back; how often the same steps led elsewhere than before */
    char    *was, *is;                       /* the first time that they did: where to; NULL: never. Gives */
    char    *untested;                       /* invariants that no path came to, in words; NULL: none. Gives */
    char    *unheard, *silent;               /* drivers that left somebody behind who could have gone on for them; that never asked for anything: likewise */
};

/* `output` as of native_settings. Who follows a path wants to see it run, whatever is known of it. */
struct starting { const struct history *history; struct texts *texts; int output; bool follows; };

struct starter {
    void *self;
    /* Gives a program, or NULL with err. */
    void *(*start)(void *self, const struct starting *, struct start *, struct err *);
    const struct runner *(*runner)(void *program);
    struct starter_counts (*counts)(void *program);
    void  (*stop)(void *program);
    struct starter_says (*says)(void *self);
    const char *(*driver)(void *self, uint32_t which);       /* its name, by how many are before it; NULL: there are no more */
    bool     goes_on;                        /* what does not do the same again is told, and is no error */
    uint32_t replays;                        /* how often an error is run again, to see how often it fails */
    uint32_t shrinks;                        /* how many shorter scenarios are tried */
};

#endif
