/* Strings, each kept once and named by a number, so that states can hold a message in a word and compare it by value.
 * Number 0 is the empty string. A number stays valid, and means the same string, as long as the table lives. Invariant: its hash table is
 * at most half full, so looking in it comes to an end.
 * SPDX-License-Identifier: MIT */
#ifndef TEXTS_H
#define TEXTS_H

#include <stddef.h>
#include <stdint.h>

struct texts;
struct texts *texts_new(void);                                   /* gives; return it with texts_free */
void          texts_free(struct texts *);                        /* NULL is fine */
uint32_t      texts_number(struct texts *, const char *string);
uint32_t      texts_number_of(struct texts *, const char *bytes, size_t length);   /* up to the first NUL, if any */
const char   *texts_string(const struct texts *, uint32_t number);                 /* valid as long as the table */

#endif
