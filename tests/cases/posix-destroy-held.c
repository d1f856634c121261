/* expect: structure.  errors: structure 2.
 * expect -DRIGHT: complete.
 * expect -DCONDITION: structure in process 1.
 *
 * Destroying what is in use: a mutex that is locked, or will be, and a condition that somebody waits for.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int go;

static void *thread(void *argument)
{
    pthread_mutex_lock(&lock);                                   /* ERROR */
#ifdef CONDITION
    while (!go)
        pthread_cond_wait(&condition, &lock);
#endif
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
#if defined CONDITION
    pthread_mutex_lock(&lock);
    go = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&condition);                            /* ERROR */
    pthread_join(other, NULL);
#elif defined RIGHT
    pthread_join(other, NULL);
    pthread_mutex_destroy(&lock);
    pthread_cond_destroy(&condition);
    (void)go;
#else
    pthread_mutex_destroy(&lock);                                /* ERROR */
    pthread_join(other, NULL);
    (void)go;
    (void)condition;
#endif
    return 0;
}
