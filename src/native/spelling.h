/* Names of parts of variables, by their types in the debug information: which member of which element a byte is. Between the files of
 * variable.h.
 *
 * Invariant: a spelling ends with its text: there is a 0 behind what was added, however little room there is.
 * SPDX-License-Identifier: MIT */
#ifndef SPELLING_H
#define SPELLING_H

#include "native/where_internal.h"

/* Text that grows to the right, and can be taken back. */
struct spelling { char *text; size_t room, used; };
void spell(struct spelling *, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool     type_of_die(Dwarf_Die *, Dwarf_Die *type);      /* of a variable, a pointer, an array; false: it has none */
/* Through typedef, const and the like, to a type that says what it is made of; false: it is opaque, or none. */
bool     type_strip(Dwarf_Die *type);
uint64_t type_size(Dwarf_Die *type);                     /* 0: unknown */
uint64_t type_number(Dwarf_Die *, unsigned attribute, uint64_t otherwise);
bool     type_is_aggregate(int tag);
bool     type_is_member(Dwarf_Die *);                    /* or a part that is inherited */
bool     type_is_reserved(const char *name);             /* for libraries, as the language has it */

void spell_member(const char *name, struct spelling *);
/* Adds which part of a variable of this type this byte is; `type` becomes that of the part, as far as it has parts. */
void spell_part(Dwarf_Die *type, uint64_t offset, struct spelling *);
/* Of a structure with an array of any length at its end: adds which part of that array this byte is; false: it has none. */
bool spell_open_end(Dwarf_Die *type, uint64_t offset, struct spelling *);
void spell_global(struct global *, struct spelling *);   /* globals.c */
/* The names in a symbol of C++, without types: _ZN5inner4lockE is inner::lock. Anything else stays as it is. */
void spell_symbol(const char *symbol, struct spelling *);

#endif
