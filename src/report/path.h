/* A scenario as a file: who goes next, a line for each transition (doc/path.md is the format).
 *
 * Invariant: what path_write wrote, path_parse reads back with the same processes, operations and results; any other bytes
 * give such a list or an error that names the line. A step is of a process from 1 to MAX_PROCESSES.
 * SPDX-License-Identifier: MIT */
#ifndef PATH_H
#define PATH_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct path_step {
    uint32_t line;                   /* in the file, counts from 1 */
    int      process;                /* counts from 1 */
    char    *operation;              /* NULL: whatever the process does next */
    char    *result;                 /* as it prints, without the "= "; NULL: none, or not said */
    char    *location, *notes;       /* comments: written, not read back; NULL: none */
};

struct path {
    char             *program, *error, *shared;      /* the header; NULL: not said. shared: see shared.h */
    int               process;               /* `process:`, whose error it is, counts from 1; 0: not said, or of all */
    uint32_t          race[2];               /* `race:`, the two transitions that race, count from 1; 0: not said */
    bool              shares;                /* it says that memory is shared; ask path_shares */
    struct path_step *steps;
    uint32_t          count, room;
};

void path_init(struct path *);
void path_fini(struct path *);
struct path_step *path_add(struct path *, int process);          /* an empty step at the end, valid until the next */

/* `name` is for messages. On failure the path is empty. */
int  path_parse(struct path *, const char *bytes, size_t length, const char *name, struct err *);
int  path_read(struct path *, const char *file, struct err *);

bool path_shares(const struct path *);       /* is it of a sharing group? Older files do not say so, but begin by starting the first process */

int  path_write(const struct path *, FILE *);                    /* 0, or negative errno */
/* Writes the file whole or not at all. */
int  path_save(const struct path *, const char *file, struct err *);

#endif
