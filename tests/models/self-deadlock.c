/* expect: deadlock */
#include <pthread.h>
static pthread_mutex_t lock;
static void inner(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
static void *worker(void *arg) { (void)arg; pthread_mutex_lock(&lock); inner(); pthread_mutex_unlock(&lock); return NULL; }
int main(void)
{
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
