/* The annotated state machine between the two stages of extraction (doc/machine.md), as data: functions with their variables and
 * their flow, a node for each statement, and where it leads.
 * Invariant: every target of a node is the index of a node of the same function.
 * SPDX-License-Identifier: MIT */
#ifndef MACHINE_H
#define MACHINE_H

#include "base/err.h"

#include <stdbool.h>

struct tree {                        /* an expression of C */
    char         *op;                /* "var", "int", "call", "==", "pre!", ... */
    char         *type;              /* as C spells it */
    char         *name;              /* of a variable, a constant, a field, a function; the text of "raw" and "str"; or NULL */
    long long     value;             /* of an "int" */
    struct tree **parts;
    int           count, room;
};

struct place_in { char *file; int line, column; };

enum node_kind { NODE_DO, NODE_IF, NODE_SWITCH, NODE_GOTO, NODE_BREAK, NODE_CONTINUE, NODE_RETURN };

struct way { long long low, high; char *name; bool fallback, none; int to; };    /* fallback: default, or (none) that there is none */

struct node {
    enum node_kind  kind;
    struct place_in place;
    char           *text;            /* as the source has it, in one line; of a goto the label; or NULL */
    struct tree    *tree;            /* or NULL */
    int             next, otherwise; /* -1: none */
    struct way     *ways;            /* of a switch; the last is the fallback */
    int             way_count, way_room;
};

struct variable_of {
    char           *name, *type;     /* the name is unique in its function: a shadowed x is x~2; of a global "b.c:x" where another file has one */
    struct place_in place;
    char           *text;            /* of its first value, or NULL */
    struct tree    *value;
    bool            is_static, parameter;
    bool            per_thread;      /* each thread has one */
};
struct variables_of { struct variable_of *items; int count, room; };

struct state_of { char *name; int number; struct place_in place; };

struct function {
    char               *name, *type;
    struct place_in     place;
    struct variables_of variables;   /* parameters first, in order */
    struct state_of    *states;      /* those of @-format */
    int                 state_count, state_room;
    struct node        *nodes;       /* node N of the text is nodes[N - 1] */
    int                 count, room, entry;
    bool                unasked;     /* it runs without being called: a constructor */
};

struct constant { char *name; long long value; char *type; };     /* the type is that of variables of its enumeration; NULL: unknown */

struct field { char *of, *name, *type; };                        /* of a struct or union of the program */

struct texts_of { char **items; int count, room; };

struct machines {
    struct texts_of     includes;    /* headers of the system, <pthread.h> as pthread.h, in order, each once */
    struct texts_of     types;       /* definitions of types, in order, each once */
    struct texts_of     joined;      /* names of fields that a union has */
    struct texts_of     bits;        /* names of bit-fields */
    struct function    *functions;
    int                 count, room;
    struct variables_of globals;
    struct constant    *constants;
    int                 constant_count, constant_room;
    struct field       *fields;      /* in order */
    int                 field_count, field_room;
};

int  machines_read(struct machines *, const char *text, struct err *);   /* whatever it gives, return it with machines_fini */
void machines_fini(struct machines *);
const struct function *machines_function(const struct machines *, const char *name);     /* NULL: none */
const struct variable_of *function_variable(const struct function *, const char *name);  /* NULL: none */
int  function_parameters(const struct function *);
bool node_fails(const struct node *);                            /* is it what an assert does that does not hold, or abort()? */
const char *machines_word(const struct machines *, const char *type, long long value);   /* the constant of this enumeration; NULL: none */
bool machines_is_joined(const struct machines *, const char *field);     /* may it be the same memory as another field? */
bool machines_is_bits(const struct machines *, const char *field);       /* may it share a byte with another field? */
bool machines_same_enum(const char *constant, const char *type); /* the type that a constant has, and one that may be called by its typedef */
const char *plain_name(const char *name);                        /* as the source has it: of "b.c:x", x */

void tree_free(struct tree *);                                   /* NULL is fine */

#endif
