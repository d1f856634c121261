/* The processes of the workers: how they begin and end, and who is who.
 *
 * Invariant: a place of the crew that is not ABSENT has a child that was not waited for yet, and a channel to it.
 * SPDX-License-Identifier: MIT */
#ifndef CREW_H
#define CREW_H

#include "channel.h"

#include <sys/types.h>

enum { CREW_MOST = 16 };

struct member {
    enum { ABSENT, IDLE, BUSY, LEAVING } state;                  /* LEAVING: it has done its last job, and will end by itself */
    pid_t          pid;
    struct channel channel;
    uint32_t       job;              /* of BUSY */
    unsigned       served;
};

struct crew {
    struct member members[CREW_MOST];
    unsigned      count;             /* places */
    unsigned      limit;             /* jobs after which a worker ends by itself; 0: none */
};

void crew_init(struct crew *, unsigned count, unsigned limit);
int  crew_hire(struct crew *, unsigned place);                   /* starts a worker at an absent place. 0 or a negative errno */
int  crew_bury(struct crew *, unsigned place);                   /* waits for its end; its wait status, or -errno */
int  crew_dismiss(struct crew *, unsigned place);                /* asks it to end, and waits for that; as crew_bury */
unsigned crew_size(const struct crew *);                         /* those not absent */

#endif
