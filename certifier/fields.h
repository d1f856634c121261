/* The header of a certificate: names and values, a line each, in order; some names may come several times.
 * Invariant: neither holds a line break, and no name a colon.
 * SPDX-License-Identifier: MIT */
#ifndef FIELDS_H
#define FIELDS_H

#include "base/err.h"

#include <stdint.h>
#include <stdio.h>

struct field { char *name, *value; };
struct fields { struct field *all; uint32_t count, room; };      /* all zero: none */

void        fields_fini(struct fields *);
void        fields_add(struct fields *, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void        fields_add_all(struct fields *, const struct fields *);
const char *fields_get(const struct fields *, const char *name, uint32_t nth);   /* counts from 0; NULL: there are not so many */
/* 0, or negative: it is not there, or no number; err says so. */
int         fields_number(const struct fields *, const char *name, uint64_t *, struct err *);

char *fields_text(const struct fields *);                        /* a line each, and an empty one at the end; gives */
int   fields_read(struct fields *, FILE *, struct err *);        /* to behind the empty line; a name that comes twice and may not: negative */

#endif
