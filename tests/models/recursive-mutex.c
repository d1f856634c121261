/* expect: none */
#include <errno.h>
#include <pthread.h>
#include <assert.h>
static pthread_mutex_t lock, strict;
static void inner(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    inner();
    pthread_mutex_unlock(&lock);
    assert(pthread_mutex_lock(&strict) == 0 && pthread_mutex_lock(&strict) == EDEADLK);
    assert(pthread_mutex_unlock(&strict) == 0 && pthread_mutex_unlock(&strict) == EPERM);
    return NULL;
}
int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&strict, &attributes);
    pthread_create(&t, NULL, worker, NULL);
    inner();
    pthread_join(t, NULL);
    return 0;
}
