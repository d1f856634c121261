/* The black box: started, waited for, and put back to its beginning for each path; never looked into.
 *
 * To begin takes time, in which others can run: box_begin sets it off, box_turn goes on with it. Invariant: when box_turn says so the box is
 * as a fresh one, as far as the suite says how, and nothing of an earlier path runs.
 * SPDX-License-Identifier: MIT */
#ifndef BOX_H
#define BOX_H

#include "base/prose.h"
#include "suite/suite.h"
#include "suite/warden.h"

enum { UNIT_BOX = 100, UNIT_HELPER, UNITS_OF_BOX };      /* drivers have the numbers below */

enum box_phase { BOX_IDLE, BOX_CLEARING, BOX_RESETTING, BOX_RENEWING, BOX_STARTING, BOX_ASKING, BOX_READY };

/* How those that the warden started have ended, since the box began. */
struct ends { bool is[UNITS_OF_BOX]; int status[UNITS_OF_BOX]; };

struct box {
    const struct suite *suite;
    struct warden       warden, drivers;                 /* the latter only where the box goes on when they are gone: `renew` */
    int                 port;                            /* free when it was looked for */
    int                 output;                          /* where it prints; -1: nowhere */
    char               *said, *told;                     /* the files with what it has printed, and with what the last command of ours has */
    size_t              shown, heard, forgotten;         /* of the first so much was passed on to the output, was read, and is no longer there */
    struct prose        line;                            /* the last of its lines, as far as it was read */
    bool                announced;                       /* it has printed the line that says that it is ready */
    int                 clears;                          /* so many wardens have still to say that all are gone */
    bool                runs;                            /* it is started, and to be renewed the next time */
    enum box_phase      phase;
    double              until, look;                     /* moments: by then the phase has to be over; then to look again */
    double              pause;                           /* seconds between two looks */
    int                 asked;                           /* the exit status that `ready` had the last time; -1: it has not ended yet */
    struct ends         ends;
    uint64_t            copied;                          /* drivers that were not started, but are copies (parking.h): of who counts starts, to be taken off */
};

double box_now(void);                                    /* seconds on some clock */
int    box_free_port(void);

int  box_open(struct box *, const struct suite *, const struct warden_home *, struct err *);
int  box_start(struct box *, const struct errand *, struct err *);       /* a driver, or an invariant */
int  box_prepare(struct box *, const volatile int *interrupt, struct err *);     /* runs `prepare` */
int  box_begin(struct box *, int port, int output, struct err *);
int  box_turn(struct box *, struct err *);               /* 1: it is ready; 0: not yet; negative */
int  box_hear(struct box *, struct err *);               /* takes in who has ended */
bool box_is_gone(const struct box *);                    /* it has ended, and was not to */
void box_close(struct box *);                            /* everything below the warden is gone */

#endif
