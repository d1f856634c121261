/* expect: assertion.  A lock for reading is unlocked by a thread that does not have it, though another one does. */
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *t(void *p) { pthread_rwlock_unlock(&l); return p; }
int main(void)
{
    pthread_t h;
    pthread_rwlock_rdlock(&l);
    pthread_create(&h, 0, t, 0);
    pthread_join(h, 0);
    return 0;
}
