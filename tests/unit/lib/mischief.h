/* Guesses that are wrong on purpose. The linker puts these in the place of those of guess.c (--wrap in the Makefile). What is like the node that a
 * step leads to may be any that is as far from the start as it should be: were it nearer, a path could go round in circles, which the
 * system excludes (group_path.c). The node itself is one with the past that the step gives it, for only what it stands before is asked of
 * the program.
 * SPDX-License-Identifier: MIT */
#ifndef MISCHIEF_H
#define MISCHIEF_H

#include <stdint.h>

/* From now on so many of a hundred guesses are wrong, as the seed has it; before the first call, and with 0, none. */
void mischief_begin(uint64_t seed, int percent);

#endif
