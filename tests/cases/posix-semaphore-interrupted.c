/* expect: complete.
 * expect -DWRONG: assertion.
 *
 * A handler that returns ends sem_timedwait with EINTR, also with SA_RESTART: Linux goes on waiting for sem_wait alone. WRONG: the program
 * relies on the restart.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static sem_t ready, before;
static volatile sig_atomic_t handled;
static void handler(int signal) { handled += signal > 0; }

static void *waits(void *argument)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 3;
    sem_post(&before);
    int r = sem_timedwait(&ready, &until), why = r ? errno : 0;
#ifdef WRONG
    assert(why == 0 || why == ETIMEDOUT);                        /* ERROR */
#else
    assert(why == 0 || why == ETIMEDOUT || (why == EINTR && handled));
#endif
    return argument;
}

int main(void)
{
    pthread_t other;
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    assert(sem_init(&ready, 0, 0) == 0 && sem_init(&before, 0, 0) == 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&other, NULL, waits, NULL);
    while (sem_wait(&before))
        ;
    pthread_kill(other, SIGUSR1);
    sem_post(&ready);
    pthread_join(other, NULL);                                   /* ERROR */
    return 0;
}
