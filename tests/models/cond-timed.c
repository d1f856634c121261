/* expect: assertion */
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <assert.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int ready;
static void *sets(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&go);
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t t;
    struct timespec until;
    int r = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    pthread_create(&t, NULL, sets, NULL);
    pthread_mutex_lock(&lock);
    while (!ready && r != ETIMEDOUT)
        r = pthread_cond_timedwait(&go, &lock, &until);
    assert(ready);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
