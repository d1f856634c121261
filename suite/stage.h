/* The stage: a box and the drivers around it, as a program that a search can run along paths (history/starter.h). Its first process creates
 * the drivers and is gone; the driver's steps are the search's to order. To go back is to end all of them, put the box back, and run the
 * path from its beginning; what only goes on from where it stands, goes on.
 *
 * Invariants: one driver runs at a time, and only between what it was told and its next request. At most one start of a suite is live at a
 * time, whoever wants it: the box is one.
 * SPDX-License-Identifier: MIT */
#ifndef STAGE_H
#define STAGE_H

#include "history/starter.h"
#include "suite/suite.h"
#include "suite/warden.h"

struct theatre;
/* Prepares the suite. Borrows it, gives; return it with theatre_close. NULL with err. */
struct theatre *theatre_open(const struct suite *, const struct warden_home *, const volatile int *interrupt, struct err *);
void            theatre_close(struct theatre *);         /* nothing is left; NULL is fine */
struct starter  theatre_starter(struct theatre *);

#endif
