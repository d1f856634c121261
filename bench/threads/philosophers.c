/* N philosophers, each eats some times:
 *     philosophers cyclic|ordered N MEALS
 * cyclic: each takes the left fork first, and all may wait for the right one. ordered: the last takes them the other way round.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static pthread_mutex_t forks[MOST];
static pthread_t philosophers[MOST];
static long n, meals;
static int ordered;

static void *live(void *arg)
{
    long left = (long)arg, right = (left + 1) % n;
    pthread_mutex_t *first = &forks[left], *second = &forks[right];
    if (ordered && right == 0)
        first = &forks[right], second = &forks[left];
    for (long i = 0; i < meals; i++) {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    ordered = !strcmp(argv[1], "ordered");
    n = atol(argv[2]);
    meals = atol(argv[3]);
    if (n < 2 || n > MOST)
        return 2;
    for (long i = 0; i < n; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < n; i++)
        pthread_create(&philosophers[i], NULL, live, (void *)i);
    for (long i = 0; i < n; i++)
        pthread_join(philosophers[i], NULL);
    return 0;
}
