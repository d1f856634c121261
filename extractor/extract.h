/* A harness, or sources alone, made into a model: both stages, and what is said of every statement.
 * SPDX-License-Identifier: MIT */
#ifndef EXTRACT_H
#define EXTRACT_H

#include "extractor/promela.h"
#include "extractor/tool.h"

#include <stdio.h>

struct extraction {
    struct harness  harness;
    struct machines machines;
    char           *stage_one;       /* the annotated state machine */
    struct model    model;
};

/* `from` is a harness, by the end of its name, or `count` sources for which one is made up. -1 and err; return it in any case. */
int  extract_read(struct extraction *, char *const *from, int count, char *const *options, struct err *);
int  extract_stage_one(struct extraction *, const struct workshop *, struct err *);
int  extract_stage_two(struct extraction *, struct err *);
/* What it would be with this text for a harness that names the same sources. Return it in any case. */
int  extract_again(struct extraction *, const struct extraction *, const char *text, struct err *);
void extract_fini(struct extraction *);

void extract_warn(const struct extraction *, FILE *);            /* what is left out, once each; stale entries; how many of all */
void extract_list(const struct extraction *, FILE *);            /* every statement, place by place */
char *extract_defaults(const struct extraction *, const char *folder);               /* a harness with everything at its default; gives */

#endif
