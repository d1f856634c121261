/* Where calls are forwarded to. A call that was not answered takes a moment: the router looks for a way, and the line waits in transit.
 * SPDX-License-Identifier: MIT */
#include "switch.h"

#include <stddef.h>

static struct line *target_of(const struct line *x)
{
    struct line *to = x->forward[0] ? line_numbered(x->forward) : NULL;
    return to && to->port != x->port ? to : NULL;
}

bool divertible(const struct line *x, int caller)
{
    const struct line *from = port_line(caller), *to = target_of(x);
    return from && to && to->port != caller && from->hops < HOPS;
}

/* The caller has to do with the target from now on, and the target with the caller. */
static void hand_over(struct line *x, int caller)
{
    struct line *to = target_of(x), *from = port_line(caller);
    from->hops++;
    trace(x, "sends %d on to %d", caller, to->port);
    post(caller, Eforward, x->port, to->port);
    post(to->port, Ering, caller, 0);
}

void divert(struct line *x, int caller)
{
    if (divertible(x, caller))
        hand_over(x, caller);
    else
        post(caller, Ebusy, x->port, Cnobody);
}

/* ---- the router: one request for each line ---- */

static int wanted[PORTS];            /* the caller, of the line that asks; 0: it does not */

void route(struct line *x, int caller)
{
    wanted[x->port] = caller;
    post(x->port, divertible(x, caller) ? Eroute : Enoroute, x->port, 0);
}

void route_take(struct line *x, int caller)
{
    if (wanted[x->port] == caller)
        divert(x, caller);
    wanted[x->port] = 0;
}

void route_cancel(struct line *x)
{
    wanted[x->port] = 0;
}
