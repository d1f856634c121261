/* What the files that read debug information share: where.c (lines), variable.c, globals.c and spelling.c (names), frames.c (stacks).
 * SPDX-License-Identifier: MIT */
#ifndef WHERE_INSIDE_H
#define WHERE_INSIDE_H

#include "native/where.h"

#include <elfutils/libdwfl.h>

struct view;                         /* frames.c's: the process that is unwound */

/* A variable that lives as long as the program. */
struct global {
    uint64_t  address, size;
    Dwarf_Die die;
    char     *scope;                 /* "inner::"; NULL: none */
    const char *owner;               /* function that it is in, or file: told when there are two of that name */
    bool      twice;
};

struct globals { struct global *all; uint32_t count, room; };

enum { KNOWN = 1024 };

/* Variables that begin as zero: memory behind what the file of a module fills. */
struct zeros { uint64_t from, to; Dwfl_Module *module; };

struct where {
    struct place    known[KNOWN];    /* places that were looked up, by their addresses */
    Dwfl           *lines;           /* for all processes: they have the same layout */
    Dwfl           *stack;           /* attached to one process */
    pid_t           pid;             /* that one */
    struct zeros   *zeros;
    uint32_t        zeros_count, zeros_room;
    bool            zeros_known;
    struct globals *globals;         /* NULL until they are first needed */
    struct view    *view;            /* likewise */
};

Dwfl_Module *where_module_at(struct where *, uint64_t address);          /* NULL: in none */
bool where_module_of_the_system(Dwfl_Module *);          /* NULL: yes */
Dwarf_Die *where_unit(Dwfl_Module *, uint64_t address, Dwarf_Addr *bias);       /* that this code is of; NULL: unknown */
/* The blocks and inlined calls that this code is in, innermost first, and how many. Gives `scopes`, to be freed. */
int  where_scopes(Dwarf_Die *unit, uint64_t address, Dwarf_Die **scopes);
struct globals *variable_globals(struct where *);        /* all; made at the first call */
void variable_fini(struct where *);

#endif
