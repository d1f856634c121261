/* expect: assertion */
#include <pthread.h>
#include <assert.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1, sold;
static int is_free(void) { pthread_mutex_lock(&lock); int f = seats > 0; pthread_mutex_unlock(&lock); return f; }
static void take(void) { pthread_mutex_lock(&lock); seats--; sold++; pthread_mutex_unlock(&lock); }
static void *buyer(void *arg) { (void)arg; if (is_free()) take(); return NULL; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, buyer, NULL);
    buyer(NULL);
    pthread_join(t, NULL);
    assert(sold == 1);
    return 0;
}
