/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * Destructors run while other threads still do, and before the process is gone. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done, looked;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

__attribute__((destructor)) static void look(void)
{
    pthread_mutex_lock(&mutex);
    looked = 1;
#ifdef WRONG
    assert(done);                                                /* ERROR */
#endif
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    return looked;
}
