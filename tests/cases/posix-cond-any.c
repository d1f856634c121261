/* expect: complete.  optimal: 18 executions.  searches: optimal, source.
 * expect -DWRONG: assertion in process 1.  searches: optimal, source.
 *
 * A signal wakes any one of those that wait. WRONG: somebody believes that it is the one who has waited longest.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int waiting, tokens, first_in, first_out;

static void *thread(void *argument)
{
    int me = *(int *)argument;
    pthread_mutex_lock(&lock);
    if (waiting++ == 0)
        first_in = me;
    while (tokens == 0)
        pthread_cond_wait(&go, &lock);
    tokens--;
    if (first_out == 0)
        first_out = me;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int both_wait(void)
{
    pthread_mutex_lock(&lock);
    int both = waiting == 2;
    if (both) {
        tokens = 1;
        pthread_cond_signal(&go);
    } else {
        tokens = 2;
        pthread_cond_broadcast(&go);
    }
    pthread_mutex_unlock(&lock);
    return both;
}

int main(void)
{
    pthread_t threads[2];
    int who[2] = { 1, 2 };
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, &who[i]);
    if (both_wait()) {
        pthread_mutex_lock(&lock);
        tokens++;
        pthread_cond_signal(&go);
        pthread_mutex_unlock(&lock);
#ifdef WRONG
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        assert(first_in == first_out);                           /* ERROR */
        return 0;
#endif
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(tokens == 0);
    return 0;
}
