/* The link from the coordinator to the branches. It keeps the order of messages but may lose one. The coordinator cannot see
 * that: it waits for what would have come of the message until its timer runs out.
 * SPDX-License-Identifier: MIT */
#include "bank.h"

enum { NEVER = -1 };

static int gets_through = NEVER;     /* so many messages before one is lost */

void link_lose(int after)
{
    gets_through = after;
}

static bool loses(void)
{
    if (gets_through == NEVER)
        return false;
    return gets_through-- == 0;      /* and then it is NEVER again */
}

void link_send(int to, struct message m)
{
    if (!loses())
        message_send(to, m);
    else
        message_send(COORDINATOR, (struct message){ .kind = TIMEOUT, .from = COORDINATOR });
}
