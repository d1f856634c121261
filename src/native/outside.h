/* What is left outside (--outside NAME): operations that are run within the transitions of others (system/hidden.h). NAME is
 *
 *     FUNCTION                  all that it does, also through others that it calls; or that threads do which begin with it: these are outside
 *                               altogether, with their creation, their end and whoever waits for that, detaches or cancels them
 *     TYPE, or TYPEs            operations on objects of that type: pipes, mutex, semaphores
 *     TYPE NAME [in FILE]       on that object; in FILE: where the call stands there
 *     process N                 all that this process does, and that it is made
 *
 * A UNIX process that is forked in such a function, or called by its number, is outside altogether: with its fork, all its threads, its end, whoever waits for that
 * or sends it signals. Where no UNIX process but one is under control, what that one closes at its end is outside, too: nobody under control is left to see it.
 * So is what it closes then of a pipe that is used outside alone.
 *
 * Never outside: VS_toss, VS_assert and VS_abort, expiries of timers, and how other processes and threads come and go.
 *
 * What the search rests on is that nothing under control learns of an order outside. That cannot be seen; but what may well carry it can be, and is
 * noted for each object: who uses it under control, and who outside.
 * SPDX-License-Identifier: MIT */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include "history/hiding.h"

/* How an object was used: by processes, as bits. */
struct outside_use {
    uint64_t searched, outside;
    uint32_t parts_searched, parts_outside;    /* which of its parts (pipes), as bits; 1 of an object that has none */
    bool     named;                  /* it is outside by its type or name, not because of who uses it */
    char    *name;                   /* gives; NULL: nobody used it outside */
};

struct outside {
    char *const *names;              /* borrowed */
    uint32_t     count;
    uint64_t     used;               /* bit i: names[i] was found; those from the 64th on are not noted */
    uint64_t     processes;          /* that are outside altogether, by "process N" */
    struct outside_use *uses;        /* of this run of the program: by the number of the object */
    uint32_t     use_count, use_room;
    struct hiding hiding;
};

void outside_init(struct outside *, char *const *names, uint32_t count);
void outside_forget(struct outside *);           /* who used what, and gives the memory back */

#endif
