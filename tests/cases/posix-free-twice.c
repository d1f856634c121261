/* expect: complete.
 * expect -DWRONG: structure.
 *
 * Two threads that both believe to be the last one free the same memory.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users = 2;
static char *buffer;

static void drop(void)
{
    pthread_mutex_lock(&lock);
    int left = --users;
    pthread_mutex_unlock(&lock);
#ifdef WRONG
    pthread_mutex_lock(&lock);
    left = users;
    pthread_mutex_unlock(&lock);
#endif
    if (left == 0)
        free(buffer);                                            /* ERROR */
}

static void *thread(void *argument)
{
    drop();
    return argument;
}

int main(void)
{
    pthread_t other;
    buffer = malloc(100);
    pthread_create(&other, NULL, thread, NULL);
    drop();
    pthread_join(other, NULL);
    return 0;
}
