/* What the structural properties (structure.h) say of the operations of a system. In a sharing group an array of semaphores is one
 * object, each of whose semaphores can be declared; and new processes may come. Invariant: only there it is noted what was seen.
 * SPDX-License-Identifier: MIT */
#ifndef DECLARED_H
#define DECLARED_H

#include "system/system.h"

/* The operation as structure.h speaks of it: fills type, code, number and index. False: nothing can be declared of it. */
bool declared_subject(const struct system *, const struct op *, struct declaration *subject);
const struct declaration *declaration_of(const struct system *, const struct op *);      /* NULL: nothing is declared of it */
bool declared_allows(const struct system *, const struct op *);
/* The processes that may do, by the operation's declaration, what `code` does to the same object; all ones: nothing is declared. */
uint64_t declared_allowed(const struct system *, const struct op *, uint8_t code);

/* In a group: a process is seen before this operation; what is not declared may then be done by it. */
void     declared_note(struct system *, const struct op *);
/* The processes that may, now or later, do something on the same object that matters to this pending operation, which is on one. */
uint64_t declared_may_matter(const struct system *, const struct op *);

#endif
