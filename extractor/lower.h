/* Expressions of C as acts: each touches at most one thing that others can see, and calls are flow. What is left of an expression is C
 * that only its own thread can tell from anything else, and so may be computed whenever it is needed.
 * SPDX-License-Identifier: MIT */
#ifndef LOWER_H
#define LOWER_H

#include "extractor/program.h"

struct lower {
    struct program *p;
    int             function, node;
    const struct variable_of *first;             /* whose first value it is; NULL: it is a statement */
    struct prose    code;            /* of the act at hand */
    bool            yields;          /* others may come before it */
    bool            yielded;         /* one act of this statement has yielded */
    bool           *busy;            /* which temporaries are in use */
    int             busy_count;
    bool            followed, mapped;            /* what was in it: calls of own functions, calls that the map names */
};

void        lower_start(struct lower *, struct program *, int function, int node);
void        lower_fini(struct lower *);
const char *lower_value(struct lower *, const struct tree *);            /* C, of this thread alone; "" of void */
void        lower_effect(struct lower *, const struct tree *);           /* its value is of no use */
const char *lower_safe(struct lower *, const char *value, const char *type);     /* the same, where it is to be asked for: asking cannot fail */
void        lower_code(struct lower *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void        lower_flush(struct lower *);                                 /* ends the act at hand */
void        lower_clear(struct lower *);                                 /* the temporaries hold nothing any more */
const char *lower_constant(struct program *, const struct variable_of *);        /* its first value, which it has */
void        lower_call_pointer(struct lower *, const char *pointer);    /* of a function without parameters; nothing when it is NULL */
bool        lower_has_steps(struct program *, int function, const struct tree *);   /* does it need acts of its own? */

/* ---- between the files of it ---- */

bool        lower_fits(struct program *, int callee, const struct tree *call);   /* may a call through a pointer be of this function? */
const char *lower_call(struct lower *, const struct tree *, bool wanted);        /* wanted: its value is of use (lower_call.c) */
const char *lower_temporary(struct lower *, const char *c_type);         /* of the frame, free until lower_clear */
void        lower_visible(struct lower *);                               /* from here on others see what is done */
void        lower_touch(struct lower *, const struct tree *);            /* is there memory where this lies? It is read by nobody */
void        lower_pieces(struct lower *, const char *piece, const char *what, const char *more);  /* `what`, for pieces 0, 1, ... while there are more */
int         lower_test(struct lower *, const char *condition);           /* an act that asks; its number */
const char *lower_stop(struct lower *, const struct tree *, const char *why);    /* it cannot be carried over */

/* ---- operations: the right side of a map, as C with $1, $2, ... for arguments and $$ for the result (operation.c) ---- */

struct operands {
    const char *const *arguments;
    int                count;
    const char        *name, *result;            /* of the function that is called, or NULL; where the result goes, or "" */
    bool               names;        /* names of the program's variables mean these: the text is a user's */
};

void  lower_operation(struct lower *, const char *right, const struct operands *);
char *lower_operand_text(struct lower *, const char *text, const struct operands *, int next);   /* gives */
bool  lower_is_operation(const char *right);                             /* C, or a list of such, and no Promela */

#endif
