/* expect: complete.  searches: none, optimal.
 *
 * A fork gives the child all that its parent does about signals, in one step: more words than any other changes, wherever the log of
 * changes stands. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number) { (void)number; }

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    sigfillset(&action.sa_mask);
    for (int number = 1; number < 64; number++)
        if (number != SIGKILL && number != SIGSTOP && number != 32 && number != 33)
            sigaction(number, &action, NULL);
    for (int i = 0; i < 360; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    if (fork() == 0)
        _exit(0);
    wait(NULL);
    return 0;
}
