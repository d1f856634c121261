/* The black box: started, waited for, and put back to its beginning for each path; never looked into.
 *
 * Invariant: after box_begin the box is as a fresh one, as far as the suite says how, and nothing of an earlier path runs.
 * SPDX-License-Identifier: MIT */
#ifndef BOX_H
#define BOX_H

#include "suite/suite.h"
#include "suite/warden.h"

enum { UNIT_BOX = 100, UNIT_HELPER = 101 };              /* drivers have the numbers below */

struct box {
    const struct suite *suite;
    struct warden       warden;
    const volatile int *interrupt;
    int                 port;                            /* free when it was looked for */
};

int  box_open(struct box *, const struct suite *, const struct warden_home *, const volatile int *interrupt, struct err *);      /* runs `prepare` */
int  box_begin(struct box *, int output, struct err *);
void box_end(struct box *);                              /* everything below the warden is gone */
void box_close(struct box *);

#endif
