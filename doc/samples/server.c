/* Two threads that serve for ever, and lock in two orders. SPDX-License-Identifier: MIT */
#include <pthread.h>
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER, log = PTHREAD_MUTEX_INITIALIZER;

static void serve(pthread_mutex_t *first, pthread_mutex_t *second)
{
    for (;;) {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
}

static void *writer(void *arg)
{
    serve(&log, &table);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    serve(&table, &log);
}
