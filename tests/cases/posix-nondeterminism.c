/* expect: nondeterminism.  searches: none, sleep, source.
 *
 * A counter in a file: each time that a thread comes by, it does something else. These reductions run the program at every step, so
 * they come by again, and must say so. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned next(void)
{
    unsigned count = 0;
    FILE *file = fopen("counter", "r");
    if (file) {
        if (fscanf(file, "%u", &count) != 1)
            count = 0;
        fclose(file);
    }
    file = fopen("counter", "w");
    fprintf(file, "%u\n", count + 1);
    fclose(file);
    return count;
}

static void *count(void *argument)
{
    sem_t semaphore;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    sem_init(&semaphore, 0, next());                             /* ERROR */
    pthread_mutex_lock(&mutex);                                  /* ERROR */
    pthread_mutex_unlock(&mutex);                                /* ERROR */
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, count, NULL);          /* ERROR */
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);                          /* ERROR */
    return 0;
}
