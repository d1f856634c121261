/* expect: complete.
 * expect -DTWICE: deadlock in process 0.
 * expect -DWRITES: deadlock in process 0.
 * expect -DEMPTY: deadlock in process 0.
 * expect -DNOBODY: deadlock in process 0.
 * expect -DHELD: structure in process 1.  message: "destroyed while it is locked".
 * expect -DGONE: structure in process 1.  message: "used that was destroyed".
 * expect -DFREE: structure in process 1.  message: "unlocked by a thread that does not hold it".
 *
 * A program of one thread can wait for itself, too, or break a rule. What it does right in between makes no group of it.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t news __attribute__((unused)) = PTHREAD_COND_INITIALIZER;
static sem_t jobs;

static void do_right(void)
{
    sem_init(&jobs, 0, 1);
    sem_wait(&jobs);
    pthread_rwlock_rdlock(&gate);
    pthread_rwlock_unlock(&gate);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    do_right();
#if defined TWICE
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);                                   /* ERROR */
#elif defined WRITES
    pthread_rwlock_rdlock(&gate);
    pthread_rwlock_wrlock(&gate);                                /* ERROR */
#elif defined EMPTY
    sem_wait(&jobs);                                             /* ERROR */
#elif defined NOBODY
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&news, &lock);                             /* ERROR */
#elif defined HELD
    pthread_mutex_lock(&lock);
    pthread_mutex_destroy(&lock);                                /* ERROR */
#elif defined GONE
    pthread_mutex_destroy(&lock);
    pthread_mutex_lock(&lock);                                   /* ERROR */
#elif defined FREE
    pthread_mutex_unlock(&lock);                                 /* ERROR */
#endif
    return 0;
}
