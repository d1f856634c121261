/* A buffer for one, two who put and two who take, and one condition variable for all: a signal may wake the wrong one. It goes wrong in
 * many orders, which all end at the same places. SPDX-License-Identifier: MIT */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *turn(void *to)
{
    pthread_mutex_lock(&lock);
    while (full == !!to)
        pthread_cond_wait(&changed, &lock);
    full = !!to;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return to;
}

int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, turn, i % 2 ? &full : NULL);
    turn(NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
