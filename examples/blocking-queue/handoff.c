/* The item on offer goes through three phases: nothing is offered; something is; it was taken, and its giver does not know yet.
 * SPDX-License-Identifier: MIT */
#include "handoff.h"

#include <errno.h>
#include <stdlib.h>

enum phase { NOTHING, OFFERED, TAKEN };

struct handoff {
    pthread_mutex_t lock;            /* of all below */
    pthread_cond_t  changed;         /* of any of them: few threads wait here */
    enum phase      phase;
    void           *item;
    int             takers;          /* that wait */
    bool            closed;
};

int handoff_new(struct handoff **out)
{
    struct handoff *h = calloc(1, sizeof *h);
    if (!h)
        return -ENOMEM;
    int error = -pthread_mutex_init(&h->lock, NULL);
    if (!error) {
        error = deadline_condition(&h->changed);
        if (error)
            pthread_mutex_destroy(&h->lock);
    }
    if (error) {
        free(h);
        return error;
    }
    *out = h;
    return 0;
}

void handoff_free(struct handoff *h)
{
    if (!h)
        return;
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

static void enter(struct handoff *h, enum phase phase)
{
    h->phase = phase;
    pthread_cond_broadcast(&h->changed);
}

/* A giver that may not wait needs a taker that is there already. */
static int await_turn(struct handoff *h, const struct deadline *d)
{
    int error = 0;
    while (!h->closed && h->phase != NOTHING && !error)
        error = deadline_wait(d, &h->changed, &h->lock);
    if (h->closed)
        return -EPIPE;
    if (h->phase != NOTHING)
        return error;
    return d->kind == WAIT_NEVER && h->takers == 0 ? -EAGAIN : 0;
}

/* The offer is taken back when nobody has come; but once it is taken it was given, whatever the time. */
static int await_taker(struct handoff *h, const struct deadline *d)
{
    struct deadline patience = d->kind == WAIT_NEVER ? deadline_never() : *d;
    int error = 0;
    while (h->phase == OFFERED && !h->closed && !error)
        error = deadline_wait(&patience, &h->changed, &h->lock);
    if (h->phase == TAKEN)
        error = 0;
    else if (h->closed)
        error = -EPIPE;
    enter(h, NOTHING);
    return error;
}

int handoff_give(struct handoff *h, void *item, struct deadline d)
{
    pthread_mutex_lock(&h->lock);
    int error = await_turn(h, &d);
    if (!error) {
        h->item = item;
        enter(h, OFFERED);
        error = await_taker(h, &d);
    }
    pthread_mutex_unlock(&h->lock);
    return error;
}

int handoff_take(struct handoff *h, void **item, struct deadline d)
{
    int error = 0;
    pthread_mutex_lock(&h->lock);
    h->takers++;
    while (h->phase != OFFERED && !h->closed && !error)
        error = deadline_wait(&d, &h->changed, &h->lock);
    h->takers--;
    if (h->phase == OFFERED && !h->closed) {
        *item = h->item;
        enter(h, TAKEN);
        error = 0;
    } else if (h->closed) {
        error = -EPIPE;
    }
    pthread_mutex_unlock(&h->lock);
    return error;
}

void handoff_close(struct handoff *h)
{
    pthread_mutex_lock(&h->lock);
    h->closed = true;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}
