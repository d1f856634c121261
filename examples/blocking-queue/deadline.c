/* SPDX-License-Identifier: MIT */
#include "deadline.h"

#include <errno.h>

enum { NANO = 1000000000 };

struct deadline deadline_now(void)   { return (struct deadline){ .kind = WAIT_NEVER }; }
struct deadline deadline_never(void) { return (struct deadline){ .kind = WAIT_FOREVER }; }

struct deadline deadline_after(long milliseconds)
{
    struct deadline d = { .kind = WAIT_UNTIL };
    clock_gettime(CLOCK_MONOTONIC, &d.until);
    d.until.tv_sec += milliseconds / 1000;
    d.until.tv_nsec += milliseconds % 1000 * 1000000;
    if (d.until.tv_nsec >= NANO) {
        d.until.tv_sec++;
        d.until.tv_nsec -= NANO;
    }
    return d;
}

int deadline_condition(pthread_cond_t *c)
{
    pthread_condattr_t attributes;
    int error = pthread_condattr_init(&attributes);
    if (error)
        return -error;
    error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (!error)
        error = pthread_cond_init(c, &attributes);
    pthread_condattr_destroy(&attributes);
    return -error;
}

int deadline_wait(const struct deadline *d, pthread_cond_t *c, pthread_mutex_t *m)
{
    switch (d->kind) {
    case WAIT_NEVER:   return -EAGAIN;
    case WAIT_UNTIL:   return -pthread_cond_timedwait(c, m, &d->until);
    case WAIT_FOREVER: return -pthread_cond_wait(c, m);
    }
    return -EINVAL;
}
