/* An expression of invariant.h, taken apart. For the files that read it and compute it.
 * SPDX-License-Identifier: MIT */
#ifndef TERM_H
#define TERM_H

#include "base/err.h"
#include "native/symbol.h"

enum term_kind { TERM_NUMBER, TERM_NAME, TERM_MEMBER, TERM_INDEX, TERM_TARGET, TERM_UNARY, TERM_BINARY, TERM_NEXT };

/* X(text, precedence): those of two operands, the longer first where one begins the other. */
#define TERM_OPERATORS(X) \
    X(IMPLIES, "implies", 1) X(OR, "||", 2) X(AND, "&&", 3) X(EQUAL, "==", 7) X(UNEQUAL, "!=", 7) X(LEFT, "<<", 9) X(RIGHT, ">>", 9) \
    X(AT_MOST, "<=", 8) X(AT_LEAST, ">=", 8) X(BIT_OR, "|", 4) X(BIT_XOR, "^", 5) X(BIT_AND, "&", 6) X(LESS, "<", 8) X(MORE, ">", 8) \
    X(PLUS, "+", 10) X(MINUS, "-", 10) X(TIMES, "*", 11) X(DIVIDE, "/", 11) X(REST, "%", 11)
#define X(name, ...) TERM_##name,
enum term_operator { TERM_OPERATORS(X) TERM_NOT, TERM_INVERT, TERM_NEGATIVE };
#undef X

struct term {
    enum term_kind       kind;
    enum term_operator   op;
    int64_t              number;
    char                *name, *owner;       /* of a variable or member; owner NULL: not said */
    int                  process;            /* counts from 0; -1: not said */
    struct term         *left, *right;
    uint32_t             begin, end;         /* its part of the text */
    bool                 is_place;           /* a variable or a part of one, and the whole of it: its value is noted */
    uint32_t             noted;              /* as which */

    uint64_t             address;            /* of a variable */
    struct symbol_type   type;               /* of a place; to be used while the program's debug information is there */
    enum symbol_kind     kind_of_type;       /* what it is, and how many bytes, known for good */
    uint64_t             bytes;
    uint64_t             count;              /* of an array: its elements; 0: nobody knows */
    struct symbol_member member;
};

struct term *term_read(const char *text, struct err *);          /* gives; NULL with err */
void         term_free(struct term *);                           /* NULL is fine */

#endif
