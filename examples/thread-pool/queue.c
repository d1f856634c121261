/* Two rings behind one lock. `not_empty` is waited for by workers, `not_full` by those who submit.
 * SPDX-License-Identifier: MIT */
#include "queue.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

struct ring {
    struct task *slots;
    size_t       capacity, first, length;
};

struct queue {
    pthread_mutex_t lock;            /* of all below, but for `closed`, which may be read without */
    pthread_cond_t  not_empty, not_full;
    struct ring     lanes[LANES];
    atomic_bool     closed;
};

/* ---- a ring ---- */

static bool ring_init(struct ring *r, size_t capacity)
{
    r->slots = calloc(capacity, sizeof *r->slots);
    r->capacity = capacity;
    r->first = r->length = 0;
    return r->slots != NULL;
}

static bool ring_is_full(const struct ring *r) { return r->length == r->capacity; }

static void ring_put(struct ring *r, struct task task)
{
    assert(!ring_is_full(r));
    r->slots[(r->first + r->length) % r->capacity] = task;
    r->length++;
}

static struct task ring_take(struct ring *r)
{
    assert(r->length > 0);
    struct task task = r->slots[r->first];
    r->first = (r->first + 1) % r->capacity;
    r->length--;
    return task;
}

/* ---- the queue ---- */

struct queue *queue_new(size_t capacity)
{
    struct queue *q = calloc(1, sizeof *q);
    if (!q)
        return NULL;
    for (int lane = 0; lane < LANES; lane++)
        if (!ring_init(&q->lanes[lane], capacity)) {
            for (int made = 0; made <= lane; made++)
                free(q->lanes[made].slots);
            free(q);
            return NULL;
        }
    mutex_init(&q->lock);
    condition_init(&q->not_empty);
    condition_init(&q->not_full);
    atomic_init(&q->closed, false);
    return q;
}

static size_t length_locked(const struct queue *q)
{
    size_t length = 0;
    for (int lane = 0; lane < LANES; lane++)
        length += q->lanes[lane].length;
    return length;
}

void queue_free(struct queue *q)
{
    if (!q)
        return;
    assert(length_locked(q) == 0);
    condition_destroy(&q->not_full);
    condition_destroy(&q->not_empty);
    mutex_destroy(&q->lock);
    for (int lane = 0; lane < LANES; lane++)
        free(q->lanes[lane].slots);
    free(q);
}

static int push_locked(struct queue *q, struct task task, enum lane lane, enum when_full policy)
{
    struct ring *ring = &q->lanes[lane];
    while (!atomic_load(&q->closed) && ring_is_full(ring)) {
        if (policy == FULL_REFUSE)
            return -EAGAIN;
        condition_wait(&q->not_full, &q->lock);
    }
    if (atomic_load(&q->closed))
        return -ESHUTDOWN;
    ring_put(ring, task);
    condition_signal(&q->not_empty);
    return 0;
}

int queue_push(struct queue *q, struct task task, enum lane lane, enum when_full policy)
{
    mutex_lock(&q->lock);
    int result = push_locked(q, task, lane, policy);
    mutex_unlock(&q->lock);
    return result;
}

/* The first task of the most urgent lane that has one. Those who wait for room may wait for either lane, so all are woken. */
static bool take_locked(struct queue *q, struct task *task)
{
    for (int lane = 0; lane < LANES; lane++) {
        struct ring *ring = &q->lanes[lane];
        if (ring->length == 0)
            continue;
        bool was_full = ring_is_full(ring);
        *task = ring_take(ring);
        if (was_full)
            condition_broadcast(&q->not_full);
        return true;
    }
    return false;
}

bool queue_pop(struct queue *q, struct task *task)
{
    mutex_lock(&q->lock);
    while (length_locked(q) == 0 && !atomic_load(&q->closed))
        condition_wait(&q->not_empty, &q->lock);
    bool found = take_locked(q, task);
    mutex_unlock(&q->lock);
    return found;
}

bool queue_try_pop(struct queue *q, struct task *task)
{
    mutex_lock(&q->lock);
    bool found = take_locked(q, task);
    mutex_unlock(&q->lock);
    return found;
}

/* The lock is not there to protect `closed`. Without it the flag could be set and the signal given between a worker's look at
 * the flag and its wait, and it would sleep for ever. */
void queue_close(struct queue *q)
{
#ifndef BUG
    mutex_lock(&q->lock);
#endif
    atomic_store(&q->closed, true);
    condition_broadcast(&q->not_empty);
    condition_broadcast(&q->not_full);
#ifndef BUG
    mutex_unlock(&q->lock);
#endif
}

bool queue_is_closed(struct queue *q)
{
    return atomic_load(&q->closed);
}

size_t queue_drain(struct queue *q)
{
    struct task task;
    size_t dropped = 0;
    while (queue_try_pop(q, &task)) {
        task.drop(task.context);
        dropped++;
    }
    return dropped;
}

size_t queue_length(struct queue *q)
{
    mutex_lock(&q->lock);
    size_t length = length_locked(q);
    mutex_unlock(&q->lock);
    return length;
}
