/* What is at an address, as a person would write it in the source: q.changed, account[2].lock, pool->idle. From the debug
 * information of the program; without it, from the names that the linker knows.
 *
 * Names that begin with two underscores or with _M_ are a library's own, and are left out: the third std::mutex of a
 * std::array `locks` is locks[2].
 * SPDX-License-Identifier: MIT */
#ifndef VARIABLE_H
#define VARIABLE_H

#include "native/frames.h"
#include "native/symbol.h"

/* In a variable that lives as long as the program. `size`: of the object, for arrays of which only the linker knows. False: unknown. */
bool variable_global(struct where *, uint64_t address, unsigned size, char *name, size_t room);

/* What so many bytes at this address are, of a variable that lives as long as the program. OTHER: no number; UNKNOWN: no type says it. */
enum symbol_kind variable_kind(struct where *, uint64_t address, uint64_t bytes);

/* In a variable of a function of which one of these frames is, or in what can be reached from a variable through pointers, as those
 * stand now in the memory of the process. */
bool variable_seen(struct where *, pid_t, const struct frames *, uint64_t address, char *name, size_t room);

/* What a thread does that begins with this function: its name; or, where that is a library's (std::thread), the program's own
 * function that it is to call, which its argument tells. False: unknown. */
bool variable_thread(struct where *, pid_t, uint64_t function, uint64_t argument, char *name, size_t room);

/* A function's name, for a person: the linker's name of a lambda, which has no other, is "lambda in main". */
void variable_function(const char *function, char *name, size_t room);

/* Is it a variable of a library of the system? */
bool variable_of_the_system(struct where *, uint64_t address);

#endif
