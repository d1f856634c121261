/* SPDX-License-Identifier: MIT */
#include "group.h"
#include "sync.h"

#include <assert.h>

void group_init(struct group *g, struct pool *pool)
{
    g->pool = pool;
    g->open = 0;
    g->error = 0;
    mutex_init(&g->lock);
    condition_init(&g->empty);
}

void group_fini(struct group *g)
{
    assert(g->open == 0);
    condition_destroy(&g->empty);
    mutex_destroy(&g->lock);
}

static void begin(struct group *g)
{
    mutex_lock(&g->lock);
    g->open++;
    mutex_unlock(&g->lock);
}

/* The signal is given under the lock: group_wait may return, and the group be gone, as soon as the lock is free. */
static void end(struct group *g, int result)
{
    mutex_lock(&g->lock);
    assert(g->open > 0);
    if (result < 0 && g->error == 0)
        g->error = result;
    if (--g->open == 0)
        condition_broadcast(&g->empty);
    mutex_unlock(&g->lock);
}

static void finished(struct future *f, void *context)
{
    end(context, future_get(f, NULL));
}

int group_add(struct group *g, work_function *work, void *argument)
{
    struct future *f;
    begin(g);
    int error = pool_submit(g->pool, work, argument, &f);
    if (error) {
        end(g, error);
        return error;
    }
    future_then(f, finished, g);
    future_release(f);
    return 0;
}

static bool is_empty(struct group *g)
{
    mutex_lock(&g->lock);
    bool empty = g->open == 0;
    mutex_unlock(&g->lock);
    return empty;
}

int group_wait(struct group *g)
{
    while (!is_empty(g) && pool_help(g->pool))
        ;
    mutex_lock(&g->lock);
    while (g->open > 0)
        condition_wait(&g->empty, &g->lock);
    int error = g->error;
    g->error = 0;
    mutex_unlock(&g->lock);
    return error;
}
