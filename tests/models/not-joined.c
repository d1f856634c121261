/* expect: none */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) { (void)arg; pthread_mutex_lock(&lock); pthread_mutex_lock(&lock); return NULL; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    return 0;
}
