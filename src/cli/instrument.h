/* What makes a compiler tell the runtime of every access to memory: -fsanitize=thread, for the compiler proper only. The functions that it
 * then calls are the runtime's (runtime/instrument.c); the sanitizer's own library, which the driver would link, is not linked.
 * SPDX-License-Identifier: MIT */
#ifndef INSTRUMENT_H
#define INSTRUMENT_H

#include "cli/compiler.h"
#include "cli/home.h"

#include <stdbool.h>

/* How a compiler wants to be told. */
enum instrument { INSTRUMENT_NOT, INSTRUMENT_CLANG, INSTRUMENT_GCC, INSTRUMENT_COUNT };

/* Of a command that compiles, links, or both; nothing for NOT. */
void instrument_add(struct words *command, enum language, enum instrument, const struct home *);
void instrument_add_link(struct words *command, enum instrument);        /* of one that links: copies of memory are seen, too */

/* How it should be told, by what it says of itself: quicker than to try, for a compiler looks long for what an unknown option may have meant. NOT: it says nothing. */
enum instrument instrument_way(enum language);
/* A command that succeeds with a compiler that takes what it is told. It compiles nothing. */
void instrument_add_trial(struct words *command, enum language, enum instrument, const struct home *);
/* Is it left out? What is optimised as a whole (-flto) is so when it is linked, where the functions that tell of copies are put in the place of others (--wrap):
 * copies would not be seen, or the link fails. */
bool instrument_drops(const char *option);
bool instrument_refused(const struct words *options);    /* do they ask for another sanitizer, with which it does not combine? */

#endif
