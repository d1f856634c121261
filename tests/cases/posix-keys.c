/* expect: complete.
 *
 * Thread-specific data: each thread sees its own, destructors run when a thread ends, again when one sets a new value, and not
 * for a deleted key.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_key_t key, again, gone;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static intptr_t sum, rounds;

static void add(void *value)
{
    pthread_mutex_lock(&lock);
    sum += (intptr_t)value;
    pthread_mutex_unlock(&lock);
}

static void once_more(void *value)
{
    pthread_mutex_lock(&lock);
    rounds++;
    pthread_mutex_unlock(&lock);
    if ((intptr_t)value < 2)
        pthread_setspecific(again, (void *)((intptr_t)value + 1));
}

static void *thread(void *argument)
{
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, argument);
    pthread_setspecific(again, (void *)1);
    pthread_setspecific(gone, (void *)1);
    assert(pthread_getspecific(key) == argument);
    return NULL;
}

int main(void)
{
    pthread_t one;
    assert(pthread_key_create(&key, add) == 0);
    assert(pthread_key_create(&again, once_more) == 0);
    assert(pthread_key_create(&gone, NULL) == 0);
    pthread_setspecific(key, (void *)100);
    pthread_create(&one, NULL, thread, (void *)5);
    pthread_join(one, NULL);
    assert(sum == 5 && rounds == 2);
    assert(pthread_getspecific(key) == (void *)100);
    assert(pthread_key_delete(gone) == 0);
    return 0;
}
