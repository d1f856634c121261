/* expect: deadlock */
#include <pthread.h>
static pthread_barrier_t line;
static void *runner(void *arg) { (void)arg; pthread_barrier_wait(&line); return NULL; }
int main(void)
{
    pthread_t t;
    pthread_barrier_init(&line, NULL, 3);
    pthread_create(&t, NULL, runner, NULL);
    pthread_barrier_wait(&line);
    pthread_join(t, NULL);
    return 0;
}
