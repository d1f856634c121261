/* expect: crash in process 2.  message: "SIGABRT".
 * expect -DCHILD: crash in process 1.  message: "SIGABRT" "process 2".
 *
 * abort() in a thread, and in a child process, at whose end its parent does not look.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *gives_up(void *argument)
{
    pthread_mutex_lock(&lock);
    if (argument)
        abort();                                                 /* ERROR */
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
#ifdef CHILD
    if (fork() == 0)
        gives_up(&lock);
    wait(NULL);                                                  /* ERROR */
#endif
    pthread_create(&other, NULL, gives_up, &lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
