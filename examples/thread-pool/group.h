/* A group of tasks that are waited for together.
 *
 * Invariant: `open` tasks were added and are not finished; group_wait returns only when it is 0, and gives the first error.
 * SPDX-License-Identifier: MIT */
#ifndef GROUP_H
#define GROUP_H

#include "pool.h"

#include <pthread.h>

struct group {
    struct pool    *pool;
    pthread_mutex_t lock;            /* of all below */
    pthread_cond_t  empty;
    unsigned        open;
    int             error;           /* of the first task that failed, or could not be submitted; 0: none */
};

void group_init(struct group *, struct pool *);
void group_fini(struct group *);                                 /* when nothing is open */
int  group_add(struct group *, work_function *, void *argument); /* 0, or why the pool refuses; also kept as the error */
int  group_wait(struct group *);                                 /* helps the pool; then the group can be used again */

#endif
