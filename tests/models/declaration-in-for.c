/* expect: none */
#include <pthread.h>
#include <assert.h>
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *arg)
{
    (void)arg;
    for (int i = 0, n = 2; i < n; i++) {
        pthread_mutex_lock(&lock);
        sum += i + 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sum == 6);
    return 0;
}
