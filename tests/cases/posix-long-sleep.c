/* expect: assertion.  searches: optimal, source.
 *
 * A main thread that does much before there is another one, and then two that sleep longer than the depth to which programs are
 * searched that do not end. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { ALONE = 2500, SLEEPS = 1100 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int slept;

static void sleep_long(void)
{
    for (int i = 0; i < SLEEPS; i++)
        usleep(1000);                                            /* ERROR */
}

static void *second(void *argument)
{
    sleep_long();
    pthread_mutex_lock(&mutex);                                  /* ERROR */
    slept = 1;
    pthread_mutex_unlock(&mutex);                                /* ERROR */
    return argument;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < ALONE; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    pthread_create(&thread, NULL, second, NULL);
    sleep_long();
    pthread_mutex_lock(&mutex);
    assert(slept);                                               /* ERROR */
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
