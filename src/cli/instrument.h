/* What makes a compiler tell the runtime of every access to memory: -fsanitize=thread, when compiling only. The functions that the
 * compiler then calls are the runtime's (runtime/instrument.c); the sanitizer's own library is not linked.
 * SPDX-License-Identifier: MIT */
#ifndef INSTRUMENT_H
#define INSTRUMENT_H

#include "cli/words.h"

#include <stdbool.h>

/* How a compiler wants to be told. */
enum instrument { INSTRUMENT_NOT, INSTRUMENT_CLANG, INSTRUMENT_GCC, INSTRUMENT_COUNT };

void instrument_add(struct words *command, enum instrument);             /* nothing for NOT */
bool instrument_refused(const struct words *options);    /* do they ask for another sanitizer, with which it does not combine? */

#endif
