/* Two threads count. -DLOCK: under a lock; -DATOMIC: in an atomic variable; -DVOLATILE: in one that is only volatile.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#if defined ATOMIC
static atomic_int counter;
#elif defined VOLATILE
static volatile int counter;
#else
static int counter;
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused)
{
#ifdef LOCK
    pthread_mutex_lock(&lock);
#endif
    counter++;
#ifdef LOCK
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;
    (void)lock;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
