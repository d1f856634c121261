/* The commands: each is one file with one const struct. To add one is to add its file and a line in COMMANDS.
 * SPDX-License-Identifier: MIT */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "base/err.h"
#include "base/version.h"

#include <stdbool.h>

#define COMMANDS(X) X(check) X(replay) X(simulate) X(certify) X(at) X(extract) X(close) X(verify) X(farm) X(ltl) X(test) X(cc) X(cxx) X(help) X(man)

struct command {
    const char *name;
    const char *synopsis;            /* what stands behind `verisoft` */
    const char *summary;             /* one line; NULL: not for users, and not listed */
    unsigned    options;             /* those of options.h that it takes: IN_CHECK, IN_REPLAY, ..., or 0 */
    bool        foreign;             /* all its words are another program's, --help and --version, too */
    bool        scenario;            /* one of its words may be a scenario */
    const char *ending;              /* how the name of that word ends; NULL: .path */
    const char *no_scenario;         /* what to say when none is; NULL: none has to be */
    int       (*run)(const char *self, int count, char **words);         /* the words behind its name; gives the exit status */
    void      (*help)(void);         /* what else there is to say about it; NULL: nothing */
};

#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

extern const struct command *const commands[];                   /* NULL at the end */
const struct command *command_find(const char *name);            /* NULL: none */

#define EXITS(X) \
    X(COMPLETE,    0,   "the whole state space was searched, and has no error (replay: the scenario shows no error; simulate: it was " \
                        "quit; certify: certified)") \
    X(ERRORS,      1,   "errors were found (replay: the error was reached again; certify: the certificate is rejected, or " \
                        "errors were found)") \
    X(UNUSABLE,    2,   "the command, the configuration, the program or the scenario could not be used; the message says why") \
    X(INCOMPLETE,  3,   "no error was found, but not all was searched: a bound, or a limit of VeriSoft, cut it short; the report says " \
                        "which") \
    X(INTERRUPTED, 130, "interrupted; what was confirmed so far was reported")

#define X(name, status, help) EXIT_##name = status,
enum { EXITS(X) };
#undef X

/* Says on standard error what is wrong; `code` is what a function that fills err returned. Gives the exit status. */
int command_failed(int code, const struct err *);

#endif
