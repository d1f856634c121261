/* The flow of one function as nodes: a statement each, with where it leads. It is built backwards, from what comes next, so every
 * node knows its successors when it is made; labels and loops get a node beforehand that only points on.
 * SPDX-License-Identifier: MIT */
#ifndef GRAPH_H
#define GRAPH_H

#include "extractor/clang/tree.h"

/* Writes the functions, constants and variables of one file as doc/machine.md has them. */
void graph_file(struct prose *, const struct source *, struct variables *globals);

#endif
