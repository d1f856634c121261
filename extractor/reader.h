/* The lines and words of a harness while it is read, and how mistakes in it are told.
 * SPDX-License-Identifier: MIT */
#ifndef READER_H
#define READER_H

#include "base/prose.h"
#include "extractor/harness.h"

#include <stddef.h>

struct harness_reader {
    struct harness *h;
    const char     *at;              /* the rest of the text */
    int             number;          /* of the line below */
    char           *line;            /* a copy without its end, comments and blanks around */
    struct err     *err;
};

#define ADD(list, ...) (*(__typeof__((list).items))reader_grow(&(list).items, sizeof *(list).items, &(list).count, &(list).room) = \
                        (__typeof__(*(list).items))__VA_ARGS__)
void *reader_grow(void *items, size_t size, int *count, int *room);              /* room for one more, which it gives */

#define WRONG(r, ...) reader_wrong(r, prose_make(__VA_ARGS__))
int   reader_wrong(struct harness_reader *, char *text);                 /* takes it; an error at this line */

bool  reader_line(struct harness_reader *);                              /* the next one; false: there is none */
bool  reader_begins(char *line, const char *key, char **rest);
char *reader_word(char **rest);                                  /* gives; NULL: there is none */
bool  reader_is_name(const char *text);                          /* NULL is none */
int   reader_block(struct harness_reader *, char **text, int *first);    /* the lines up to `end`, as they stand; gives */

/* ---- properties (harness_property.c) ---- */

int   harness_property(struct harness_reader *, char *rest);             /* from its first line to its end */
int   harness_symbol(struct harness_reader *, struct property *, char *rest);    /* of a property, or (NULL) of all below that use its name */

#endif
