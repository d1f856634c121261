/* Looking at a function: which of its variables is the control state, which parameter the event, which events it knows.
 * SPDX-License-Identifier: MIT */
#ifndef LOOK_H
#define LOOK_H

#include "extractor/machine.h"

#include <stdbool.h>

const char *look_state(const struct machines *, const struct function *);        /* NULL: there is none */
const char *look_event(const struct function *);                                 /* a parameter; NULL: none */
bool        look_mentions(const struct tree *, const char *variable);            /* NULL tree is fine */
bool        look_only(const struct tree *, const char *a, const char *b);        /* no variables but these two, no calls, no changes */

/* Each number that the function tells its event from, with its name, or NULL. */
void look_events(const struct function *, const char *event, void (*found)(void *, long long, const char *), void *);

/* The name of a control state, by its number; NULL: it has none. And the number, by its name. */
const char *look_state_name(const struct function *, const char *state, long long number);
bool        look_state_number(const struct function *, const char *state, const char *name, long long *number);

#endif
