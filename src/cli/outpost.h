/* The file by which a process is asked for a part of a search (--mission), and how it is answered.
 *
 * FILE holds what is asked for, and what of the program the search rests on: is it a sharing group, which of its variables are visible, has it timers. FILE.told is the
 * answer. FILE.hurry: who asked waits. When FILE itself is gone, so is who asked, or he wants no answer.
 * SPDX-License-Identifier: MIT */
#ifndef OUTPOST_H
#define OUTPOST_H

#include "cli/plan.h"

struct outpost_order { bool group; const struct visible *visible; struct habits habits; uint32_t seconds; };   /* seconds: after which it gives back the rest; 0: never */
int outpost_write(const char *file, const struct outpost_order *, const uint64_t *words, uint32_t count, struct err *);

/* Does what is asked for. Gives the exit status: 0, when there is an answer. */
int outpost_serve(struct plan *, const char *file);

#endif
