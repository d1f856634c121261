/* A plan is all that a command line asks for, made ready: both sources of settings read, types of objects loaded, the program
 * compiled, and the job that comes of it.
 * SPDX-License-Identifier: MIT */
#ifndef PLAN_H
#define PLAN_H

#include "cli/home.h"
#include "cli/request.h"
#include "cli/scratch.h"
#include "report/job.h"

struct staging;

struct plan {
    struct request   request;
    struct structure structure;
    struct invariants *invariants;   /* NULL: none */
    struct suppressions *suppressions;       /* NULL: none */
    struct scratch   scratch;
    struct job       job;
    struct home      home;
    struct staging  *staging;        /* NULL, or: of a suite */
    bool             stranger;       /* an executable that was not linked with the runtime */
    int              input;          /* file descriptor of what the program reads from standard input; -1: nothing */
    struct habits    habits;         /* of the program */
    struct outside   outside;        /* its names are the request's */
    struct words     loaded;         /* of several executables: what the loader is told */
    char            *preload;        /* owned: and what is loaded in front of it; NULL: not several */
    struct visible  *visible;        /* owned, likewise */
    char            *watched;        /* owned: the executable that tells of its accesses; NULL: not made yet, or it cannot be */
    bool             not_watched;    /* it cannot be */
    char            *executable, *self, *name, *options, *arguments;     /* owned; the job borrows them */
};

/* 0, or negative with words in err; plan_free in either case. -EINTR: asked to stop. */
int  plan_make(struct plan *, const struct command *, const char *self, int count, char **words, struct err *);
void plan_free(struct plan *);

/* The same without a program, for tests: what the settings make of a search. */
int  plan_search(const struct settings *, struct search_settings *, struct err *);

#endif
