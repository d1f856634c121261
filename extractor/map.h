/* The map: which statements and conditions of the source become what in the model (Holzmann and Smith 2002, 4.1). Two columns of
 * text, apart by two blanks or a tab; a line that begins with blanks goes on with the column that it stands below. Lines may be
 * numbered. The left side is compared without white space: whole, or else as the beginning of a statement; the longest wins. $1 to $9
 * on the left stand for an argument each, and for the same text on the right.
 *
 * A condition and its negation are apart. Both are told in one way, however many brackets and ! the source and the map use:
 * a text, and whether it holds. Of a && b and a || b that are not named as a whole, each side is looked up by itself.
 * SPDX-License-Identifier: MIT */
#ifndef MAP_H
#define MAP_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct map_entry {
    char *left;                      /* as it was written, for messages */
    char *statement;                 /* without white space */
    char *condition;                 /* the same without outer brackets and negations */
    bool  holds;                     /* false: an odd number of negations was taken off */
    char *right;
    char *file;                      /* and the line in it */
    int   line;
    int   used;                      /* how often it was found */
};

struct map { struct map_entry *items; int count, room; };

/* Adds the entries of a text of which the first line has this number in the file. */
int   map_read(struct map *, const char *file, int line, const char *text, struct err *);
void  map_fini(struct map *);

struct map_entry *map_statement(struct map *, const char *text);                 /* NULL: none */
struct map_entry *map_condition(struct map *, const char *text, bool holds);

/* The right side, with what the text has in place of $1, $2, ... of the left one; gives. */
char *map_right(const struct map_entry *, const char *text, bool condition);

char *map_canonical(const char *text);                           /* without white space outside of strings; gives */
char *map_literal(const char *text, bool *holds);                /* canonical, without outer brackets and negations; gives */

/* Where the last && (or ||) of a canonical text stands that is not in brackets; 0: nowhere. */
size_t map_split(const char *text, const char *op);

#endif
