/* Where an assignment, or what a function is given, goes to.
 * SPDX-License-Identifier: MIT */
#ifndef ARGUMENT_H
#define ARGUMENT_H

#include "extractor/machine.h"

#include <stdbool.h>

/* The variable that is changed when this is assigned to; NULL: it is behind a pointer. */
const char *argument_target(const struct tree *);

/* The variable that this is the address of, or in: &x, an array, an element or a field of one, such with a number added. NULL: it is behind a
 * pointer, or no address at all, and then *address is false. */
const char *argument_addressed(const struct tree *, bool *address);
bool        argument_is_text(const struct tree *);               /* "..." */

/* Of argument number `i` (from 1 on) of a function of which there is no source, by its prototype: may it be written to? Of further ones all may (sscanf),
 * but what the printf family is given. To an input nothing is only looked at but what its prototype says so of. */
bool        argument_written(const struct tree *call, int i);
bool        argument_read_only(const struct tree *call, int i);

#endif
