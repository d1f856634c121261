/* One thread frees what another has just told it of. It may still be in pthread_cond_signal then (1), or in pthread_mutex_unlock, which is all it does
 * with the lock (2: right, it has given it away when it can be taken). A semaphore (3) and a barrier (4) may go when one has come through; but not
 * a semaphore at which one had no more time to wait (5), and a lock is not to be written over (6).
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct job {
    pthread_mutex_t   lock;
    pthread_cond_t    ready;
    pthread_barrier_t both;
    sem_t             posted;
    int               done;
} *job;

static void *work(void *unused)
{
    if (WHICH == 3 || WHICH == 5)
        sem_post(&job->posted);
    else if (WHICH == 4)
        pthread_barrier_wait(&job->both);
    else {
        pthread_mutex_lock(&job->lock);
        job->done = 1;
        if (WHICH == 2)
            pthread_cond_signal(&job->ready);
        pthread_mutex_unlock(&job->lock);
        if (WHICH == 1)
            pthread_cond_signal(&job->ready);
    }
    return unused;
}

static void wait_for_it(void)
{
    struct timespec soon = { time(NULL) + 1, 0 };
    if (WHICH == 3)
        sem_wait(&job->posted);
    else if (WHICH == 4)
        pthread_barrier_wait(&job->both);
    else if (WHICH == 5)
        sem_timedwait(&job->posted, &soon);
    else if (WHICH != 6) {
        pthread_mutex_lock(&job->lock);
        while (!job->done)
            pthread_cond_wait(&job->ready, &job->lock);
        pthread_mutex_unlock(&job->lock);
    }
}

int main(void)
{
    pthread_t worker;
    struct job *mine = job = calloc(1, sizeof *job);
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->ready, NULL);
    pthread_barrier_init(&job->both, NULL, 2);
    sem_init(&job->posted, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    wait_for_it();
    if (WHICH == 6)
        memset(&mine->lock, 0, sizeof mine->lock);
    else
        free(mine);
    pthread_join(worker, NULL);
    return 0;
}
