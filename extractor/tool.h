/* Running the programs that extraction needs: our parser, Spin, a compiler, the verifier. Each runs in the scratch folder, in a group
 * of its own; what it says goes to a file there. How a program ended is always told apart from what it found.
 * SPDX-License-Identifier: MIT */
#ifndef TOOL_H
#define TOOL_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

struct workshop {                    /* lent by the command */
    const char *folder;              /* absolute; everything is written there */
    const char *parser;              /* verisoft-extract; NULL: it was not built */
    const char *include;             /* the folder of verisoft.h */
    void      (*watch)(void *, pid_t group);         /* a group to kill when we die; 0: none any more */
    int       (*wait)(void *, pid_t);                /* gives the wait status; kills the group when asked to stop */
    bool      (*stopped)(void *);                    /* were we asked to stop? */
    int       (*another)(struct workshop *, struct err *);       /* one for a process that was forked off us */
    void      (*leave)(struct workshop *);                       /* that process is done with it: its folder goes */
    void       *arg;
    bool        stay;                /* run in the current folder, not in this one */
};

struct tool_ended {
    int    status;                   /* as from wait */
    bool   missing;                  /* there is no such program */
    bool   out_of_time;
    double seconds;
};

/* `command` ends with NULL; `out` is a file name in the folder, and takes both streams, or, with `err_out`, only the first.
 * `seconds` 0: no limit; at the limit it gets SIGINT, and a little later SIGKILL. */
int   tool_run(const struct workshop *, char *const *command, const char *out, const char *err_out, double seconds,
               struct tool_ended *, struct err *);
char *tool_output(const struct workshop *, const char *name, struct err *);      /* a file of the folder; gives */
int   tool_write(const struct workshop *, const char *name, const char *text, struct err *);
bool  tool_exists(const char *program);                          /* in $PATH */

#endif
