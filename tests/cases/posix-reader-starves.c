/* expect: complete.  optimal: 48 executions.  searches: optimal, source.
 * expect -DWRONG: assertion.  searches: optimal, source.
 *
 * A reader waits with a bound on its patience: a lock that hands out tickets serves it when its turn has come. WRONG: writers
 * go first as long as there are any, also those who came after the reader.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int busy, next_ticket, serving, writers_waiting, reader_came, overtaken;

static void enter(int is_writer)
{
    pthread_mutex_lock(&lock);
    int after_reader = reader_came;
    int ticket = next_ticket++;
    writers_waiting += is_writer;
    reader_came |= !is_writer;
#ifdef WRONG
    (void)ticket;
    while (busy || (!is_writer && writers_waiting))
        pthread_cond_wait(&changed, &lock);
#else
    while (busy || ticket != serving)
        pthread_cond_wait(&changed, &lock);
#endif
    serving++;
    writers_waiting -= is_writer;
    if (is_writer)
        overtaken += after_reader && reader_came;
    else
        reader_came = 0;
    busy = 1;
    pthread_mutex_unlock(&lock);
}

static void leave(void)
{
    pthread_mutex_lock(&lock);
    busy = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *writer(void *argument)
{
    enter(1);
    leave();
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, writer, NULL);
    enter(0);
    leave();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(overtaken == 0);                                      /* ERROR */
    return 0;
}
