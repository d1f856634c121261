/* SPDX-License-Identifier: MIT */
#include "future.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum state { PENDING, RUNNING, DONE, CANCELLED };

struct future {
    pthread_mutex_t        lock;     /* of all below but work and argument, which do not change */
    pthread_cond_t         finished;
    work_function         *work;
    void                  *argument;
    enum state             state;
    int                    references;
    int                    result;
    void                  *value;
    continuation_function *then;     /* NULL: none, or it was called already */
    void                  *then_context;
};

struct future *future_new(work_function *work, void *argument)
{
    struct future *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    mutex_init(&f->lock);
    condition_init(&f->finished);
    f->work = work;
    f->argument = argument;
    f->state = PENDING;
    f->references = 1;
    return f;
}

struct future *future_retain(struct future *f)
{
    mutex_lock(&f->lock);
    assert(f->references > 0);
    f->references++;
    mutex_unlock(&f->lock);
    return f;
}

static void destroy(struct future *f)
{
    condition_destroy(&f->finished);
    mutex_destroy(&f->lock);
    free(f);
}

void future_release(struct future *f)
{
    if (!f)
        return;
    mutex_lock(&f->lock);
    assert(f->references > 0);
    int left = --f->references;
    mutex_unlock(&f->lock);
    if (left == 0)
        destroy(f);
}

/* ---- the arrows ---- */

static bool finished_locked(const struct future *f)
{
    return f->state == DONE || f->state == CANCELLED;
}

/* False: it is not in the state `from` any more, and nothing has changed. */
static bool move(struct future *f, enum state from, enum state to)
{
    mutex_lock(&f->lock);
    bool moved = f->state == from;
    if (moved)
        f->state = to;
    mutex_unlock(&f->lock);
    return moved;
}

/* Into a last state. The continuation is called when the lock is free again: it may well ask this future for its value. */
static bool finish(struct future *f, enum state from, enum state to, int result, void *value)
{
    continuation_function *then = NULL;
    void *context = NULL;

    mutex_lock(&f->lock);
    bool moved = f->state == from;
    if (moved) {
        f->state = to;
        f->result = result;
        f->value = value;
        then = f->then;
        context = f->then_context;
        f->then = NULL;
        condition_broadcast(&f->finished);
    }
    mutex_unlock(&f->lock);
    if (then)
        then(f, context);
    return moved;
}

void future_run(struct future *f)
{
    if (!move(f, PENDING, RUNNING))
        return;
    void *value = NULL;
    int result = f->work(f->argument, &value);
    bool moved = finish(f, RUNNING, DONE, result, value);
    assert(moved);
    (void)moved;
}

bool future_cancel(struct future *f)
{
    return finish(f, PENDING, CANCELLED, -ECANCELED, NULL);
}

/* ---- looking and waiting ---- */

bool future_is_finished(struct future *f)
{
    mutex_lock(&f->lock);
    bool finished = finished_locked(f);
    mutex_unlock(&f->lock);
    return finished;
}

void future_wait(struct future *f)
{
    mutex_lock(&f->lock);
    while (!finished_locked(f))
        condition_wait(&f->finished, &f->lock);
    mutex_unlock(&f->lock);
}

bool future_wait_for(struct future *f, long milliseconds)
{
    struct timespec until = time_after(milliseconds);
    bool in_time = true;
    mutex_lock(&f->lock);
    while (!finished_locked(f) && in_time)
        in_time = condition_wait_until(&f->finished, &f->lock, &until);
    bool finished = finished_locked(f);
    mutex_unlock(&f->lock);
    return finished;
}

int future_get(struct future *f, void **value)
{
    mutex_lock(&f->lock);
    while (!finished_locked(f))
        condition_wait(&f->finished, &f->lock);
    int result = f->result;
    if (value)
        *value = f->value;
    mutex_unlock(&f->lock);
    return result;
}

void future_then(struct future *f, continuation_function *then, void *context)
{
    mutex_lock(&f->lock);
    assert(!f->then);
    bool at_once = finished_locked(f);
    if (!at_once) {
        f->then = then;
        f->then_context = context;
    }
    mutex_unlock(&f->lock);
    if (at_once)
        then(f, context);
}

/* ---- as a task ---- */

static void run_and_release(void *context)
{
    struct future *f = context;
    future_run(f);
    future_release(f);
}

static void cancel_and_release(void *context)
{
    struct future *f = context;
    future_cancel(f);
    future_release(f);
}

struct task future_task(struct future *f)
{
    return (struct task){ .run = run_and_release, .drop = cancel_and_release, .context = f };
}
