/* A monitor, as Java has it: one lock, and one condition on which everybody waits. And what the nine programs share.
 * SPDX-License-Identifier: MIT */
#ifndef MONITOR_H
#define MONITOR_H

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct monitor { pthread_mutex_t lock; pthread_cond_t changed; };
#define MONITOR { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER }

static inline void monitor_init(struct monitor *m)
{
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->changed, NULL);
}

static inline void enter(struct monitor *m)    { pthread_mutex_lock(&m->lock); }
static inline void leave(struct monitor *m)    { pthread_mutex_unlock(&m->lock); }
static inline void await(struct monitor *m)    { pthread_cond_wait(&m->changed, &m->lock); }     /* inside of it */
static inline void announce(struct monitor *m) { pthread_cond_broadcast(&m->changed); }

/* The n-th argument, or the standard. */
static inline int parameter(int argc, char **argv, int n, int standard, int least, int most)
{
    int value = n < argc ? atoi(argv[n]) : standard;
    if (value >= least && value <= most)
        return value;
    fprintf(stderr, "%s: argument %d must be from %d to %d\n", argv[0], n, least, most);
    exit(2);
}

enum { MOST_THREADS = 16 };
static pthread_t threads[MOST_THREADS];
static int thread_count;

static inline void begin(void *(*run)(void *), int number)
{
    assert(thread_count < MOST_THREADS);
    pthread_create(&threads[thread_count++], NULL, run, (void *)(intptr_t)number);
}

static inline void await_all(void)
{
    for (int i = 0; i < thread_count; i++)
        pthread_join(threads[i], NULL);
}

#endif
