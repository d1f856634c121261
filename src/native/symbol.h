/* Variables of the program by their names, and what their types are made of, from its debug information: for expressions over them.
 * SPDX-License-Identifier: MIT */
#ifndef SYMBOL_H
#define SYMBOL_H

#include "native/where.h"

struct symbol_type { uint64_t own[4]; int dimension; };       /* symbol.c's own; of an array, how many of its dimensions were looked into */
enum symbol_kind { SYMBOL_SIGNED, SYMBOL_UNSIGNED, SYMBOL_POINTER, SYMBOL_ARRAY, SYMBOL_STRUCT, SYMBOL_OTHER, SYMBOL_UNKNOWN };       /* the last: nobody knows its type */

/* A variable that lives as long as the program; `owner`: the file or the function that it is in, NULL: any. -EINVAL with the nearest name
 * in err, or with its owners where there are several. */
int  symbol_find(struct where *, const char *owner, const char *name, uint64_t *address, struct symbol_type *, struct err *);
bool symbol_constant(struct where *, const char *name, int64_t *value);          /* of an enumeration */

enum symbol_kind symbol_kind(const struct symbol_type *, uint64_t *bytes);       /* what it is, and how many bytes it takes (0: unknown) */
const char *symbol_type_name(const struct symbol_type *);                        /* for messages; "" when it has none */
/* Of what a pointer points to, an array consists of. False: it is neither, or points to nothing that has a type. */
bool symbol_target(const struct symbol_type *, struct symbol_type *);
uint64_t symbol_count(const struct symbol_type *);               /* of an array: its elements; 0: it is none, or nobody knows */
/* A member of a structure or union: where it begins, and which bits of it (bits 0: all). -EINVAL with the nearest name. */
struct symbol_member { uint64_t offset; struct symbol_type type; unsigned bits, first_bit; };
int  symbol_member(const struct symbol_type *, const char *name, struct symbol_member *, struct err *);

#endif
