/* The queue between those who submit tasks and the workers that run them: bounded, first in first out, with a lane for what is
 * urgent.
 *
 * Invariant: a task that was pushed successfully is handed out exactly once, by queue_pop, queue_try_pop or queue_drain. After
 * queue_close nothing is pushed any more; what is inside can still be popped.
 * SPDX-License-Identifier: MIT */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stddef.h>

/* Something to do. `drop` is called instead of `run` when the task will never be run; each task gets one of the two. */
struct task {
    void (*run)(void *context);
    void (*drop)(void *context);
    void  *context;
};

enum lane { LANE_URGENT, LANE_NORMAL, LANES };

enum when_full {
    FULL_WAIT,                       /* until there is room, or the queue is closed */
    FULL_REFUSE                      /* -EAGAIN */
};

struct queue;

struct queue *queue_new(size_t capacity);                        /* gives; NULL: out of memory. Capacity of each lane */
void          queue_free(struct queue *);                        /* empty, and nobody uses it any more; NULL is fine */

int    queue_push(struct queue *, struct task, enum lane, enum when_full);   /* 0, -EAGAIN, or -ESHUTDOWN when closed */
bool   queue_pop(struct queue *, struct task *);                 /* waits; false: it is closed and empty */
bool   queue_try_pop(struct queue *, struct task *);             /* false: it is empty now */

void   queue_close(struct queue *);                              /* wakes everybody; may be called again */
bool   queue_is_closed(struct queue *);
size_t queue_drain(struct queue *);                              /* drops all that is inside; how many */
size_t queue_length(struct queue *);                             /* at this moment, of all lanes */

#endif
