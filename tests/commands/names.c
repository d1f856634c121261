/* Objects in all kinds of places, each locked once. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct account { int balance; pthread_mutex_t lock; };
struct bank { int id; struct account accounts[3]; struct { sem_t open; } hours; };

static struct account rich, poor[4];
static struct bank bank;
static pthread_mutex_t board[2][3];
static pthread_mutex_t once;

static void use(pthread_mutex_t *m)
{
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
}

static void inside(void)
{
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER, once = PTHREAD_MUTEX_INITIALIZER;
    use(&own);
    use(&once);
}

int main(void)
{
    struct account *heap = calloc(1, sizeof *heap);
    use(&rich.lock);
    use(&poor[2].lock);
    use(&bank.accounts[1].lock);
    use(&board[1][2]);
    use(&once);
    inside();
    sem_init(&bank.hours.open, 0, 1);
    sem_wait(&bank.hours.open);
    pthread_mutex_init(&heap->lock, NULL);
    pthread_mutex_destroy(&heap->lock);
    pthread_mutex_init(&heap->lock, NULL);
    use(&heap->lock);
    assert(!"all done");
}
