/* The stage: a box and the drivers around it, as a program that a search can run along paths (history/starter.h). Its first process creates
 * the drivers and is gone; the drivers' steps are the search's to order. Who searches is told what was run already by whichever copy of the
 * box; who follows a path sees it run.
 *
 * Invariant: at most one follower is live at a time, and at most one search.
 * SPDX-License-Identifier: MIT */
#ifndef STAGE_H
#define STAGE_H

#include "history/starter.h"
#include "suite/suite.h"
#include "suite/warden.h"

struct stage_settings {
    uint32_t copies;                     /* of the box, at a time */
    bool     everything;                 /* the search asks for every order and choice, depth first ... */
    uint32_t most;                       /* ... up to that many steps of a path; UINT32_MAX: all */
    const volatile int *interrupt;
};

struct theatre;
/* Prepares the suite. Borrows it, gives; return it with theatre_close. NULL with err. */
struct theatre *theatre_open(const struct suite *, const struct warden_home *, const struct stage_settings *, struct err *);
void            theatre_close(struct theatre *);           /* nothing is left; NULL is fine */
struct starter  theatre_starter(struct theatre *);

#endif
