/* A reader of never claims, Spin's and ours: enough of Promela to compare them.
 * SPDX-License-Identifier: MIT */
#ifndef CLAIM_H
#define CLAIM_H

#include "properties/buchi.h"

/* The claim as an automaton over the symbols `names`, with a cube for each choice of their values; NULL with err. Gives; buchi_free.
 * (Edges are in the order of the text, not sorted.) lines[s], unless NULL, has room for `room` states: the line of the first label of s. */
struct buchi *claim_read(const char *text, const char *const *names, int symbols, int *lines, int room, struct err *);

#endif
