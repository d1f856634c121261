/* One side of a condition as a guard of Promela: by a feature, by the map, as C has it, part by part, or open.
 * SPDX-License-Identifier: MIT */
#ifndef GUARD_H
#define GUARD_H

#include "extractor/maker.h"

/* `text` is the condition, the tree its tree or NULL; *fate says by what. Gives. */
char *guard_of(struct maker *, int instance, const struct node *, const char *text, const struct tree *, bool holds, enum fate *);

#endif
