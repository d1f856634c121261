/* A pool of worker threads that run what is submitted to it.
 *
 *     struct pool_options options = pool_defaults();
 *     struct pool *pool;
 *     if (pool_start(&pool, &options) == 0) {
 *         struct future *answer;
 *         if (pool_submit(pool, work, argument, &answer) == 0) {
 *             result = future_get(answer, &value);
 *             future_release(answer);
 *         }
 *         pool_stop(pool, STOP_DRAIN);
 *         pool_free(pool);
 *     }
 *
 * Invariant: every future that pool_submit gave is finished when pool_stop has returned, and no worker is left.
 * SPDX-License-Identifier: MIT */
#ifndef POOL_H
#define POOL_H

#include "future.h"
#include "queue.h"

#include <stddef.h>

enum { POOL_MOST_WORKERS = 64 };

struct pool_options {
    unsigned       workers;          /* from 1 to POOL_MOST_WORKERS */
    size_t         capacity;         /* tasks that wait, in each lane; at least 1 */
    enum when_full when_full;        /* what pool_submit does then */
    size_t         stack_size;       /* of a worker; 0: as the system has it */
    void         (*on_start)(unsigned worker, void *context);    /* in the worker, before its first task; NULL: nothing */
    void         (*on_stop)(unsigned worker, void *context);     /* in the worker, after its last */
    void          *context;
};

enum stop {
    STOP_DRAIN,                      /* runs all that was submitted */
    STOP_DISCARD                     /* cancels what was not begun */
};

struct pool_stats {
    unsigned long submitted, refused;                            /* by pool_submit */
    unsigned long run, helped;                                   /* by workers, by those who waited */
    unsigned long discarded;
};

struct pool;

struct pool_options pool_defaults(void);
int  pool_start(struct pool **, const struct pool_options *);    /* gives; 0, or a negative errno and nothing is left behind */
void pool_stop(struct pool *, enum stop);                        /* waits for the workers; not to be called by one */
void pool_free(struct pool *);                                   /* after pool_stop; NULL is fine */

/* 0 and a future, which the caller must release; or -EAGAIN: full, -ESHUTDOWN: stopping, -ENOMEM. `out` may be NULL. */
int  pool_submit(struct pool *, work_function *, void *argument, struct future **out);
int  pool_submit_urgent(struct pool *, work_function *, void *argument, struct future **out);

/* Waits for the future, and runs other tasks of the pool meanwhile: the way to wait inside a task. */
int  pool_get(struct pool *, struct future *, void **value);
bool pool_help(struct pool *);                                   /* runs one waiting task; false: there was none */

struct pool_stats pool_statistics(struct pool *);

#endif
