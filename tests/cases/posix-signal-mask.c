/* expect: complete.
 * expect -DWRONG: assertion.
 *
 * Each thread has a mask and pending signals of its own; it inherits the mask, and not what is pending. A signal for the process
 * comes to a thread that does not block it; one that all block waits. WRONG: which of two threads gets it is not fixed.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_t first;
static sem_t handled;
static volatile sig_atomic_t of_first;

static void handler(int signal)
{
    (void)signal;
    of_first = pthread_equal(pthread_self(), first);
    sem_post(&handled);
}

static int is_blocked(void)
{
    sigset_t now;
    assert(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
    return sigismember(&now, SIGUSR1);
}

static int is_pending(void)
{
    sigset_t now;
    assert(sigpending(&now) == 0);
    return sigismember(&now, SIGUSR1);
}

static void *other(void *argument)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(is_blocked() && !is_pending());
    pthread_kill(pthread_self(), SIGUSR1);
    assert(is_pending());
#ifdef WRONG
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);                    /* its own one comes here */
    kill(getpid(), SIGUSR1);
#else
    kill(getpid(), SIGUSR1);                                     /* comes to the first thread */
#endif
    return argument;
}

int main(void)
{
    pthread_t second;
    sigset_t set;
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    first = pthread_self();
    sem_init(&handled, 0, 0);
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    assert(is_pending() && sem_trywait(&handled) == -1);
    pthread_create(&second, NULL, other, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(of_first && !is_pending());                          /* ERROR */
    while (sem_wait(&handled))
        assert(errno == EINTR);
    pthread_join(second, NULL);
    assert(!is_blocked() && of_first);                           /* ERROR */
    return 0;
}
