/* expect: livelock in process 1.  options: --livelock-limit 20 --max-depth 60.  searches: source.
 *
 * One that waits for a semaphore while another goes round and round through a lock of its own: blocked for twenty transitions.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t turn;

static void *greedy(void *argument)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    pthread_t other;
    sem_init(&turn, 0, 0);
    pthread_create(&other, NULL, greedy, NULL);
    sem_wait(&turn);                                             /* ERROR */
    return 0;
}
