/* What the files that read debug information share: where.c (lines), variable.c (names), frames.c (stacks).
 * SPDX-License-Identifier: MIT */
#ifndef WHERE_INSIDE_H
#define WHERE_INSIDE_H

#include "native/where.h"

#include <elfutils/libdwfl.h>

struct globals;                      /* variable.c's: all variables that live as long as the program */

enum { KNOWN = 1024 };

struct where {
    struct place    known[KNOWN];    /* places that were looked up, by their addresses */
    Dwfl           *lines;           /* for all processes: they have the same layout */
    Dwfl           *stack;           /* attached to one process */
    pid_t           pid;             /* that one */
    struct globals *globals;         /* NULL until they are first needed */
};

bool where_module_of_the_system(Dwfl_Module *);          /* NULL: yes */
void variable_fini(struct where *);

#endif
