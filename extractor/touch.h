/* What an expression touches: which variables and fields it reads, changes, or lets others reach by their address. It is what tells whether a statement
 * can be left out of a model without the rest seeing it.
 *
 * Two touches *meet* when they may be of the same memory, as far as C's types allow: of two variables never; of a variable and of something behind a
 * pointer if its address is taken somewhere; behind two pointers if the types may be the same, but not of two fields with different names (of a union
 * always). A function that no source has reads and changes what it is given the address of, and nothing else.
 * SPDX-License-Identifier: MIT */
#ifndef TOUCH_H
#define TOUCH_H

#include "extractor/machine.h"

#include <stdbool.h>

enum touch_how { TOUCH_READS, TOUCH_CHANGES, TOUCH_EXPOSES };

struct touch {
    enum touch_how         how;
    const struct function *function; /* whose variable; NULL: a global, or none */
    const char            *variable; /* NULL: behind a pointer */
    const char            *field;    /* the last on the way, or NULL */
    char                   kind;     /* 'i'nteger, 'p'ointer, 'f'loating point, an 'o'bject of the system, or '*': any of these */
};

struct touches {
    const struct machines *machines;
    struct touch          *items;    /* each once */
    int                    count, room;
    bool                   only_exposes;         /* the others are not kept */
    bool                   calls;    /* also what the program's own functions do that are called */
    bool                   pointers; /* a function that no source has goes where pointers lead that it is given, not only to what & and arrays give it */
    bool                   records;  /* records are exposed, whatever has their address */
    bool                  *followed; /* of each function; NULL: none so far */
};

void touch_find(struct touches *, const struct function *, const struct tree *);     /* adds; borrows the names */
void touch_words(struct touches *, const struct function *, enum touch_how, const char *text);   /* of a text: the variables that it names */
void touch_add(struct touches *, struct touch);
void touch_fini(struct touches *);

struct touch touch_of(const struct function *, const struct variable_of *);      /* that the variable is read */

/* May they be of the same memory? `exposed` has the touches that expose. */
bool touch_meet(const struct touch *, const struct touch *, const struct touches *exposed);

#endif
