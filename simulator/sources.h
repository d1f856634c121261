/* The program's own source files: those named on the command line, and those that its debug information names. No other file of
 * the machine can be asked for.
 * SPDX-License-Identifier: MIT */
#ifndef SOURCES_H
#define SOURCES_H

#include "report/run.h"

struct known_sources;
struct known_sources *sources_new(const struct run *, const struct job *);     /* gives; return it with sources_free */
void            sources_free(struct known_sources *);                          /* NULL is fine */

bool        sources_lines(const struct known_sources *);                       /* does debug information name any? Else: no -g */
uint32_t    sources_count(const struct known_sources *);
const char *sources_file(const struct known_sources *, uint32_t number);       /* as locations name it */
/* The same of a file that is named so, or by its whole path, as debuggers do; `name` itself when it is none of them. */
const char *sources_name(const struct known_sources *, const char *name);
const char *sources_newer(const struct known_sources *, const char *executable);   /* one that was changed after it was made; NULL: none */
char       *sources_text(const struct known_sources *, const char *file, struct err *);        /* gives; NULL: it cannot be had */

#endif
