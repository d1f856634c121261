/* Visible locations (history/visible.h) as a scenario has them: whoever replays it must see the same accesses as operations.
 *
 *     shared: &counter/4 &queue+0x10/8 program+0x4014/4 stack-0x58/8 0x240000000130/8
 *
 * A variable of the program has the name that the linker knows, if no other has it, so that it is found when the program was compiled anew. Else
 * an address counts from where its part of the program is loaded, or from the beginning of the stack; what is allocated is in every
 * start at the same address. `@2` behind it: it is one object with the second of the list; `?`: its value is not followed.
 * SPDX-License-Identifier: MIT */
#ifndef SHARED_H
#define SHARED_H

#include "native/native.h"

char *shared_words(struct native *);                     /* gives; NULL: nothing is visible */
/* Adds them to the list of visible locations, and what is said of the clock; of the executable that will be run. `words` NULL: none. */
int   shared_read(const struct native_settings *, const char *words, const char *file, struct err *);

#endif
