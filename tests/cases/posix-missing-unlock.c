/* expect: complete.  optimal: 6 executions.
 * expect -DWRONG: deadlock.  optimal: 6 executions.
 *
 * A function that returns early, on an error, with its lock held: the next one waits for ever.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static int take(const char *who)
{
    pthread_mutex_lock(&lock);                                   /* ERROR */
    if (stock == 0) {
#ifndef WRONG
        pthread_mutex_unlock(&lock);
#endif
        return -ENOENT;
    }
    stock--;
    printf("%s took one\n", who);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *customer(void *name)
{
    take(name);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, customer, "first");
    pthread_create(&threads[1], NULL, customer, "second");
    take("main");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);                          /* ERROR */
    return 0;
}
