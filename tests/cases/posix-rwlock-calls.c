/* expect: complete.
 *
 * What the calls of a read-write lock give, one by one: readers share, writers do not.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;
static struct timespec until;

static void *while_read(void *argument)
{
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&lock, &until) == ETIMEDOUT);
    return argument;
}

static void *while_written(void *argument)
{
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&lock, &until) == ETIMEDOUT);
    return argument;
}

static void run(void *(*function)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
}

int main(void)
{
    clock_gettime(CLOCK_REALTIME, &until);
    assert(pthread_rwlock_init(&lock, NULL) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    run(while_read);
    pthread_rwlock_unlock(&lock);
    run(while_read);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    run(while_written);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_timedwrlock(&lock, &until) == 0);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
