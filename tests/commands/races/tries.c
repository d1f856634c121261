/* Loops that try what somebody holds: a mutex (1), also one that only counts (2) and one that lets others go first (3), a semaphore (4), a
 * reader-writer lock (5), a spin lock (6), a mutex of C11 (7). -DKEEPS: nobody gives it back. Ten tries at most (8): they may all be in vain.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t other;
static sem_t units;
static int data;

static int get(void)
{
    switch (WHICH) {
    case 4:  return sem_trywait(&units);
    case 5:  return pthread_rwlock_trywrlock(&lock);
    case 6:  return pthread_spin_trylock(&spin);
    case 7:  return mtx_trylock(&other) != thrd_success;
    default: return pthread_mutex_trylock(&mutex);
    }
}

static void give(void)
{
    switch (WHICH) {
    case 4:  sem_post(&units); break;
    case 5:  pthread_rwlock_unlock(&lock); break;
    case 6:  pthread_spin_unlock(&spin); break;
    case 7:  mtx_unlock(&other); break;
    default: pthread_mutex_unlock(&mutex); break;
    }
}

static void *work(void *unused)
{
    int rounds = 0, got = 1;
    if (WHICH == 2)
        while (get())
            rounds++;
    else if (WHICH == 3)
        while (get())
            sched_yield();
    else if (WHICH == 8)
        while ((got = !get()) == 0 && rounds < 10)
            rounds++;
    else
        while (get())
            ;
    assert(got);
    data++;
#ifndef KEEPS
    give();
#endif
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&spin, 0);
    mtx_init(&other, mtx_plain);
    sem_init(&units, 0, 1);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(data == 2);
    return 0;
}
