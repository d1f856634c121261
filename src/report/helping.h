/* What copies of this process are lent that search ahead of it (search/aside.h): a program of their own, and deafness. A copy tells nobody what it finds;
 * that it found something is enough for what it did to be thrown away, and done again by this process.
 * SPDX-License-Identifier: MIT */
#ifndef HELPING_H
#define HELPING_H

#include "report/collector.h"

struct helping {
    struct collector *collector;     /* borrowed */
    int               jobs;          /* that search at one time */
    struct visible   *before;        /* in a copy: which locations were visible when it was made; NULL: nobody looks at accesses */
    struct habits     habits;        /* in a copy: what was seen of timers and of cancellation then */
    bool              missed;        /* in a copy: datarace_missed, then */
};

/* Borrows both. Where there can be no copies, jobs is 0, and the outcome notes why this process searches alone. */
struct helpers helping_lend(struct helping *, struct collector *, int jobs);
void           helping_fini(struct helping *);

#endif
