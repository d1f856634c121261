/* The table of object types: those of wire.h, one file each in this folder, and those loaded with --object.
 * Invariant: an operation has a type of the table and a code of that type, whoever it came from: native/rules.c has seen to it.
 * SPDX-License-Identifier: MIT */
#ifndef TYPES_H
#define TYPES_H

#include "base/err.h"
#include "base/texts.h"
#include "object.h"

const struct object_type *types_get(unsigned index);                      /* NULL: no such type */
int  types_find(const char *name);                                        /* index, or -1 */
int  types_load(const char *file, struct err *);                          /* a shared object that defines `vs_type` */

/* An operation by its name as the program calls it ("semwait"): finds type and code. */
bool types_operation(const char *name, unsigned *type, unsigned *code);

uint32_t types_traits(const struct op *);                                 /* OP_*: what it is, whatever the state */
/* Has the operation a time limit? Then `without` is the same without it. */
bool types_limit(const struct op *, struct op *without);
/* Of an end: it is nothing that the program asked for, but a death, a loop, a limit; what it says of itself may differ from time to time. */
bool types_mishap(const struct op *);

/* An operation as a person reads it: `semwait(0, 1, 1)`; `name` is the object's name within its type ("0", "0, 1"). */
void types_print(const struct op *, const char *name, const struct texts *, char *out, size_t room);
void types_print_waiting(const struct op *, const char *name, const struct texts *, char *out, size_t room);     /* of one who waits there */
/* What an executed operation moved: `before` is the state in which it found its object; NULL: it is on none. */
struct passage types_passage(const uint32_t *before, const struct op *, uint32_t result);
/* A byte as it stands in a quoted text: \" and \x0a are such. */
void types_escape(char byte, char out[8]);
/* Its result: `"room_is_hot"`, `3`; false: it has none. */
bool types_print_result(const struct op *, uint32_t result, const struct texts *, char *out, size_t room);

#endif
