/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * A return from main ends the program, whatever its threads do; handlers of atexit run before. WRONG: the work of a thread is
 * taken for done by then.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void at_exit(void)
{
    pthread_mutex_lock(&lock);
#ifdef WRONG
    assert(done);                                                /* ERROR */
#endif
    pthread_mutex_unlock(&lock);
}

static void *worker(void *argument)
{
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t thread;
    atexit(at_exit);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
    return 0;
}
