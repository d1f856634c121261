/* Two locks on the stack, taken in two orders. SPDX-License-Identifier: MIT */
#include <pthread.h>

static void *other(void *locks)
{
    pthread_mutex_t **lock = locks;
    pthread_mutex_lock(lock[1]);
    pthread_mutex_lock(lock[0]);
    pthread_mutex_unlock(lock[0]);
    pthread_mutex_unlock(lock[1]);
    return NULL;
}

int main(void)
{
    pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, *lock[] = { &a, &b };
    pthread_t thread;
    pthread_create(&thread, NULL, other, lock);
    pthread_mutex_lock(lock[0]);
    pthread_mutex_lock(lock[1]);
    pthread_mutex_unlock(lock[1]);
    pthread_mutex_unlock(lock[0]);
    return pthread_join(thread, NULL);
}
