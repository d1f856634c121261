/* The test harness (doc/harness.md): which sources, which machines, the map, the drivers, the features and the properties.
 * SPDX-License-Identifier: MIT */
#ifndef HARNESS_H
#define HARNESS_H

#include "extractor/map.h"

#include <stdbool.h>

enum unmapped { UNMAPPED_DEFAULT, UNMAPPED_ABSTRACT, UNMAPPED_KEEP };

struct harness_machine {
    char *name, *function;
    char *event, *state;             /* a parameter and a variable of the function; NULL: found by looking */
    int   count, queue, line;        /* how many there are; how many events wait for it, 0: none */
};

struct link { char *name, *machine; bool lossy, duplicating; int queue, line; };         /* a channel that leads to a machine */
struct values { char *name; char **items; int count, room, line; };              /* name: MACHINE.PARAMETER */
struct feature { char *name, *condition; int line, used; };      /* used: how often it was found */
struct precedence { char *first, *second; int line; };           /* features: where both are on, what the first says is done */
struct symbol { char *name, *expression; int line; };

struct property {
    char          *name, *says, *link;
    struct symbol *symbols;
    int            symbol_count, symbol_room;
    char          *formula;          /* NULL: one of the default checks, by its name */
    char          *idle;             /* of a template: what is so of runs that do not put it to the test (properties/vacuity.h); else NULL */
    bool           violation;        /* the formula says what is wrong, not what must hold */
    bool           fair;             /* a process that can always go on does so in the end */
    char         **features;         /* "+CFBL", "-ACR" */
    int            feature_count, feature_room;
    int            line;
};

#define LIST(type) struct { type *items; int count, room; }
#define MOST_FEATURES 256            /* of a harness: the verifier has a place for each */

struct harness {
    char  *file;                     /* NULL: none was read */
    char  *folder;                   /* sources are relative to it: "" or with a / at its end */
    LIST(char *)                  sources;
    LIST(char *)                  options;               /* for the preprocessor */
    LIST(char *)                  map_files;             /* that the map was read from, but for the harness itself */
    LIST(struct harness_machine)  machines;
    LIST(struct values)           values;
    LIST(struct link)             links;
    LIST(struct feature)          features;
    LIST(struct precedence)       precedences;
    LIST(struct symbol)           symbols;               /* for whatever property uses their names */
    LIST(struct property)         properties;            /* the default checks first */
    struct map    map;
    LIST(char *)                  arguments;             /* of main */
    bool          program;           /* threads and processes, not event machines */
    bool          atomic;            /* a statement is one step */
    int           recursion;         /* how deep calls of a function in itself are followed; 0: they are an error */
    int           threads, processes, heap, sets, semaphores, queues, length, message;       /* what a program has room for */
    char         *declarations, *drivers;                /* Promela; NULL: none, the default driver */
    int           declarations_line, drivers_line;
    enum unmapped unmapped;
};

int  harness_read(struct harness *, const char *file, struct err *);             /* whatever it gives, return it with harness_fini */
int  harness_read_text(struct harness *, const char *file, const char *text, struct err *);      /* what the file would say with this text */
void harness_start(struct harness *);                            /* an empty one with the default checks */
void harness_fini(struct harness *);
void harness_make_program(struct harness *);                     /* its defaults are those of a program with threads and processes */
struct harness_machine *harness_add_machine(struct harness *, const char *name, const char *function);

#endif
