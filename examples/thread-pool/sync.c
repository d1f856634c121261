/* SPDX-License-Identifier: MIT */
#include "sync.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sync_check(int error, const char *what)
{
    if (error == 0)
        return;
    fprintf(stderr, "thread-pool: %s: %s\n", what, strerror(error));
    abort();
}

void mutex_init(pthread_mutex_t *m)    { sync_check(pthread_mutex_init(m, NULL), "pthread_mutex_init"); }
void mutex_destroy(pthread_mutex_t *m) { sync_check(pthread_mutex_destroy(m), "pthread_mutex_destroy"); }
void mutex_lock(pthread_mutex_t *m)    { sync_check(pthread_mutex_lock(m), "pthread_mutex_lock"); }
void mutex_unlock(pthread_mutex_t *m)  { sync_check(pthread_mutex_unlock(m), "pthread_mutex_unlock"); }

void condition_init(pthread_cond_t *c)
{
    pthread_condattr_t attributes;
    sync_check(pthread_condattr_init(&attributes), "pthread_condattr_init");
    sync_check(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC), "pthread_condattr_setclock");
    sync_check(pthread_cond_init(c, &attributes), "pthread_cond_init");
    sync_check(pthread_condattr_destroy(&attributes), "pthread_condattr_destroy");
}

void condition_destroy(pthread_cond_t *c)   { sync_check(pthread_cond_destroy(c), "pthread_cond_destroy"); }
void condition_signal(pthread_cond_t *c)    { sync_check(pthread_cond_signal(c), "pthread_cond_signal"); }
void condition_broadcast(pthread_cond_t *c) { sync_check(pthread_cond_broadcast(c), "pthread_cond_broadcast"); }

void condition_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    sync_check(pthread_cond_wait(c, m), "pthread_cond_wait");
}

bool condition_wait_until(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
    int error = pthread_cond_timedwait(c, m, until);
    if (error == ETIMEDOUT)
        return false;
    sync_check(error, "pthread_cond_timedwait");
    return true;
}

struct timespec time_after(long milliseconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += milliseconds / 1000;
    t.tv_nsec += milliseconds % 1000 * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}
