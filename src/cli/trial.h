/* The counter-example of a program's model, tried on the program itself: each operation of the trail (a *deed*) is done by the thread that
 * does it there, in that order. Neither the model nor its trail is known here, only deeds.
 *
 * Invariant: TRIAL_CONFIRMED stands only on a run of the program that came to an error, or did all deeds; then the scenario that does it
 * again is on disk.
 * SPDX-License-Identifier: MIT */
#ifndef TRIAL_H
#define TRIAL_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct deed {
    int         step;                /* of the trail */
    int         thread, born;        /* who does it, and whom it makes, by numbers of the model, 0 is main; born -1: nobody */
    int         choice;              /* which of several results */
    const char *who, *name;          /* "worker"; "pthread_mutex_lock"; of an access the variable; "": not known */
    bool        access;              /* to memory that threads share, which is an operation only where the program is seen to race */
    const char *file;                /* NULL: it stands nowhere */
    int         line;
    int         round;               /* of what repeats, from 0 */
};

enum trial_aim { TRIAL_DEADLOCK, TRIAL_WRONG, TRIAL_PATH, TRIAL_ENDLESS };       /* what must be at its end: nobody can go on; something wrong; nothing wrong;
                                                                                  * that, or somebody who computes for ever */

/* Expressions over the program's variables, and what they are while the trail is followed. */
struct lookout {
    const char *const *expressions;
    int   count;
    char *blind;                     /* why they cannot be computed there; NULL: they can */
    struct sample { int deed; uint64_t values; } *samples;       /* after each transition: during which deed, and bit i: expression i is true */
    int   sample_count, sample_room;
    bool  at_rest;                   /* nobody can go on at the end */
    bool (*enough)(const struct lookout *);        /* is what was seen at operations enough? Else the variables are looked at wherever they are used */
    const void *asker;               /* for it */
    bool  violated;                  /* the asker's own note */
};

enum trial_verdict {
    TRIAL_CONFIRMED,
    TRIAL_NOT,                       /* the program does something else */
    TRIAL_FAILED                     /* it could not be run */
};

struct trial {
    enum trial_verdict verdict;
    int   deed;                      /* at which the program departs; as many as there are: behind the last */
    char *words;                     /* why it departs, or what is wrong at the end, or how to see it */
    char *scenario;                  /* a file; NULL: none */
};

struct bench;                        /* the program, compiled once */

/* `words` as for the check command: sources, options, --, arguments. Gives; return it with bench_close. */
struct bench *bench_open(const char *self, int count, char **words, bool threads);
void          bench_close(struct bench *);                       /* NULL is fine */
/* `lookout`, unless NULL, has its expressions and whom to ask, and is filled; return it with lookout_fini. */
struct trial  trial_run(struct bench *, const struct deed *, int count, enum trial_aim, struct lookout *);
void          lookout_fini(struct lookout *);
void          trial_fini(struct trial *);

#endif
