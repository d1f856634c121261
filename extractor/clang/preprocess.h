/* The preprocessor, `clang -E`, on several texts at one go: to start it takes five times as long as to preprocess a source. The texts lie in memory; one
 * process reads them one after the other, and what it writes of the first can be parsed while it is at the next.
 *
 * Each text is a file of its own name, /proc/self/fd/N, which begins what is written of it: so it is known where one ends. All of a
 * batch have one folder, the place of what they include in quotes.
 * SPDX-License-Identifier: MIT */
#ifndef PREPROCESS_H
#define PREPROCESS_H

#include "base/err.h"
#include "base/prose.h"

#include <sys/types.h>

struct preprocess {
    pid_t        pid;                /* that runs; 0: none does */
    int          pipe;               /* from it */
    int         *texts;              /* files in memory, in order; they are open until it has ended */
    int          count, room;
    int          next;               /* the one that is given next */
    struct prose read;               /* what came and was not given yet */
};

int   preprocess_add(struct preprocess *, const char *file, const char *text, struct err *);        /* file: for a message */
int   preprocess_start(struct preprocess *, const char *file, char *const *options, struct err *);  /* file: one of that folder; options end in NULL */
char *preprocess_next(struct preprocess *, const char *file, struct err *);                        /* in the order of adding; gives, or NULL */
void  preprocess_fini(struct preprocess *);                                                        /* ends it, if it still runs */

#endif
