/* One lock and a condition for each side. Who makes room for one item wakes one who waits for room, and the other way round.
 * SPDX-License-Identifier: MIT */
#include "bqueue.h"
#include "ring.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bqueue {
    pthread_mutex_t     lock;        /* of all below */
    pthread_cond_t      not_empty, not_full, empty;
    struct ring         ring;
    bool                closed;
    bqueue_notify      *notify;      /* NULL: nobody watches */
    void               *notify_context;
    struct bqueue_stats stats;
};

static void must(int error, const char *what)
{
    if (error == 0)
        return;
    fprintf(stderr, "blocking-queue: %s: %s\n", what, strerror(error));
    abort();
}

static void lock(struct bqueue *q)   { must(pthread_mutex_lock(&q->lock), "pthread_mutex_lock"); }
static void unlock(struct bqueue *q) { must(pthread_mutex_unlock(&q->lock), "pthread_mutex_unlock"); }
static void wake_one(pthread_cond_t *c) { must(pthread_cond_signal(c), "pthread_cond_signal"); }
static void wake_all(pthread_cond_t *c) { must(pthread_cond_broadcast(c), "pthread_cond_broadcast"); }

/* ---- making and freeing ---- */

static int init_conditions(struct bqueue *q)
{
    int error = deadline_condition(&q->not_empty);
    if (error)
        return error;
    error = deadline_condition(&q->not_full);
    if (!error) {
        error = deadline_condition(&q->empty);
        if (!error)
            return 0;
        pthread_cond_destroy(&q->not_full);
    }
    pthread_cond_destroy(&q->not_empty);
    return error;
}

int bqueue_new(struct bqueue **out, size_t item_size, size_t capacity)
{
    struct bqueue *q = calloc(1, sizeof *q);
    if (!q)
        return -ENOMEM;
    int error = ring_init(&q->ring, item_size, capacity);
    if (error)
        goto no_ring;
    error = -pthread_mutex_init(&q->lock, NULL);
    if (error)
        goto no_lock;
    error = init_conditions(q);
    if (error)
        goto no_conditions;
    *out = q;
    return 0;

no_conditions:
    pthread_mutex_destroy(&q->lock);
no_lock:
    ring_fini(&q->ring);
no_ring:
    free(q);
    return error;
}

void bqueue_free(struct bqueue *q)
{
    if (!q)
        return;
    must(pthread_cond_destroy(&q->empty), "pthread_cond_destroy");
    must(pthread_cond_destroy(&q->not_full), "pthread_cond_destroy");
    must(pthread_cond_destroy(&q->not_empty), "pthread_cond_destroy");
    must(pthread_mutex_destroy(&q->lock), "pthread_mutex_destroy");
    ring_fini(&q->ring);
    free(q);
}

/* ---- waiting; with the lock held ---- */

static int timed_out(struct bqueue *q, int error)
{
    q->stats.timeouts += error == -ETIMEDOUT;
    return error;
}

/* 0: there is room. When the time is over it still looks once more: the room may have come at the same moment. */
static int await_room(struct bqueue *q, const struct deadline *d)
{
    int error = 0;
    while (!q->closed && ring_is_full(&q->ring)) {
        if (error)
            return timed_out(q, error);
        q->stats.push_waits += d->kind != WAIT_NEVER;
        error = deadline_wait(d, &q->not_full, &q->lock);
        assert(error == 0 || error == -EAGAIN || error == -ETIMEDOUT);
    }
    return q->closed ? -EPIPE : 0;
}

static int await_item(struct bqueue *q, const struct deadline *d)
{
    int error = 0;
    while (!q->closed && ring_is_empty(&q->ring)) {
        if (error)
            return timed_out(q, error);
        q->stats.pop_waits += d->kind != WAIT_NEVER;
        error = deadline_wait(d, &q->not_empty, &q->lock);
        assert(error == 0 || error == -EAGAIN || error == -ETIMEDOUT);
    }
    return ring_is_empty(&q->ring) ? -EPIPE : 0;
}

/* ---- one item; with the lock held ---- */

/* BUG: those who wait need be woken only when the queue was empty, for else nobody can be waiting? But the one that was woken
 * for the first item may not have run yet when the second comes, and another may wait still: nobody wakes it. */
static void put(struct bqueue *q, const void *item)
{
    bool was_empty = ring_is_empty(&q->ring);
    ring_put(&q->ring, item);
    q->stats.pushed++;
    if (q->ring.length > q->stats.longest)
        q->stats.longest = q->ring.length;
#ifdef BUG
    if (was_empty)
#else
    (void)was_empty;
#endif
        wake_one(&q->not_empty);
    if (q->notify)
        q->notify(q->notify_context);
}

static void take(struct bqueue *q, void *item)
{
    ring_take(&q->ring, item);
    q->stats.popped++;
    wake_one(&q->not_full);
    if (ring_is_empty(&q->ring))
        wake_all(&q->empty);
}

/* ---- the calls ---- */

int bqueue_push(struct bqueue *q, const void *item, struct deadline d)
{
    lock(q);
    int error = await_room(q, &d);
    if (!error)
        put(q, item);
    unlock(q);
    return error;
}

int bqueue_pop(struct bqueue *q, void *item, struct deadline d)
{
    lock(q);
    int error = await_item(q, &d);
    if (!error)
        take(q, item);
    unlock(q);
    return error;
}

/* What was looked at is still there for others, who may wait: so it passes on the signal that woke it. */
int bqueue_peek(struct bqueue *q, void *item, struct deadline d)
{
    lock(q);
    int error = await_item(q, &d);
    if (!error) {
        memcpy(item, q->ring.bytes + q->ring.first * q->ring.item_size, q->ring.item_size);
        wake_one(&q->not_empty);
    }
    unlock(q);
    return error;
}

int bqueue_push_all(struct bqueue *q, const void *items, size_t count, struct deadline d, size_t *done)
{
    const unsigned char *next = items;
    int error = 0;
    size_t n = 0;
    lock(q);
    for (; n < count && !error; n += !error) {
        error = await_room(q, &d);
        if (!error)
            put(q, next + n * q->ring.item_size);
    }
    unlock(q);
    *done = n;
    return error;
}

int bqueue_pop_some(struct bqueue *q, void *items, size_t most, struct deadline d, size_t *done)
{
    unsigned char *next = items;
    size_t n = 0;
    lock(q);
    int error = most ? await_item(q, &d) : 0;
    while (!error && n < most && !ring_is_empty(&q->ring))
        take(q, next + n++ * q->ring.item_size);
    unlock(q);
    *done = n;
    return error;
}

void bqueue_close(struct bqueue *q)
{
    lock(q);
    q->closed = true;
    wake_all(&q->not_empty);
    wake_all(&q->not_full);
    if (q->notify)
        q->notify(q->notify_context);
    unlock(q);
}

bool bqueue_is_closed(struct bqueue *q)
{
    lock(q);
    bool closed = q->closed;
    unlock(q);
    return closed;
}

size_t bqueue_length(struct bqueue *q)
{
    lock(q);
    size_t length = q->ring.length;
    unlock(q);
    return length;
}

size_t bqueue_clear(struct bqueue *q)
{
    lock(q);
    size_t cleared = q->ring.length;
    while (!ring_is_empty(&q->ring))
        ring_take(&q->ring, NULL);
    wake_all(&q->not_full);
    wake_all(&q->empty);
    unlock(q);
    return cleared;
}

int bqueue_resize(struct bqueue *q, size_t capacity)
{
    lock(q);
    int error = ring_resize(&q->ring, capacity);
    if (!error)
        wake_all(&q->not_full);
    unlock(q);
    return error;
}

/* Taking an item may make it empty for a moment only; who waits here must not miss that, so it counts what was popped. */
int bqueue_wait_empty(struct bqueue *q, struct deadline d)
{
    int error = 0;
    lock(q);
    unsigned long goal = q->stats.pushed;
    while (!error && !ring_is_empty(&q->ring) && q->stats.popped < goal)
        error = deadline_wait(&d, &q->empty, &q->lock);
    if (ring_is_empty(&q->ring) || q->stats.popped >= goal)
        error = 0;
    unlock(q);
    return error;
}

struct bqueue_stats bqueue_statistics(struct bqueue *q)
{
    lock(q);
    struct bqueue_stats stats = q->stats;
    unlock(q);
    return stats;
}

int bqueue_watch(struct bqueue *q, bqueue_notify *notify, void *context)
{
    lock(q);
    int error = notify && q->notify ? -EBUSY : 0;
    if (!error) {
        q->notify = notify;
        q->notify_context = context;
    }
    unlock(q);
    return error;
}

bool bqueue_is_ready(struct bqueue *q)
{
    lock(q);
    bool ready = q->closed || !ring_is_empty(&q->ring);
    unlock(q);
    return ready;
}
