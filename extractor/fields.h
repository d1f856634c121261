/* What a routine keeps behind a pointer that it is called with: a switch has a record for each line, and its routine is line(x, event).
 * Here `x->state`, with x a parameter that is never assigned, is one variable, named so, of the function; it lasts, as static ones do.
 * So is `x->timer.kind`. When a function is called with such a pointer, its fields are those of the caller, under another name.
 *
 * Invariant: each field that a called function has behind a pointer which it is given is a variable of the caller, too.
 * SPDX-License-Identifier: MIT */
#ifndef FIELDS_H
#define FIELDS_H

#include "extractor/machine.h"

void fields_find(struct machines *);                             /* makes variables of them; a control state of @-format begins as 1 */

bool fields_is(const char *variable);                            /* "x->state"? */

/* The same field where the caller has it, when `callee` is called like this; NULL: it is nothing that the caller has a name for. Gives. */
char *fields_of_caller(const struct function *callee, const struct tree *call, const char *variable);

/* The field `name` behind any pointer of the function ("state" is "x->state"); NULL: none, or more than one. */
const struct variable_of *fields_called(const struct function *, const char *name);

#endif
