/* expect: complete.  optimal: 2 executions.
 *
 * Random numbers are the same in every execution, so the search sees the same program again: rand, random, getrandom, rand_r.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock[4] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER };
static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;

static void visit(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
}

static void *thread(void *argument)
{
    unsigned seed = 1, from_kernel;
    assert(getrandom(&from_kernel, sizeof from_kernel, 0) == sizeof from_kernel);
    for (int i = 0; i < 3; i++)
        visit(&lock[2 + (from_kernel >> i & 1)]);
    visit(&lock[2 + rand_r(&seed) % 2]);
    visit(&common);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    srand((unsigned)time(NULL));
    for (int i = 0; i < 3; i++)
        visit(&lock[rand() % 2]);
    visit(&lock[random() % 2]);
    visit(&common);
    pthread_join(other, NULL);
    return 0;
}
