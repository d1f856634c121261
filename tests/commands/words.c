/* Programs that come to a standstill, by what is wrong with them. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t unit, ready;
static struct { pthread_mutex_t lock; pthread_cond_t changed, arrived; int items, waiting; } box =
    { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };

static void *taker(void *arg)
{
    sem_wait(&unit);
    sem_wait(&unit);
    return arg;
}

static void *teller(void *arg)
{
    sem_post(&ready);
    return arg; }                    /* in one line: compilers differ on where a function ends */

static void *getter(void *arg)
{
    pthread_mutex_lock(&box.lock);
    box.waiting = 1;
    pthread_cond_signal(&box.arrived);
    while (!box.items)
        pthread_cond_wait(&box.changed, &box.lock);
    box.items--;
    pthread_mutex_unlock(&box.lock);
    return arg;
}

static void *leaver(void *arg)
{
    pthread_mutex_lock(&box.lock);
    return arg; }

static void never_given_back(pthread_t *t)
{
    sem_init(&unit, 0, 1);
    pthread_create(t, NULL, taker, NULL);
}

static void told_once(pthread_t *t)
{
    sem_init(&ready, 0, 0);
    pthread_create(t, NULL, teller, NULL);
    sem_wait(&ready);
    sem_wait(&ready);
}

static void woken_too_late(pthread_t *t)
{
    pthread_create(t, NULL, getter, NULL);
    pthread_cond_signal(&box.changed);
}

static void woken_for_nothing(pthread_t *t)
{
    pthread_create(t, NULL, getter, NULL);
    pthread_mutex_lock(&box.lock);
    while (!box.waiting)
        pthread_cond_wait(&box.arrived, &box.lock);
    pthread_cond_signal(&box.changed);
    pthread_mutex_unlock(&box.lock);
}

static void gone_with_it(pthread_t *t)
{
    pthread_create(t, NULL, leaver, NULL);
    pthread_join(*t, NULL);
    pthread_mutex_lock(&box.lock);
}

/* Who is cancelled while it waits leaves, and has no time limit that could be over; one that has a limit is called so. */
static void *patient(void *until)
{
    pthread_mutex_lock(&box.lock);
    if (until)
        pthread_cond_timedwait(&box.changed, &box.lock, until);
    else
        pthread_cond_wait(&box.changed, &box.lock);
    pthread_mutex_unlock(&box.lock);
    return until;
}

static void cancelled(pthread_t *t)
{
    static struct timespec until = { 1000000 };
    pthread_create(t, NULL, patient, &until);
    pthread_join(*t, NULL);
    pthread_create(t, NULL, patient, NULL);
    pthread_cancel(*t);
    pthread_join(*t, NULL);
    pthread_mutex_lock(&box.lock);
}

static void rung(pthread_t *t)
{
    pthread_create(t, NULL, getter, NULL);
    alarm(1);
}

int main(int argc, char **argv)
{
    static void (*const all[])(pthread_t *) = { never_given_back, told_once, woken_too_late, woken_for_nothing, gone_with_it,
                                                cancelled, rung };
    pthread_t thread;
    all[argc > 1 ? argv[1][0] - '0' : 0](&thread);
    return pthread_join(thread, NULL);
}
