/* What both readers of values.h have in common: what gcc writes down (values.c), and what clang does (values_clang.c).
 * SPDX-License-Identifier: MIT */
#ifndef VALUES_INTERNAL_H
#define VALUES_INTERNAL_H

#include "base/prose.h"
#include "cli/values.h"

#include <limits.h>
#include <stdbool.h>

/* Of one function: variables of its own, those whose address is given away, and what was passed or stored, each with its place; the last place in it that is
 * in no header of the system. Of all: functions, by their numbers, for a function is passed by its name, too; and what it is still to be seen of whether it is one. */
struct values_reader { struct words own, given, used, places, functions, names, names_at; char near[PATH_MAX]; struct prose found; int count; };

bool values_has(const struct words *, const char *name, size_t length);
void values_add_name(struct words *, const char *name, size_t length);           /* once */
bool values_keeps(const char *callee, size_t length);        /* does a function that it is passed to keep an address? */
void values_add_place(struct values_reader *, const char *place);        /* file.c:3:7, without the column, once */
void values_end_function(struct values_reader *);
void values_end_file(struct values_reader *);

#endif
