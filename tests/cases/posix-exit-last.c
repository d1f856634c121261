/* expect: deadlock.  errors: deadlock 1.  optimal: 6 executions.
 *
 * The first thread has left by pthread_exit, so the last of the others ends the program and does what is to be done at exit. It
 * locks a mutex that a thread took and kept: only if that thread is the last itself, it can. Nothing but their ends says who is last.
 * Six executions: the orders in which three threads end.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void at_exit(void)
{
    pthread_mutex_lock(&lock);                                   /* ERROR */
}

static void *idle(void *argument)
{
    return argument;
}

static void *keep(void *argument)
{
    pthread_mutex_lock(&lock);
    return argument;
}

int main(void)
{
    pthread_t a, b;
    atexit(at_exit);
    pthread_create(&a, NULL, idle, NULL);
    pthread_create(&b, NULL, keep, NULL);
    pthread_exit(NULL);
}
