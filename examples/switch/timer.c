/* One timer for each line. Time advances when it is told to.
 * SPDX-License-Identifier: MIT */
#include "switch.h"

#include <stddef.h>

static long seconds;

long now(void)
{
    return seconds;
}

static long length_of(int kind)
{
    switch (kind) {
    case Wdigit:   return 10;
    case Wnetwork: return 8;
    case Wanswer:  return 20;
    case Wring:    return 60;
    case Wtone:    return 15;
    }
    return 1;
}

void timer_start(struct line *x, int kind)
{
    x->timer = (struct timer){ .kind = kind, .due = seconds + length_of(kind) };
}

void timer_stop(struct line *x)
{
    x->timer.kind = 0;
}

/* The one that is due first, no later than this; NULL: none is. */
static struct line *next_due(long until)
{
    struct line *first = NULL;
    for (int port = 1; port < PORTS; port++) {
        struct line *x = port_line(port);
        if (x && x->timer.kind && x->timer.due <= until && (!first || x->timer.due < first->timer.due))
            first = x;
    }
    return first;
}

bool timer_advance(long until)
{
    struct line *x = next_due(until);
    if (!x) {
        seconds = until;
        return false;
    }
    seconds = x->timer.due > seconds ? x->timer.due : seconds;
    x->timer.kind = 0;
    post(x->port, Etimer, 0, 0);
    return true;
}
