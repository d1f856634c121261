/* Where in a source something stands that was read after the preprocessor. Macros before it in its line move its column, so it is looked for by its
 * text, too: all of it, and what stands before it.
 * SPDX-License-Identifier: MIT */
#ifndef SPOT_H
#define SPOT_H

#include "extractor/machine.h"

#include <stddef.h>
#include <stdint.h>

#define SPOT_NONE SIZE_MAX

size_t spot_line(const char *source, int number);                /* where a line begins, from 1 on */
size_t spot_of(const char *source, struct place_in);             /* by its column, which macros may have moved */
size_t spot_skip(const char *source, size_t at);                 /* the end of a string, a character or a comment that begins there; or the next character */
size_t spot_end(const char *source, size_t at);                  /* of an expression that begins there: before what closes around it, or a semicolon */
size_t spot_switched(const char *source, size_t at);             /* of a `switch` that begins there, what it is about */
/* Is it there, as what if, while, for or switch are about? ALIKE: it begins like that, and may have macros in it. */
enum spot_likeness { SPOT_OTHER, SPOT_ALIKE, SPOT_SAME };
enum spot_likeness spot_choice(const char *source, size_t at, const char *text);
size_t spot_call(const char *source, size_t at, size_t end, const char *name);   /* the first call; SPOT_NONE: there is none */
bool   spot_mentions(const char *text, const char *word);

#endif
