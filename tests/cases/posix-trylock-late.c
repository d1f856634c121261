/* expect: assertion.  searches: none, sleep, source, optimal.
 *
 * The third thread takes the mutex before the first, whose own first step comes along with those of the others.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *sure(void *argument)
{
    (void)argument;
    assert(pthread_mutex_trylock(&mutex) == 0);                  /* ERROR */
    pthread_exit(NULL);                                          /* ERROR */
}

static void *nothing(void *argument)
{
    (void)argument;
    pthread_exit(NULL);                                          /* ERROR */
}

static void *rival(void *argument)
{
    pthread_mutex_trylock(&mutex);
    return argument;                                             /* ERROR */
}

int main(void)
{
    void *(*const all[])(void *) = { sure, nothing, rival };
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, all[i], NULL);
    pthread_join(threads[1], NULL);                              /* ERROR */
    pthread_join(threads[0], NULL);                              /* ERROR */
    pthread_join(threads[2], NULL);                              /* ERROR */
    return 0;
}
