/* The command line taken apart: options, the program's files, what goes to the compiler, what goes to the program.
 * SPDX-License-Identifier: MIT */
#ifndef REQUEST_H
#define REQUEST_H

#include "cli/commands.h"
#include "cli/settings.h"

struct request {
    struct settings settings;
    struct words    program;         /* sources, object files, or one executable */
    struct words    compiler;        /* -DX, -lm, ... */
    struct words    arguments;       /* of the program: what stands behind -- */
    struct words    repeated;        /* options of ours that the replay of an error needs as well */
    char           *scenario;        /* owned; NULL: none was named */
};

int  request_read(struct request *, const struct command *, int count, char **words, struct err *);
void request_fini(struct request *);                             /* also after a failure */

/* Is this word among those in front of --? */
bool request_has(int count, char **words, const char *word);

#endif
