/* Persistent sets from the declared structural properties (Algorithm 2 of the papers): the processes of a closed group need
 * to be tried, when nothing that the others may ever do can matter to the next operations of the group.
 * SPDX-License-Identifier: MIT */
#ifndef PERSISTENT_H
#define PERSISTENT_H

#include "search/internal.h"

/* A smallest set of enabled processes that is persistent in the current state; all enabled ones where nothing better is
 * known. Every process that was ever seen before a VS_abort(0) makes it all of them. */
uint64_t persistent_set(const struct system *);

/* Sets are made with what is known of the program so far. When this changes, those made before were too small, and the search
 * begins again. Nothing is missed: up to the first thing that is not known the sets are right, so a search finds it. */
struct knowledge { uint64_t aborters; bool polls; uint32_t learned; };
static inline struct knowledge persistent_knowledge(const struct system *s)
{
    return (struct knowledge){ s->aborters, s->polls, s->learned };
}
static inline bool persistent_outdated(const struct system *s, struct knowledge k)
{
    return s->aborters != k.aborters || s->polls != k.polls || s->learned != k.learned;
}

#endif
