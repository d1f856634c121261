/* An executable made loadable as a library, so that several can be processes of one program (runtime/loader.c): a copy of it, without the mark by which the dynamic
 * linker would refuse it.
 *
 * That can be done of executables that can lie anywhere (PIE, as compilers make them today), are linked dynamically, and have no thread-local variables of their own,
 * for the places of these are those of the first program.
 * SPDX-License-Identifier: MIT */
#ifndef LOADABLE_H
#define LOADABLE_H

#include "base/err.h"
#include "cli/words.h"

/* Writes the copy, and adds to `words`: its path, where its main is, its name, the libraries that it needs; and to `usual` those of them that are found in the
 * usual places, so that they can be loaded before any program begins. */
int loadable_make(const char *executable, const char *copy, struct words *words, struct words *usual, struct err *);

#endif
