/* The link between coordinator and branches. It keeps the order of messages but may lose some, as VS_toss decides. The
 * sender cannot see that: what it sees is that its timer runs out, and so does the timer of whoever waited for the message.
 * SPDX-License-Identifier: MIT */
#include "bank.h"

static int losses_left;

void link_init(int losses)
{
    losses_left = losses;
}

static bool loses(void)
{
    if (losses_left == 0 || VS_toss(1) == 0)
        return false;
    losses_left--;
    return true;
}

void link_send(int to, struct message m)
{
    if (!loses()) {
        message_send(to, m);
        return;
    }
    struct message timeout = { .kind = TIMEOUT, .from = m.from };
    message_send(m.from, timeout);
    message_send(to, timeout);
}
