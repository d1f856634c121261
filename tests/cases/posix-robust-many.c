/* expect: complete.  searches: optimal.
 *
 * A process ends that holds two thousand robust mutexes: one step changes more than most searches do in all.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

enum { MANY = 2000 };

static pthread_mutex_t mutexes[MANY];

static void *nothing(void *argument) { return argument; }

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t robust;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    for (int i = 0; i < MANY; i++)
        pthread_mutex_init(&mutexes[i], &robust);
    for (int i = 0; i < MANY; i++)
        pthread_mutex_lock(&mutexes[i]);
    return 0;
}
