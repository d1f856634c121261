/* expect: assertion */
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n = 3, *p = &n;
static void *worker(void *arg) { (void)arg; pthread_mutex_lock(&lock); p = NULL; pthread_mutex_unlock(&lock); return NULL; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    int seen = *p;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return seen - 3;
}
