/* expect: complete.  optimal: 2 executions.
 * expect -DQUICK: complete.  optimal: 2 executions.
 * expect -DAT_ONCE: complete.  optimal: 1 executions.
 * expect -DINSIDE: complete.  optimal: 2 executions.
 * expect -DKEEP: deadlock.  errors: deadlock 1.  message: "process 1 called exit before it".
 *
 * Two threads exit, and a handler takes a lock. Whoever is first runs the handlers, and the other one waits for its end; so the handler
 * runs once, and its lock is not taken twice. QUICK: one of them by quick_exit, which has handlers of its own. AT_ONCE: the
 * other one runs no handlers, and its end is not told apart. INSIDE: the handler exits, too; that is the same thread, so it goes on.
 * KEEP: the handler waits for what the other one keeps, which waits in exit: that ends nobody.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int runs;

static void at_end(void)
{
    pthread_mutex_lock(&lock);
    assert(++runs == 1);
    pthread_mutex_unlock(&lock);
#ifdef KEEP
    pthread_mutex_lock(&kept);                                   /* ERROR */
#endif
#ifdef INSIDE
    exit(2);
#endif
}

static void *leave(void *argument)
{
#if defined QUICK
    quick_exit(1);
#elif defined AT_ONCE
    _exit(1);
#elif defined KEEP
    pthread_mutex_lock(&kept);
#endif
    exit(1);                                                     /* ERROR */
    return argument;
}

int main(void)
{
    pthread_t thread;
    atexit(at_end);
    at_quick_exit(at_end);
    pthread_create(&thread, NULL, leave, NULL);
    return 0;
}
