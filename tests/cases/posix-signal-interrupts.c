/* expect: complete.
 * expect -DRESTART: complete.
 * expect -DWRONG: assertion.
 *
 * A handler that returns ends the waiting of some operations with EINTR, unless SA_RESTART says otherwise; locks go on waiting. A
 * signal that comes before the call ends nothing. WRONG: the program does not know of EINTR.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static int ends[2];
static volatile sig_atomic_t handled;
static void handler(int signal) { handled += signal > 0; }

static void *waits(void *argument)
{
    char byte;
    ssize_t got = read(ends[0], &byte, 1);
#if defined WRONG || defined RESTART
    assert(got == 1);                                            /* ERROR */
#else
    assert(got == 1 || (got == -1 && errno == EINTR && handled));
#endif
    assert(pthread_mutex_lock(&lock) == 0 && pthread_mutex_unlock(&lock) == 0);
#ifdef RESTART
    assert(sem_wait(&ready) == 0);
#else
    while (sem_wait(&ready))
        assert(errno == EINTR && handled);
#endif
    return argument;
}

int main(void)
{
    pthread_t other;
    struct sigaction action = {.sa_handler = handler};
#ifdef RESTART
    action.sa_flags = SA_RESTART;
#endif
    assert(pipe(ends) == 0 && sem_init(&ready, 0, 0) == 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&other, NULL, waits, NULL);
    pthread_mutex_lock(&lock);
    pthread_kill(other, SIGUSR1);
    pthread_mutex_unlock(&lock);
    assert(write(ends[1], "x", 1) == 1);
    sem_post(&ready);
    pthread_join(other, NULL);                                   /* ERROR */
    assert(handled == 1 && pthread_kill(pthread_self(), 0) == 0);
    return 0;
}
