/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * pthread_once: the function runs once, and nobody goes on before it is over. WRONG: the flag of one's own is set in one
 * critical section and the work done in another, so that somebody finds the flag and nothing behind it.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls, table;

static void prepare(void)
{
    pthread_mutex_lock(&lock);
    calls++;
    table = 5;
    pthread_mutex_unlock(&lock);
}

#ifdef WRONG
static int started;

static void need_table(void)
{
    pthread_mutex_lock(&lock);
    int first = !started;
    started = 1;
    pthread_mutex_unlock(&lock);
    if (first)
        prepare();
}
#else
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void need_table(void)
{
    pthread_once(&once, prepare);
}
#endif

static int look(void)
{
    pthread_mutex_lock(&lock);
    int value = table;
    pthread_mutex_unlock(&lock);
    return value;
}

static void *thread(void *argument)
{
    need_table();
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    need_table();
    assert(look() == 5);                                         /* ERROR */
    pthread_join(other, NULL);
    assert(calls == 1);
    return 0;
}
