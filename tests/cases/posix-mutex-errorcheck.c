/* expect: complete.
 *
 * An error-checking mutex says what is wrong: locked again EDEADLK, unlocked by somebody else or when free EPERM, tried EBUSY.
 * So does a recursive one for somebody else, and destroying one that is free is right.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *stranger(void *argument)
{
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    assert(pthread_mutex_trylock(&recursive) == EBUSY);
    return argument;
}

int main(void)
{
    pthread_t other;
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_trylock(&recursive) == 0);
    pthread_create(&other, NULL, stranger, NULL);
    pthread_join(other, NULL);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
