/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A semaphore may be posted by whoever likes, and too often. Two threads use one as a lock. WRONG: one path posts and the
 * other waits twice.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int inside;

static void *thread(void *argument)
{
    sem_wait(&lock);                                             /* ERROR */
    assert(inside++ == 0);
    inside--;
#ifdef WRONG
    if (argument)
        sem_wait(&lock);                                         /* ERROR */
#endif
    sem_post(&lock);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    sem_t most;
    assert(sem_init(&most, 0, (unsigned)SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
    assert(sem_init(&most, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&most) == -1 && errno == EOVERFLOW);
    sem_init(&lock, 0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, i ? &lock : NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);                          /* ERROR */
    return 0;
}
