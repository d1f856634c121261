/* Suppressions: data races that somebody knows of and does not want to be told again, from a file (doc/suppressions.md). What they do is
 * searched all the same. SPDX-License-Identifier: MIT */
#ifndef SUPPRESSIONS_H
#define SUPPRESSIONS_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

#define SUPPRESSIONS_HEADER "verisoft suppressions 1"

struct suppressions;
struct suppressions *suppressions_read(const char *file, struct err *);  /* gives; NULL with err: it cannot be used */
void                 suppressions_free(struct suppressions *);           /* NULL is fine */

/* What a line may name: the variable; both places "main.c:42" and their functions, NULL where unknown. */
struct suppressed_race { const char *variable, *places[2], *functions[2]; };
bool suppressions_match(struct suppressions *, const struct suppressed_race *);  /* of none (NULL): false */

/* The next line from `line` on by which nothing was left out; 0: there is none. */
uint32_t    suppressions_unused(const struct suppressions *, uint32_t line);
const char *suppressions_file(const struct suppressions *);

#endif
