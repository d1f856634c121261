/* expect: complete.
 * expect -DWRONG: crash in process 2.  message: "SIGSEGV".
 *
 * The thread uses what its creator makes only after creating it. Right: it waits until that was done.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct connection { int state; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t opened;
static struct connection *connection;

static struct connection *current(void)
{
    pthread_mutex_lock(&lock);
    struct connection *c = connection;
    pthread_mutex_unlock(&lock);
    return c;
}

static void *watch(void *argument)
{
#ifndef WRONG
    sem_wait(&opened);
#endif
    current()->state = 2;                                        /* ERROR */
    return argument;
}

int main(void)
{
    pthread_t watcher;
    sem_init(&opened, 0, 0);
    pthread_create(&watcher, NULL, watch, NULL);
    pthread_mutex_lock(&lock);
    connection = calloc(1, sizeof *connection);
    pthread_mutex_unlock(&lock);
    sem_post(&opened);
    pthread_join(watcher, NULL);
    free(connection);
    return 0;
}
