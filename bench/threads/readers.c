/* Readers and writers of two words that must be equal:
 *     readers READERS WRITERS TIMES
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 16 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long a, b;

static void *read_words(void *times)
{
    for (long i = 0; i < (long)times; i++) {
        pthread_rwlock_rdlock(&lock);
        assert(a == b);
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void *write_words(void *times)
{
    for (long i = 0; i < (long)times; i++) {
        pthread_rwlock_wrlock(&lock);
        a++;
        b++;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    if (argc != 4)
        return 2;
    long readers = atol(argv[1]), writers = atol(argv[2]), times = atol(argv[3]);
    if (readers < 0 || writers < 0 || readers + writers > MOST)
        return 2;
    for (long i = 0; i < readers + writers; i++)
        pthread_create(&threads[i], NULL, i < readers ? read_words : write_words, (void *)times);
    for (long i = 0; i < readers + writers; i++)
        pthread_join(threads[i], NULL);
    assert(a == writers * times);
    return 0;
}
