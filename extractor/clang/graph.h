/* The text of one file: its constants, variables and functions, with their flow (flow.h), as doc/machine.md has them.
 * SPDX-License-Identifier: MIT */
#ifndef GRAPH_H
#define GRAPH_H

#include "extractor/clang/tree.h"

void graph_file(struct prose *, const struct source *, struct variables *globals);

#endif
