/* A counter under a mutex:
 *     counter THREADS TIMES
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counter;

static void *count(void *times)
{
    for (long i = 0; i < (long)times; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    if (argc != 3)
        return 2;
    long n = atol(argv[1]), times = atol(argv[2]);
    if (n < 1 || n > MOST)
        return 2;
    for (long i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, count, (void *)times);
    for (long i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    assert(counter == n * times);
    return 0;
}
