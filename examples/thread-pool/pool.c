/* SPDX-License-Identifier: MIT */
#include "pool.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct worker {
    struct pool *pool;
    unsigned     number;
    pthread_t    thread;
};

struct pool {
    struct pool_options options;
    struct queue       *queue;
    struct worker       workers[POOL_MOST_WORKERS];
    unsigned            started;     /* workers with a thread */

    pthread_mutex_t     lock;        /* of all below */
    pthread_cond_t      stopped_now;
    enum { OPEN, STOPPING, STOPPED } phase;
    struct pool_stats   stats;
};

struct pool_options pool_defaults(void)
{
    return (struct pool_options){ .workers = 4, .capacity = 64, .when_full = FULL_WAIT };
}

/* ---- statistics ---- */

static void count(struct pool *p, unsigned long *counter, unsigned long by)
{
    mutex_lock(&p->lock);
    *counter += by;
    mutex_unlock(&p->lock);
}

struct pool_stats pool_statistics(struct pool *p)
{
    mutex_lock(&p->lock);
    struct pool_stats stats = p->stats;
    mutex_unlock(&p->lock);
    return stats;
}

/* ---- workers ---- */

static void *worker_main(void *argument)
{
    struct worker *w = argument;
    struct pool *p = w->pool;
    struct task task;
    unsigned long run = 0;
    if (p->options.on_start)
        p->options.on_start(w->number, p->options.context);
    while (queue_pop(p->queue, &task)) {
        task.run(task.context);
        run++;
    }
    if (p->options.on_stop)
        p->options.on_stop(w->number, p->options.context);
    count(p, &p->stats.run, run);
    return NULL;
}

static int start_worker(struct pool *p, unsigned number)
{
    struct worker *w = &p->workers[number];
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error)
        return -error;
    if (p->options.stack_size)
        error = pthread_attr_setstacksize(&attributes, p->options.stack_size);
    w->pool = p;
    w->number = number;
    if (!error)
        error = pthread_create(&w->thread, &attributes, worker_main, w);
    pthread_attr_destroy(&attributes);
    return -error;
}

static int start_workers(struct pool *p)
{
    while (p->started < p->options.workers) {
        int error = start_worker(p, p->started);
        if (error)
            return error;
        p->started++;
    }
    return 0;
}

static void join_workers(struct pool *p)
{
    for (unsigned i = 0; i < p->started; i++)
        sync_check(pthread_join(p->workers[i].thread, NULL), "pthread_join");
    p->started = 0;
}

/* ---- starting and stopping ---- */

static bool acceptable(const struct pool_options *o)
{
    return o->workers >= 1 && o->workers <= POOL_MOST_WORKERS && o->capacity >= 1;
}

int pool_start(struct pool **out, const struct pool_options *options)
{
    if (!acceptable(options))
        return -EINVAL;
    struct pool *p = calloc(1, sizeof *p);
    if (!p)
        return -ENOMEM;
    p->options = *options;
    p->queue = queue_new(options->capacity);
    if (!p->queue) {
        free(p);
        return -ENOMEM;
    }
    mutex_init(&p->lock);
    condition_init(&p->stopped_now);
    int error = start_workers(p);
    if (error) {
        pool_stop(p, STOP_DISCARD);
        pool_free(p);
        return error;
    }
    *out = p;
    return 0;
}

/* The first who stops the pool does it, all others wait until that is done. */
static bool begin_stop(struct pool *p)
{
    mutex_lock(&p->lock);
    bool first = p->phase == OPEN;
    if (first)
        p->phase = STOPPING;
    while (p->phase == STOPPING && !first)
        condition_wait(&p->stopped_now, &p->lock);
    mutex_unlock(&p->lock);
    return first;
}

static void end_stop(struct pool *p)
{
    mutex_lock(&p->lock);
    p->phase = STOPPED;
    condition_broadcast(&p->stopped_now);
    mutex_unlock(&p->lock);
}

void pool_stop(struct pool *p, enum stop how)
{
    if (!begin_stop(p))
        return;
    queue_close(p->queue);
    if (how == STOP_DISCARD)
        count(p, &p->stats.discarded, queue_drain(p->queue));
    join_workers(p);
    assert(queue_length(p->queue) == 0);
    end_stop(p);
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    assert(p->phase == STOPPED && p->started == 0);
    queue_free(p->queue);
    condition_destroy(&p->stopped_now);
    mutex_destroy(&p->lock);
    free(p);
}

/* ---- submitting ---- */

static int submit(struct pool *p, work_function *work, void *argument, enum lane lane, struct future **out)
{
    struct future *f = future_new(work, argument);
    if (!f)
        return -ENOMEM;
    if (out)
        *out = future_retain(f);     /* before it is pushed: a worker may be done with it sooner than we are */
    int error = queue_push(p->queue, future_task(f), lane, p->options.when_full);
    count(p, error ? &p->stats.refused : &p->stats.submitted, 1);
    if (!error)
        return 0;
    future_release(f);
    if (out) {
        future_release(f);
        *out = NULL;
    }
    return error;
}

int pool_submit(struct pool *p, work_function *work, void *argument, struct future **out)
{
    return submit(p, work, argument, LANE_NORMAL, out);
}

int pool_submit_urgent(struct pool *p, work_function *work, void *argument, struct future **out)
{
    return submit(p, work, argument, LANE_URGENT, out);
}

/* ---- helping ---- */

bool pool_help(struct pool *p)
{
    struct task task;
    if (!queue_try_pop(p->queue, &task))
        return false;
    task.run(task.context);
    count(p, &p->stats.helped, 1);
    return true;
}

/* When nothing is left in the queue, the task that is waited for is running elsewhere, and whoever runs it needs no help of
 * ours. */
int pool_get(struct pool *p, struct future *f, void **value)
{
    while (!future_is_finished(f) && pool_help(p))
        ;
    return future_get(f, value);
}
