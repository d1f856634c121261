/* SPDX-License-Identifier: MIT */
#include "selector.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

struct selector {
    struct bqueue  *queues[SELECTOR_MOST];
    int             count;
    int             turn;            /* where to begin to look */
    pthread_mutex_t lock;            /* of what follows */
    pthread_cond_t  changed;
    unsigned long   changes;
};

int selector_new(struct selector **out)
{
    struct selector *s = calloc(1, sizeof *s);
    if (!s)
        return -ENOMEM;
    int error = -pthread_mutex_init(&s->lock, NULL);
    if (!error) {
        error = deadline_condition(&s->changed);
        if (error)
            pthread_mutex_destroy(&s->lock);
    }
    if (error) {
        free(s);
        return error;
    }
    *out = s;
    return 0;
}

void selector_free(struct selector *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->count; i++)
        bqueue_watch(s->queues[i], NULL, NULL);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static void note_change(void *context)
{
    struct selector *s = context;
    pthread_mutex_lock(&s->lock);
    s->changes++;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

int selector_add(struct selector *s, struct bqueue *q)
{
    if (s->count == SELECTOR_MOST)
        return -ENOSPC;
    int error = bqueue_watch(q, note_change, s);
    if (error)
        return error;
    s->queues[s->count] = q;
    return s->count++;
}

static unsigned long changes(struct selector *s)
{
    pthread_mutex_lock(&s->lock);
    unsigned long now = s->changes;
    pthread_mutex_unlock(&s->lock);
    return now;
}

/* -EAGAIN: none is ready. A closed queue is ready as long as it has items. */
static int find_ready(struct selector *s)
{
    int over = 0;
    for (int k = 0; k < s->count; k++) {
        int i = (s->turn + k) % s->count;
        if (!bqueue_is_ready(s->queues[i]))
            continue;
        if (bqueue_length(s->queues[i]) > 0) {
            s->turn = (i + 1) % s->count;
            return i;
        }
        over += bqueue_is_closed(s->queues[i]);
    }
    return over == s->count ? -ENOENT : -EAGAIN;
}

static int await_change(struct selector *s, unsigned long seen, const struct deadline *d)
{
    int error = 0;
    pthread_mutex_lock(&s->lock);
    while (s->changes == seen && !error)
        error = deadline_wait(d, &s->changed, &s->lock);
    if (s->changes != seen)
        error = 0;
    pthread_mutex_unlock(&s->lock);
    return error;
}

int selector_wait(struct selector *s, struct deadline d)
{
    for (;;) {
        unsigned long seen = changes(s);
        int found = find_ready(s);
        if (found != -EAGAIN)
            return found;
        int error = await_change(s, seen, &d);
        if (error)
            return error;
    }
}

/* Another thread may have been quicker with the item: then on to the next. */
int selector_pop(struct selector *s, void *item, int *from, struct deadline d)
{
    for (;;) {
        int i = selector_wait(s, d);
        if (i < 0)
            return i;
        int error = bqueue_pop(s->queues[i], item, deadline_now());
        if (error == -EAGAIN || error == -EPIPE)
            continue;
        if (from)
            *from = i;
        return error;
    }
}
