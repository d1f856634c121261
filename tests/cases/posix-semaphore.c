/* expect: complete.
 *
 * POSIX semaphores: what each call gives.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t items;
static int order;

static void *producer(void *argument)
{
    order = 1;
    assert(sem_post(&items) == 0);
    return argument;
}

int main(void)
{
    pthread_t other;
    int value;
    struct timespec until;
    assert(sem_init(&items, 0, 2) == 0);
    assert(sem_getvalue(&items, &value) == 0 && value == 2);
    assert(sem_wait(&items) == 0 && sem_trywait(&items) == 0);
    assert(sem_trywait(&items) == -1 && errno == EAGAIN);
    clock_gettime(CLOCK_REALTIME, &until);
    assert(sem_timedwait(&items, &until) == -1 && errno == ETIMEDOUT);
    pthread_create(&other, NULL, producer, NULL);
    assert(sem_wait(&items) == 0 && order == 1);
    pthread_join(other, NULL);
    assert(sem_getvalue(&items, &value) == 0 && value == 0);
    assert(sem_post(&items) == 0);
    assert(sem_timedwait(&items, &until) == 0);
    assert(sem_destroy(&items) == 0);
    return 0;
}
