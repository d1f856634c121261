/* expect: assertion in process 2.  message: "counter < 2".  searches: optimal, source, sleep, none.
 *
 * assert() of the C library.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *thread(void *argument)
{
    pthread_mutex_lock(&lock);
    counter++;
    assert(counter < 2);                                         /* ERROR */
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return 0;
}
