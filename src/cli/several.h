/* Several programs that are checked together, as `verisoft server.c -- 8080 + client.c -- 8080` says: they become one executable, in which a
 * first process starts each of them in a process of its own, as a shell would, and waits for all.
 *
 * Of each program the objects are linked to one, in which only main can be seen from outside, under a name of its own; so two programs
 * may have functions and variables of the same names. What all of it becomes is one file with one debug information. Executables are loaded by one
 * that does the same (runtime/loader.c).
 * SPDX-License-Identifier: MIT */
#ifndef SEVERAL_H
#define SEVERAL_H

#include "base/err.h"
#include "cli/scratch.h"
#include "cli/words.h"

#include <stdbool.h>

#define SEVERAL_MARK "+"             /* between two programs, and between their arguments */

bool several_programs(const struct words *files);
uint32_t several_count(const struct words *files);
bool several_executables(const struct words *files);     /* are they several, and executables? */
int  several_check(const struct words *files, struct err *);

/* Executables are made loadable, in the folder. Adds to `out` what the loader is to be told, with the arguments of all; to `usual` as loadable_make. */
int  several_load(const struct words *files, const struct words *arguments, const struct scratch *, struct words *out, struct words *usual, struct err *);

/* Who runs a command, and makes an object of one of the files; both give 0 or what `compile` gives. */
struct several_tools {
    void *self;
    int (*run)(void *self, const struct words *command);
    int (*object)(void *self, uint32_t file, char *path, size_t room);
    int (*compile)(void *self, const char *source, const char *object);
};

/* Adds to `command` all that the files have become. */
int  several_add(const struct words *files, const struct scratch *, const struct several_tools *, struct words *command, struct err *);

#endif
