/* Names that are static in one source and something else in another. Each source's own is then called with the file in front of it,
 * "b.c:count", everywhere in the annotated state machine; so equal names are one thing.
 * SPDX-License-Identifier: MIT */
#ifndef APART_H
#define APART_H

#include "extractor/clang/source.h"

/* Fills in what source_name() needs of all sources. What is defined twice for the whole program is an error with both places. */
int apart_find(struct source *, int count, struct err *);

#endif
