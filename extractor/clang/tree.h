/* Expressions of C as trees in brackets (doc/machine.md): all that stage two needs to know of them, types too. What is not known
 * here becomes (raw ...), with its text: it can be mapped or left out, but not carried over.
 * SPDX-License-Identifier: MIT */
#ifndef TREE_H
#define TREE_H

#include "extractor/clang/source.h"
#include "base/prose.h"

/* The variables that were met, each with a name that no other has: a shadowed x is x~2. */
struct variables {
    struct variable { CXCursor declared; char *name, *base; } *items;
    int                                                        count, room;
    struct prose                                               joined, bits;     /* a line for each field of a union that was met; for each bit-field */
};

const char *variables_name(struct variables *, const struct source *, CXCursor declaration);     /* from the first time on */
void        variables_fini(struct variables *);

void tree_put(struct prose *, const struct source *, struct variables *, CXCursor expression);
bool tree_is_sequence(const struct source *, CXCursor whole, const struct cursors *parts);       /* a, ({ ... }): the left side goes into the flow, too */
bool tree_is_or_else(const struct source *, CXCursor whole, const struct cursors *parts);        /* x ?: y */
void tree_quote(struct prose *, const char *text);               /* in "", with \" \\ \n */
void tree_type(struct prose *, CXType);
void tree_type_of(struct prose *, const struct source *, CXCursor);      /* of a declaration or an expression; a parameter that is an array is a pointer */
const char *tree_spelling(CXType);                               /* as C can say it, without typedefs */

#define TREE_TAG "vs_enum_"                                      /* and the name of its typedef: the tag of an enumeration that has none */
bool tree_is_untagged(CXType);

#endif
