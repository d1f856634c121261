/* expect: complete.  optimal: 62 executions.  searches: optimal, source.
 * expect -DWRONG: assertion.  searches: optimal, source.
 *
 * Readers and writers by hand. Right: who comes while a writer waits stands behind it, so at most those readers that were
 * there already go before it. WRONG: readers go in whenever a reader is in; one who came later overtakes the writer, and
 * nothing would end that if they came again and again.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing, writers_waiting, overtaken;

static int may_read(void)
{
#ifdef WRONG
    return !writing;
#else
    return !writing && !writers_waiting;
#endif
}

static void *reader(void *argument)
{
    pthread_mutex_lock(&lock);
    while (!may_read())
        pthread_cond_wait(&changed, &lock);
    overtaken += writers_waiting;
    readers++;
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
    if (--readers == 0)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void writer(void)
{
    pthread_mutex_lock(&lock);
    writers_waiting++;
    while (writing || readers > 0)
        pthread_cond_wait(&changed, &lock);
    writers_waiting--;
    writing = 1;
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
    writing = 0;
    assert(overtaken == 0);                                      /* ERROR */
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    writer();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
