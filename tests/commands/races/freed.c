/* Memory that one thread gives back and another has: who uses it is in a race with that, unless it is his anew. Where states
 * are kept, the block that the thread gives back is the next that main gets. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static int *block;
static sem_t full, empty;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void *last(void *nothing)
{
    sem_wait(&full);
#ifdef ANEW
    ++*block;
#endif
#ifdef MOVED
    block = realloc(block, MOVED);
#endif
#ifndef STAYS
    free(block);
#endif
    sem_post(&empty);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 0);
    block = malloc(sizeof *block);
    *block = 1;
    int *mine = block;
    pthread_create(&thread, NULL, last, NULL);
    sem_post(&full);
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
#ifdef ANEW
    mine = malloc(sizeof *mine);
#elif defined(AFTER)
    sem_wait(&empty);
    mine = &(int){ 0 };
#endif
    int value = *mine;
    pthread_join(thread, NULL);
#ifdef ANEW
    free(mine);
#endif
    return value < 0;
}
