/* What subscribers hear: tones, bells and each other; and what digits are heard with. There are fewer receivers and bridges than lines.
 * SPDX-License-Identifier: MIT */
#include "switch.h"

static const char *const tones[] = { "nothing", "dial tone", "ringback tone", "busy tone", "reorder tone", "the howler", "a call waiting" };

void tone(struct line *x, int which)
{
    if (x->tone == which)
        return;
    x->tone = which;
    trace(x, "hears %s", tones[which]);
}

void bell(struct line *x, bool on)
{
    if (x->bell == on)
        return;
    x->bell = on;
    trace(x, on ? "rings" : "rings no more");
}

/* ---- the switching matrix ---- */

static bool matrix[PORTS][PORTS];

void path_connect(struct line *x, int port)
{
    if (matrix[x->port][port])
        return;
    matrix[x->port][port] = true;
    trace(x, "is connected to %d", port);
}

void path_break(struct line *x, int port)
{
    if (!matrix[x->port][port])
        return;
    matrix[x->port][port] = false;
    trace(x, "is disconnected from %d", port);
}

/* ---- pools ---- */

struct pool { int owner[RECEIVERS > BRIDGES ? RECEIVERS : BRIDGES], count; };

static struct pool receivers = { .count = RECEIVERS }, bridges = { .count = BRIDGES };

static int pool_free(const struct pool *p)
{
    for (int i = 0; i < p->count; i++)
        if (!p->owner[i])
            return i + 1;
    return 0;
}

static int pool_get(struct pool *p, int port)
{
    int which = pool_free(p);
    if (which)
        p->owner[which - 1] = port;
    return which;
}

static int pool_put(struct pool *p, int which)
{
    if (which)
        p->owner[which - 1] = 0;
    return 0;
}

bool receiver_left(void)
{
    return pool_free(&receivers) != 0;
}

void receiver_get(struct line *x)
{
    if (!x->receiver)
        x->receiver = pool_get(&receivers, x->port);
}

void receiver_free(struct line *x)
{
    x->receiver = pool_put(&receivers, x->receiver);
}

bool bridge_left(void)
{
    return pool_free(&bridges) != 0;
}

void bridge_get(struct line *x)
{
    if (!x->bridge)
        x->bridge = pool_get(&bridges, x->port);
}

void bridge_free(struct line *x)
{
    x->bridge = pool_put(&bridges, x->bridge);
}
