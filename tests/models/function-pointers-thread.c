/* expect: deadlock */
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static void *up(void *arg)   { (void)arg; pthread_mutex_lock(&m[0]); pthread_mutex_lock(&m[1]); pthread_mutex_unlock(&m[1]); pthread_mutex_unlock(&m[0]); return NULL; }
static void *down(void *arg) { (void)arg; pthread_mutex_lock(&m[1]); pthread_mutex_lock(&m[0]); pthread_mutex_unlock(&m[0]); pthread_mutex_unlock(&m[1]); return NULL; }
int main(void)
{
    static void *(*const work[])(void *) = { up, down };
    pthread_t t[2];
    for (size_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work[i], NULL);
    for (size_t i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
