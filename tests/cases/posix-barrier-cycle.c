/* expect: complete.
 *
 * A barrier is as new when all have left it: three rounds of two threads, in which both write what the other reads next.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 3 };

static pthread_barrier_t barrier;
static int value[2];

static void *thread(void *argument)
{
    int me = *(int *)argument;
    for (int i = 1; i <= ROUNDS; i++) {
        value[me] = i;
        pthread_barrier_wait(&barrier);
        assert(value[!me] == i);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;
    int who[2] = { 0, 1 };
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&other, NULL, thread, &who[1]);
    thread(&who[0]);
    pthread_join(other, NULL);
    return 0;
}
