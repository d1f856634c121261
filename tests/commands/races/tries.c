/* Loops that try what somebody holds: a mutex (1), also one that only counts (2) and one that lets others go first (3), a semaphore (4), a
 * reader-writer lock (5), a spin lock (6), a mutex of C11 (7). keeps: nobody gives it back. Ten tries at most (8): they may all be in vain.
 * Those that also look whether they are to stop: it is given back (gives), they are told to stop (stops), or neither (stays). With 9 one tries
 * a mutex and a semaphore in turns.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t other;
static sem_t units;
static atomic_int stop;
static int data, which;
static const char *how = "";

static int is(const char *word) { return !strcmp(how, word); }

static int get(void)
{
    switch (which) {
    case 4:  return sem_trywait(&units);
    case 5:  return pthread_rwlock_trywrlock(&lock);
    case 6:  return pthread_spin_trylock(&spin);
    case 7:  return mtx_trylock(&other) != thrd_success;
    case 9:  return pthread_mutex_trylock(&mutex) && sem_trywait(&units);
    default: return pthread_mutex_trylock(&mutex);
    }
}

static void give(void)
{
    switch (which) {
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
    if (which == 2)
        while (get())
            rounds++;
    else if (which == 3)
        while (get())
            sched_yield();
    else if (which == 8)
        while ((got = !get()) == 0 && rounds < 10)
            rounds++;
    else
        while (get())
            ;
    assert(got);
    data++;
    if (!is("keeps"))
        give();
    return unused;
}

static void *listen(void *unused)
{
    int rounds = 0;
    while (get() && rounds < 10)
        if (stop)
            return unused;
        else if (which == 8)
            rounds++;
    assert(!is("stays") && !is("stops"));
    return unused;
}

static int first(void *(*other_one)(void *))             /* it has it when the other one begins */
{
    pthread_t t;
    assert(which == 9 ? !pthread_mutex_trylock(&mutex) && !sem_trywait(&units) : !get());
    pthread_create(&t, NULL, other_one, NULL);
    if (is("gives"))
        give();
    else
        stop = is("stops");
    pthread_join(t, NULL);
    return 0;
}

int main(int count, char **args)
{
    pthread_t t;
    which = atoi(args[1]);
    how = count > 2 ? args[2] : how;
    pthread_spin_init(&spin, 0);
    mtx_init(&other, mtx_plain);
    sem_init(&units, 0, 1);
    if (count > 2 && !is("keeps"))
        return first(which == 9 ? work : listen);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(data == 2);
    return 0;
}
