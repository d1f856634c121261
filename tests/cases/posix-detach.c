/* expect: complete.  optimal: 2 executions.
 * expect -DWRONG: assertion in process 2.  errors: assertion 1.
 *
 * The program ends with its last thread when the first one leaves by pthread_exit: the detached thread always runs to its end.
 * Two executions: the orders of the locks. WRONG: the thread believes that main is still there.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int main_left;

static void *thread(void *argument)
{
    pthread_mutex_lock(&lock);
#ifdef WRONG
    assert(!main_left);                                          /* ERROR */
#endif
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    assert(pthread_detach(other) == 0);
    pthread_mutex_lock(&lock);
    main_left = 1;
    pthread_mutex_unlock(&lock);
    pthread_exit(NULL);
}
