/* expect: assertion */
#include <pthread.h>
#include <assert.h>
struct pair { int a, b; };
static struct pair shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg)
{
    struct pair mine = *(struct pair *)arg, seen;
    pthread_mutex_lock(&lock);
    shared = mine;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    seen = shared;
    pthread_mutex_unlock(&lock);
    assert(seen.a == mine.a && seen.b == mine.b);
    return NULL;
}
int main(void)
{
    struct pair one = { 1, 10 }, two = { 2, 20 };
    pthread_t t, u;
    pthread_create(&t, NULL, worker, &one);
    pthread_create(&u, NULL, worker, &two);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
