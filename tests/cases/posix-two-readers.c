/* expect: deadlock.  errors: assertion 1.  searches: none, sleep, source, optimal.
 *
 * Two readers that never unlock shut a writer out, each of them: it writes only when both are late. To move one of them behind it
 * is not enough. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int written;

static void *reader(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    return argument;
}

static void *writer(void *argument)
{
    pthread_rwlock_wrlock(&lock);                                /* ERROR */
    written = 1;
    pthread_rwlock_unlock(&lock);
    return argument;
}

static void *looker(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    assert(!written);                                            /* ERROR */
    return argument;
}

int main(void)
{
    void *(*const all[])(void *) = { reader, writer, looker };
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, all[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);                          /* ERROR */
    return 0;
}
