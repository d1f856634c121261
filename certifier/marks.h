/* Of each state that a script enters: how many entries lead to it, so that its fingerprint need be kept until the last of these alone; and,
 * of a part, whether other parts speak of it. Found by reading the script once, before it is followed (script_again); a byte a state.
 * SPDX-License-Identifier: MIT */
#ifndef MARKS_H
#define MARKS_H

#include "certifier/script.h"

enum { MARKS_MANY = 127 };           /* as many, or more: the state is kept to the end */

struct marks { uint8_t *all; uint64_t first, count, room; };     /* all zero: none. first: of a part, its first new state; the highest bit: needed elsewhere */

void marks_fini(struct marks *);
/* Of its first `most` entries (UINT64_MAX: of all). 0; negative with err: the script cannot be read (-EBADMSG), or `interrupt` (which may be NULL) is not 0 any more (-EINTR). Release with marks_fini
 * in either case. */
int  marks_make(struct marks *, struct script *, uint64_t most, const volatile int *interrupt, struct err *);
/* Of a state that no entry which was read enters: many. */
static inline uint32_t marks_of(const struct marks *m, uint64_t state)         { return state - m->first < m->count ? m->all[state - m->first] : MARKS_MANY; }
static inline uint32_t marks_references(const struct marks *m, uint64_t state) { return marks_of(m, state) & MARKS_MANY; }
static inline bool     marks_needed(const struct marks *m, uint64_t state)     { return marks_of(m, state) > MARKS_MANY; }

#endif
