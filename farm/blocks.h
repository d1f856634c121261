/* The properties of a harness's text, as they stand there: from `property NAME` to `end`. One can be put in the place of another, and all else
 * stays as it is, byte for byte; so the file can be edited by hand, from the page, and be kept in git, all at once.
 * SPDX-License-Identifier: MIT */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "base/err.h"

#include <jansson.h>
#include <stdbool.h>

json_t *blocks_read(const char *text);                           /* an array of { name, text, line }; gives */
char   *blocks_find(const char *text, const char *name);         /* gives; NULL: there is none */
/* In the place of the one with this name; behind all others where there is none; NULL takes it out. Gives. */
char   *blocks_put(const char *text, const char *name, const char *block);
/* Is the text one property, with this name? */
int     blocks_check(const char *block, const char *name, struct err *);
bool    blocks_are_alike(const char *one, const char *other);    /* but for white space at the ends of lines and around */

#endif
