/* What shared variables hold along a path that is followed: before and after each step that is an access to one, for who
 * reads the story of it. The values are those of the program's memory, noted where it comes to stand (struct noter of native.h), beside
 * those that invariants ask for. A search notes none of this.
 *
 * Invariant: a value is told only of an access to the whole of a variable of up to eight bytes; where it cannot be read none is.
 * SPDX-License-Identifier: MIT */
#ifndef HELD_H
#define HELD_H

#include "native/native.h"
#include "report/trace.h"

struct invariants;
struct memory_view;
struct run;
struct held;

struct held *held_new(const struct visible *, struct invariants *);      /* gives; borrows both; invariants NULL: none */
void         held_free(struct held *);                   /* NULL is fine */
int          held_note(void *held, struct where *, struct memory_view *, const struct noted **, uint32_t *count, struct err *); /* as struct noter wants it */

/* Of the last step of the system, which made this event. */
void held_keep(const struct held *, const struct system *, struct event *);
/* "0", "0 to 1"; gives, NULL: nothing is known, or the event is no access to a variable. */
char *held_words(const struct run *, const struct event *);

#endif
