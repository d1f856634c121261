/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A thread that joins itself is told EDEADLK. WRONG: three threads that join one another in a circle are not told.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_t threads[3];
static sem_t created;

static void *next(void *argument)
{
    int me = *(int *)argument;
    sem_wait(&created);
    assert(pthread_join(threads[me], NULL) == EDEADLK);
#ifdef WRONG
    pthread_join(threads[(me + 1) % 3], NULL);                   /* ERROR */
#endif
    return NULL;
}

int main(void)
{
    int who[3] = { 0, 1, 2 };
    sem_init(&created, 0, 0);
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, next, &who[i]);
    for (int i = 0; i < 3; i++)
        sem_post(&created);
#ifdef WRONG
    pthread_exit(NULL);
#else
    for (int i = 0; i < 3; i++)
        assert(pthread_join(threads[i], NULL) == 0);
#endif
    return 0;
}
