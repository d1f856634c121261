/* Where in the source: from code addresses to file, line and function, by the debug information of the executable.
 * SPDX-License-Identifier: MIT */
#ifndef WHERE_H
#define WHERE_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct where;
struct place {
    const char *file, *function;                                         /* NULL: unknown */
    int         line;                                                    /* 0: unknown */
    uint64_t    address;                                                 /* such that where_call gives this place */
};

/* Reads the debug information of a running process (any process of the program will do: they have the same layout). */
struct where *where_new(pid_t, struct err *);                            /* gives; return it with where_free */
void          where_look_again(struct where *, pid_t);                   /* it may have loaded more; what was told stays true */
void          where_free(struct where *);                                /* NULL is fine */
/* The call that returns to `address` (so the line of the call, not the one after it). Strings live as long as `where`. */
struct place  where_call(struct where *, uint64_t address);
bool          where_is_own(struct where *, uint64_t address);            /* is that call in the program's own source, as far as is known? */
bool          where_is_of_program(struct where *, uint64_t address);     /* is it in the program, or in a library that is not the system's? */
bool          where_module(struct where *, uint64_t address);            /* is it in the program or a library, as they were loaded? */
uint64_t      where_end(struct where *, uint64_t address);               /* `address`, or where the function ends that begins there */
struct place  where_exact(struct where *, uint64_t address);             /* of the instruction itself */

/* The frames of the stopped or running process that stand in the program's own source (not in a library or in the runtime),
 * innermost first, by unwinding its stack. Gives the number of frames filled, or a negative errno when it cannot be unwound. */
int           where_stack(struct where *, pid_t, struct place *frames, int room);

/* Each file that lines of the program's own code come from (not of libraries, nor headers of the compiler): as places name it, and
 * its whole path. A file may come several times. */
void          where_sources(struct where *, void (*each)(void *, const char *file, const char *path), void *arg);

#endif
