/* A program, what it expects of itself, and one search of it at a time: how it is run (case_run.c), what is looked at in its report
 * (case_report.c), and which searches there are (case.c).
 *
 * Invariant: what is wrong is said with the command that shows it, and counted in `failures`.
 * SPDX-License-Identifier: MIT */
#ifndef CASE_H
#define CASE_H

#include "expect.h"

#include <jansson.h>

/* One way to search. */
struct way { const char *label, *search, *reduction, *options; };

/* A command that replayed this text of a scenario as it should; and all of them, of one program. */
struct replay { char *line, *file; };
struct replays { struct replay items[MANY]; int count; bool of_source; };        /* of_source: one from its source, which is compiled for it */

struct test {
    const char          *project, *build;
    const struct source *source;
    const struct expect *expect;
    const char          *name;               /* of the source in this folder */
    char                *flags;              /* for the compiler, "" or " -DWRONG" */
    char                *options, *arguments;        /* "" or " --nproc 3", " -- 5" */
    long                 unreduced;          /* transitions of the search without reduction, -1: not run */
    char                 command[4096];      /* the one that was run last */
    json_t              *report;
    int                  status;
    int                  failures;
    struct replays      *replays;
};

/* ---- running ---- */

__attribute__((format(printf, 2, 3))) void complain(struct test *, const char *format, ...);
__attribute__((format(printf, 1, 2))) char *make(const char *format, ...);
int shell(const char *command);      /* its output goes to the files out and err; gives the exit status, or 128 + the signal */
char *contents(const char *path);
bool holds(const char *path, const char *text);
bool tells(const char *path, const char *text);      /* the same, wherever lines are broken */
bool run_report(struct test *);      /* t->command; false: there is no report, and that was said */

/* ---- what is in the report ---- */

long number(const json_t *report, const char *key);  /* -1: it is none */
const char *text(const json_t *object, const char *key);     /* "": it is none */
bool is_limit(const struct expect *);        /* a limit of ours: no error, but something found, with its place and a scenario */
bool is_error(const struct expect *);
const char *result_of(const struct expect *);

void check_names(struct test *, const struct way *);
void check_status(struct test *, const char *result);
void check_sums(struct test *, const struct way *);
void check_scenario(struct test *, const json_t *error, const char *scenario);
void check_replay(struct test *, const struct way *, const json_t *error);
void check_error(struct test *, const struct way *, const json_t *error);
void check_limit(struct test *, const struct way *);
void check_first(struct test *, const struct way *);      /* the first error, and how it is replayed */
void check_tally(struct test *);
void check_counts(struct test *, const struct way *);
void check_local(struct test *);
void check_reduced(struct test *, const struct way *);
void compare_ways(struct test *, const json_t *put_back);

#endif
