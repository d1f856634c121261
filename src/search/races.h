/* All races of a path that has come to its end: they are looked for, and what reverses them is put into the wakeup trees.
 * SPDX-License-Identifier: MIT */
#ifndef RACES_H
#define RACES_H

#include "search/optimal_internal.h"

void races_look(struct optimal *);               /* the path must be what the program does */
void races_forget(struct optimal *);             /* those of steps that are not known any more */
void races_link(struct optimal *, uint32_t count);       /* makes `first_race` of so many levels again */

#endif
