/* SPDX-License-Identifier: MIT */
#include "suite/theatre.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

static struct chronicle *chronicle(struct theatre *t) { return &t->share.chronicle; }

/* ---- taking turns ---- */

static bool takes_part(const struct theatre *t, const struct lane *l)
{
    return lane_moves(l) && (!t->following || l == t->following);        /* while somebody follows, the others stand still */
}

/* Waits until something may have changed, and lets every lane go on. */
static int pump(struct theatre *t, struct err *err)
{
    struct pollfd *all = memory_get(LANE_WAITS * t->lane_count * sizeof *all);
    int wait = -1, count = 0, rc = 0;
    for (uint32_t i = 0; i < t->lane_count; i++)
        if (takes_part(t, &t->lanes[i])) {
            int milliseconds;
            count += lane_waits(&t->lanes[i], all + count, &milliseconds);
            wait = wait < 0 || milliseconds < wait ? milliseconds : wait;
        }
    assert(count);
    poll(all, (nfds_t)count, wait);
    free(all);
    for (uint32_t i = 0; i < t->lane_count && rc >= 0; i++)
        if (takes_part(t, &t->lanes[i]))
            rc = lane_turn(&t->lanes[i], err);
    return rc >= 0 && t->interrupt && *t->interrupt ? -EINTR : rc;
}

/* ---- who goes where ---- */

/* A port that no other copy has. */
static int port(const struct theatre *t)
{
    enum { ATTEMPTS = 100 };
    int found = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        bool taken = false;
        found = box_free_port();
        for (uint32_t k = 0; k < t->lane_count; k++)
            taken |= t->lanes[k].box.port == found && t->lanes[k].state != LANE_EMPTY;
        if (!taken)
            break;
    }
    return found;
}

static int send(struct theatre *t, struct lane *l, const struct cues *path, int output, struct err *err)
{
    return lane_send(l, path, port(t), output, err);
}

/* Nobody waits for it. */
static bool is_free(const struct theatre *t, const struct lane *l) { return l->asked == NO_NODE && l != t->following; }

static bool stands_ready(const struct theatre *t, const struct lane *l)
{
    return l->state != LANE_EMPTY && l->state != LANE_LOST && l->walked_count <= t->begun.count && lane_fits(l, &t->begun);
}

/* Whoever is furthest on the way there; else one that has nothing to do, and would rather be elsewhere. NULL: all are at work. */
static struct lane *choose(const struct theatre *t, const struct cues *path)
{
    struct lane *best = NULL, *other = NULL;
    for (uint32_t i = 0; i < t->lane_count; i++) {
        struct lane *l = &t->lanes[i];
        if (!is_free(t, l))
            continue;
        if (lane_fits(l, path) && (!best || l->walked_count > best->walked_count))
            best = l;
        if (!other || (other == t->serving && l != t->serving))
            other = l;
    }
    return best ? best : other;
}

static int ask(struct theatre *t, struct lane *l, const struct cues *path, uint32_t node, struct err *err)
{
    chronicle(t)->nodes[node].fate = FATE_ASKED;
    l->asked = node;
    return send(t, l, path, t->output, err);
}

/* Those at the end of their way are free again. Where the search asks for everything they go on as it will. */
static int release(struct theatre *t, struct err *err)
{
    int rc = 0;
    for (uint32_t i = 0; i < t->lane_count && rc >= 0; i++) {
        struct lane *l = &t->lanes[i];
        struct cue m;
        if (l->asked == NO_NODE || lane_moves(l))
            continue;
        if (l->state == LANE_LOST && chronicle(t)->nodes[l->asked].fate == FATE_ASKED)
            chronicle(t)->nodes[l->asked].fate = FATE_LOST;
        lane_free(l);
        if (l->state != LANE_STANDING || !t->ahead.start || !t->begun.count || !ahead_more(&t->ahead, chronicle(t), &l->plan, t->begun.count, &m))
            continue;
        uint32_t node = chronicle_get(chronicle(t), lane_at(l), m);
        if (chronicle(t)->nodes[node].fate != FATE_FREE)
            continue;
        ARRAY_GROW(l->plan.items, l->plan.count, l->plan.room);
        l->plan.items[l->plan.count++] = m;
        struct cues longer = l->plan;
        l->plan = (struct cues){ 0 };
        rc = ask(t, l, &longer, node, err);
        free(longer.items);
    }
    return rc;
}

/* Who has nothing to do runs ahead, or stands ready. One copy alone serves the search and does nothing of itself. */
static int employ(struct theatre *t, struct err *err)
{
    int rc = 0;
    for (uint32_t i = 0; i < t->lane_count && t->lane_count > 1 && t->begun.count && rc >= 0; i++) {
        struct lane *l = &t->lanes[i];
        if (!is_free(t, l) || (!t->ahead.start && l == t->serving))
            continue;
        if (t->ahead.start && ahead_next(&t->ahead, chronicle(t), &t->begun, &t->next)) {
            struct lane *chosen = choose(t, &t->next);
            uint32_t node = CHRONICLE_ROOT;
            for (uint32_t k = 0; k < t->next.count; k++)
                node = chronicle_get(chronicle(t), node, t->next.items[k]);
            rc = ask(t, chosen, &t->next, node, err);
        } else if (!stands_ready(t, l)) {
            rc = send(t, l, &t->begun, t->output, err);
        }
    }
    return rc;
}

/* ---- for the search ---- */

/* The first step of the path that was not seen; path->count: all were. `node` is its node, or the last. */
static uint32_t seen(struct theatre *t, const struct cues *path, uint32_t *node)
{
    *node = CHRONICLE_ROOT;
    for (uint32_t i = 0; i < path->count; i++) {
        *node = chronicle_get(chronicle(t), *node, path->items[i]);
        if (chronicle(t)->nodes[*node].fate != FATE_SEEN)
            return i;
    }
    return path->count;
}

/* A lane was sent to the node, and came elsewhere again and again. */
static const struct lane *lost_on(struct theatre *t, uint32_t node)
{
    return chronicle(t)->nodes[node].fate == FATE_LOST && t->serving && t->serving->state == LANE_LOST ? t->serving : NULL;
}

/* The step that is not known yet, and all before it, are some lane's to run: now, or when one is free. */
static int get(struct theatre *t, const struct cues *path, uint32_t steps, uint32_t node, struct err *err)
{
    struct cues part = { path->items, steps + 1, path->room };
    struct lane *l = chronicle(t)->nodes[node].fate == FATE_ASKED ? NULL : choose(t, &part);
    if (!l)
        return 0;
    t->serving = l;
    return ask(t, l, &part, node, err);
}

static int go_on(struct theatre *t, struct err *err)
{
    int rc = employ(t, err);
    if (rc >= 0)
        rc = pump(t, err);
    return rc < 0 ? rc : release(t, err);
}

int theatre_learn(struct theatre *t, const struct cues *path, uint32_t *node, const struct lane **lost, struct err *err)
{
    *lost = NULL;
    for (bool tried = false; ; tried = true) {
        uint32_t steps = seen(t, path, node);
        if (steps == path->count)
            return 0;
        if (tried && (*lost = lost_on(t, *node))) {
            *node = NO_NODE;
            return 0;
        }
        int rc = get(t, path, steps, *node, err);
        if (rc >= 0)
            rc = go_on(t, err);
        if (rc < 0)
            return rc;
    }
}

/* ---- for a follower ---- */

static int take(struct theatre *t, const struct cues *path, struct err *err)
{
    int rc = 0;
    while (rc >= 0 && !t->following && !(t->following = choose(t, path))) {
        rc = pump(t, err);
        if (rc >= 0)
            rc = release(t, err);
    }
    return rc;
}

int theatre_follow(struct theatre *t, const struct cues *path, int output, const struct lane **lane, struct err *err)
{
    int rc = take(t, path, err);
    if (rc >= 0) {
        t->following->follower = true;
        rc = send(t, t->following, path, output, err);
    }
    while (rc >= 0 && lane_moves(t->following))
        rc = pump(t, err);
    *lane = t->following;
    return rc;
}

void theatre_leave(struct theatre *t)
{
    if (t->following)
        t->following->state = LANE_LOST;         /* whoever comes next begins anew */
    if (t->following)
        t->following->follower = false;
    t->following = NULL;
}
