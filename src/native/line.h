/* The controller's end of the wire: the shared region, the commands, and waiting for the bell. The bell rings for every
 * event in a slot and for every child that dies, so that nothing is missed between a look and a wait. Invariant: only slots that it was
 * made with are used; the batch stands behind them.
 * SPDX-License-Identifier: MIT */
#ifndef LINE_H
#define LINE_H

#include "base/err.h"
#include "wire.h"

struct line {
    struct wire *wire;               /* the program may write there, too: nothing that is read from it is believed unseen */
    struct wire  own;                /* what it said at the start; of this the program changes only bell and launched, which is here
                                        as it was before the program itself began */
    size_t       bytes;
    int          fd;
    struct line *next;               /* of all that the handler of dead children rings */
};

enum line_hears { HEAR_DEATHS, HEAR_STOPS };                         /* stops of children that are traced, too */
void     line_hear(enum line_hears);                                 /* of all lines: for what children the bell rings */
int      line_init(struct line *, uint32_t slots, uint32_t group, struct err *);
/* In a copy of this process: a region of its own, to which nobody listens yet, with the accesses that are known. */
int      line_renew(struct line *, struct err *);
void     line_fini(struct line *);
bool     line_intact(const struct line *);                           /* false: the program wrote where it must not */
void     line_repair(struct line *);
struct wire_batch *line_batch(const struct line *);
struct wire_accesses *line_accesses(const struct line *);
void     line_clear(struct line *, uint32_t slot);                   /* as new, for another process */
void     line_command(struct line *, uint32_t slot, uint32_t command);
bool     line_taken(const struct line *, uint32_t slot);             /* has the process taken the last command? */
uint32_t line_event(struct line *, uint32_t slot);                   /* takes the event out of the slot; EVENT_NONE: none */
uint32_t line_used(const struct line *, uint32_t slot);              /* this one or the next in whose memory somebody ever wrote; none: how many there are */
uint32_t line_bell(const struct line *);
bool     line_wait(struct line *, uint32_t bell, int milliseconds);  /* until it differs; false: time is up */

#endif
