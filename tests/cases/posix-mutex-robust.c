/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 * expect -DNORMAL: deadlock.
 *
 * The owner of a robust mutex dies: the next one gets EOWNERDEAD and the mutex, and makes it consistent. WRONG: it forgets
 * that, and the mutex is lost for ever. NORMAL: the mutex is not robust, and nobody gets it any more.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *dies(void *argument)
{
    pthread_mutex_lock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
#ifndef NORMAL
    assert(pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST) == 0);
#endif
    pthread_mutex_init(&lock, &robust);
    pthread_create(&other, NULL, dies, NULL);
    pthread_join(other, NULL);
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD);             /* ERROR */
#ifndef WRONG
    assert(pthread_mutex_consistent(&lock) == 0);
#endif
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == 0);                      /* ERROR */
    assert(pthread_mutex_unlock(&lock) == 0);
    return 0;
}
