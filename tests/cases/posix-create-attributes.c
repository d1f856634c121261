/* expect: complete.  optimal: 1 executions.
 *
 * Attributes: a large stack that is really there, and a thread that is born detached.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

enum { STACK = 4 << 20 };

static sem_t done;

static void *deep(void *argument)
{
    volatile char room[STACK / 2];
    memset((char *)room, 7, sizeof room);
    assert(room[0] == 7 && room[sizeof room - 1] == 7);
    return argument;
}

static void *alone(void *argument)
{
    sem_post(&done);
    return argument;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    void *value;
    size_t size;
    int state;

    assert(sem_init(&done, 0, 0) == 0);
    assert(pthread_attr_init(&attributes) == 0);
    assert(pthread_attr_setstacksize(&attributes, STACK) == 0);
    assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size == STACK);
    assert(pthread_create(&thread, &attributes, deep, &done) == 0);
    assert(pthread_join(thread, &value) == 0 && value == &done);

    assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
    assert(pthread_create(&thread, &attributes, alone, NULL) == 0);
    assert(pthread_attr_destroy(&attributes) == 0);
    assert(sem_wait(&done) == 0);
    return 0;
}
