/* expect: complete.
 * expect -DWRONG: deadlock.
 * expect -DEARLY: assertion.
 *
 * A barrier, twice: nobody goes on before all have come, and one of them is told so. WRONG: it counts one more than there are.
 * EARLY: it counts one less, and holds up nobody.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

#if defined WRONG
enum { THREADS = 2, COUNT = 3 };
#elif defined EARLY
enum { THREADS = 2, COUNT = 1 };
#else
enum { THREADS = 2, COUNT = 2 };
#endif

static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived, serial;

static void *thread(void *argument)
{
    pthread_mutex_lock(&lock);
    arrived++;
    pthread_mutex_unlock(&lock);
    int result = pthread_barrier_wait(&barrier);                 /* ERROR */
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_mutex_lock(&lock);
    assert(arrived == THREADS);                                  /* ERROR */
    serial += result != 0;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    assert(pthread_barrier_init(&barrier, NULL, COUNT) == 0);
    for (int i = 1; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    thread(NULL);
    for (int i = 1; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(serial == 1);                                         /* ERROR */
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
