/* expect: complete.
 * expect -DWRONG: deadlock in process 0.  message: "it waits for a child to exit, and process 3 still lives".
 *
 * The first thread of a child has ended; the child lives on, and with it, in WRONG, a thread that nobody wakes.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t go;

static void *thread(void *unused)
{
    sem_wait(&go);                                               /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t t;
    if (fork() == 0) {
        sem_init(&go, 0, 0);
        pthread_create(&t, NULL, thread, NULL);
#ifndef WRONG
        sem_post(&go);
#endif
        pthread_exit(NULL);
    }
    wait(NULL);                                                  /* ERROR */
    return 0;
}
