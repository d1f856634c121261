/* A way to talk to another process: one pipe to it and one from it, with frames on both.
 * SPDX-License-Identifier: MIT */
#ifndef CHANNEL_H
#define CHANNEL_H

#include "protocol.h"

struct channel {
    int            in, out;          /* -1: closed */
    struct decoder decoder;
};

/* Two channels that are connected to each other. 0 or a negative errno, and then nothing is left open. */
int  channel_pair(struct channel *here, struct channel *there);
void channel_close(struct channel *);                            /* both directions; may be called again */
void channel_close_out(struct channel *);                        /* the other side sees the end; we can still hear it */

int  channel_send(struct channel *, const struct frame *);       /* waits until all is written. 0 or a negative errno: -EPIPE */
/* Waits for a frame. 1, or 0: the end, or a negative errno; -EPROTO also when the end comes in the middle of a frame. */
int  channel_receive(struct channel *, struct frame *);

/* For who waits with poll: takes in what there is, with one read. 1: look for frames, 0: the end, or a negative errno. */
int  channel_fill(struct channel *);
int  channel_next(struct channel *, struct frame *);             /* as decoder_next; does not read */

#endif
