/* A channel on which sender and receiver meet: a send does not return before the message was received.
 *
 * A visible operation is one step of one process, so a meeting is three of them, always in this order: the sender offers the
 * message, a receiver takes it, the sender learns that it was taken.
 * SPDX-License-Identifier: MIT */
#ifndef RENDEZVOUS_H
#define RENDEZVOUS_H

#include <verisoft.h>

enum { RENDEZVOUS_OFFER, RENDEZVOUS_TAKE, RENDEZVOUS_MET, RENDEZVOUS_OPERATIONS };

static inline int rendezvous_new(void)                   /* gives the channel; call before the first fork */
{
    return VS_object_new("channel", 0, 0, 0);
}

static inline void rendezvous_send(int channel, const char *message)
{
    VS_object_do(channel, RENDEZVOUS_OFFER, 0, 0, 0, message, NULL, 0);
    VS_object_do(channel, RENDEZVOUS_MET, 0, 0, 0, NULL, NULL, 0);
}

static inline void rendezvous_receive(int channel, char *message, int room)
{
    VS_object_do(channel, RENDEZVOUS_TAKE, 0, 0, 0, NULL, message, room);
}

#endif
