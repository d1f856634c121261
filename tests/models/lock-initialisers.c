/* expect: deadlock */
#define _GNU_SOURCE
#include <pthread.h>
static struct { pthread_mutex_t lock; pthread_cond_t go; int n; } q = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static void *nothing(void *arg) { return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    pthread_mutex_unlock(&again);
    pthread_mutex_unlock(&again);
    pthread_mutex_lock(&q.lock);
    while (!q.n)
        pthread_cond_wait(&q.go, &q.lock);
    return 0;
}
