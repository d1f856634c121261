/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * Two writers and a reader. WRONG: a writer looks as a reader and comes back as a writer, and what it saw is not so any more.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, twin;

static void *writer(void *argument)
{
#ifdef WRONG
    pthread_rwlock_rdlock(&lock);
    int seen = value;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
    int seen = value;
#endif
    value = twin = seen + 1;
    pthread_rwlock_unlock(&lock);
    return argument;
}

static void *reader(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    assert(value == twin);
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    writer(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(value == 2);                                          /* ERROR */
    return 0;
}
