/* expect: none */
#include <pthread.h>
#include <assert.h>
static pthread_barrier_t line;
static int done[2], serial;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *runner(void *arg)
{
    int me = *(int *)arg;
    for (int round = 1; round <= 2; round++) {
        done[me] = round;
        if (pthread_barrier_wait(&line) == PTHREAD_BARRIER_SERIAL_THREAD) {
            pthread_mutex_lock(&lock);
            serial++;
            pthread_mutex_unlock(&lock);
        }
        assert(done[!me] >= round);
        pthread_barrier_wait(&line);
    }
    return NULL;
}
int main(void)
{
    pthread_t t;
    int zero = 0, one = 1;
    pthread_barrier_init(&line, NULL, 2);
    pthread_create(&t, NULL, runner, &one);
    runner(&zero);
    pthread_join(t, NULL);
    assert(serial == 2);
    return 0;
}
