/* A string that grows: messages and file lines are put together in it piece by piece.
 * Invariant: `text` is NULL while nothing was added, else ends in NUL after `length` bytes.
 * SPDX-License-Identifier: MIT */
#ifndef PROSE_H
#define PROSE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct prose { char *text; size_t length, room; };

void  prose_add(struct prose *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void  prose_add_list(struct prose *, const char *format, va_list) __attribute__((format(printf, 2, 0)));
void  prose_bytes(struct prose *, const char *bytes, size_t length);
void  prose_fini(struct prose *);
char *prose_take(struct prose *);                                /* gives the string ("" when nothing was added) */
char *prose_make(const char *format, ...) __attribute__((format(printf, 1, 2)));      /* gives */

/* One character for each byte that would break a line or drive a terminal: text of the program comes in one line. */
void  prose_one_line(char *text);
size_t prose_columns(const char *text);                          /* on a screen: UTF-8 sequences count once, colours not at all */

/* How XML and HTML write this character, in text and in attributes; NULL: as it is. */
const char *prose_entity(uint32_t character);

/* Each line of the text from column `first` on, broken at blanks so that it ends before column `width` (0: never); what goes on begins
 * at column `rest`. A word that is longer stays whole. */
size_t prose_fitting(const char *line, size_t columns);          /* how many bytes of its first line go into one of these */
void  prose_wrap(FILE *, const char *text, int first, int rest, int width);

#endif
