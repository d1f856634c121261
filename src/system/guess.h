/* What a process of a sharing group does next, when its own results do not tell: what it finds in shared memory differs. Mostly that
 * is what others left there, who used the same object before (the mutex that protects it). So this remembers, by how far
 * each of them had come when it last used the object. A wrong guess costs time, nothing else.
 * Invariants: what it remembers are nodes that are there, of the process it says. Where a step is said to lead is a node with the past
 * that the step gives it (group_past): of a path the program is asked only before what each process stands.
 * SPDX-License-Identifier: MIT */
#ifndef GUESS_H
#define GUESS_H

#include "system/system.h"

struct guess;
struct guess *guess_new(void);                           /* gives; return it with guess_free */
void          guess_free(struct guess *);                /* NULL is fine */

/* Where step number `at` of the path leads; NO_NODE: no idea. Only `process`, `from` and `result` of that step are looked at. */
uint32_t guess_where(const struct guess *, const struct system *, const struct leg *path, uint32_t at);
void     guess_remember(struct guess *, const struct system *, const struct leg *path, uint32_t at, uint32_t to);

/* The same, when nobody has been there: what somebody did before the same operation when all of them together, in whatever order, had done
 * the same on objects. That is `sum`, to which guess_add adds a step. A node like the one it should come to; NULL: no idea. */
uint64_t guess_add(const struct system *, uint64_t sum, const struct leg *);
const struct node *guess_common(const struct guess *, const struct system *, uint64_t sum, const struct leg *);
void     guess_remember_common(struct guess *, const struct system *, uint64_t sum, const struct leg *, uint32_t to);

/* The same, for a step that nobody took yet: a node that it once came to from before the same operation, with another past. */
uint32_t guess_like(const struct guess *, const struct system *, const struct leg *);
void     guess_remember_like(struct guess *, const struct system *, const struct leg *, uint32_t to);

#endif
