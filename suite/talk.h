/* What a driver says, and what it is told: one line each, in turns (doc/drivers.md).
 *
 * Invariant: after a request nothing comes until it was answered; a driver that says more, or something else, has broken the protocol, and
 * `words` say how.
 * SPDX-License-Identifier: MIT */
#ifndef TALK_H
#define TALK_H

#include "base/prose.h"
#include "base/texts.h"
#include "object.h"
#include "suite/suite.h"

enum { TALK_LONGEST = 65536 };           /* bytes of a line */

struct talk {
    int          socket;                 /* -1: none */
    struct prose line;                   /* what came of the next line */
    enum { AWAITS_NUMBER, AWAITS_TEXT, AWAITS_NOTHING } awaits;      /* what its answer says; nothing: 0 */
    struct prose notes;                  /* what was printed and answered since the last operation, a line each */
};

enum heard {
    HEARD_NOTHING,                       /* more is to come */
    HEARD_NOTE,                          /* the same, but it has said something for the report */
    HEARD_OPERATION,                     /* the driver stands before it */
    HEARD_NONSENSE,                      /* `op.text` says what is wrong */
    HEARD_END                            /* nobody will say more */
};

void talk_init(struct talk *, int socket);
void talk_fini(struct talk *);

/* Takes what has come. `op` needs its process, and objects count from the interfaces on, then the semaphores, then the queues. */
enum heard talk_hear(struct talk *, const struct suite *, struct texts *, struct op *);
bool talk_speaks(const struct talk *);   /* is there anything to be heard? */
extern const char talk_spoke_twice[];
void talk_tell(struct talk *, uint32_t result, const struct texts *);

#endif
