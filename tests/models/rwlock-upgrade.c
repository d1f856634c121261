/* expect: deadlock */
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *upgrade(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, upgrade, NULL);
    pthread_join(t, NULL);
    return 0;
}
