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

/* `output` as of native_settings. Who follows a path wants to see it run, whatever is known of it. */
struct starting { const struct history *history; struct texts *texts; int output; bool follows; };

struct starter {
    void *self;
    /* Gives a program, or NULL with err. */
    void *(*start)(void *self, const struct starting *, struct start *, struct err *);
    const struct runner *(*runner)(void *program);
    struct starter_counts (*counts)(void *program);
    void  (*stop)(void *program);
    /* After the search: words about what was not under control, gives; `varied`: the program did not do the same again. */
    char *(*promise)(void *self);
    char *(*varied)(void *self);             /* NULL: it always did */
};

#endif
