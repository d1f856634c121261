/* expect: complete.  optimal: 1 executions.
 * expect -DWRONG: deadlock.  errors: deadlock 1.  optimal: 3 executions.
 * expect -DHOLD: deadlock.  errors: deadlock 1.
 *
 * More than a hundred threads, but never more than three at a time: the places of threads that were joined are used again. WRONG: the
 * last two of them lock in opposite order. HOLD: the first thread keeps a recursive lock; who comes later, maybe in its place, is not
 * taken for it. (tests/commands/detached.sh does the same with threads that are not joined, but only up to the error.)
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

enum { ROUNDS = 70 };

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t kept = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static sem_t done;

static void finish(void)
{
#ifdef DETACH
    sem_post(&done);
#endif
}

static void *forward(void *argument)
{
    if (argument) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);                                  /* ERROR */
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
    finish();
    return NULL;
}

static void *backward(void *argument)
{
    if (argument) {
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);                                  /* ERROR */
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    finish();
    return NULL;
}

static void *keep(void *argument)
{
    pthread_mutex_lock(&kept);                                   /* ERROR */
    return argument;
}

static void begin(pthread_t *thread, void *(*function)(void *), void *argument)
{
    pthread_create(thread, NULL, function, argument);
#ifdef DETACH
    pthread_detach(*thread);
#endif
}

static void end(pthread_t thread)
{
#ifdef DETACH
    sem_wait(&done);
#else
    pthread_join(thread, NULL);                                  /* ERROR */
#endif
}

int main(void)
{
    pthread_t first, second;
    sem_init(&done, 0, 0);
#ifdef HOLD
    pthread_create(&first, NULL, keep, NULL);
    pthread_join(first, NULL);
#endif
    for (int i = 0; i < ROUNDS; i++) {
        begin(&first, forward, NULL);
        end(first);
        begin(&second, backward, NULL);
        end(second);
    }
#ifdef WRONG
    begin(&first, forward, &done);
    begin(&second, backward, &done);
    end(first);
    end(second);
#endif
#ifdef HOLD
    pthread_create(&first, NULL, keep, NULL);
    pthread_join(first, NULL);                                   /* ERROR */
#endif
    return 0;
}
