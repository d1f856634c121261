/* Objects in all kinds of places, each locked once. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct account { int balance; pthread_mutex_t lock; };
struct pool { int count; pthread_mutex_t locks[]; };
struct bank { int id; struct account accounts[3]; struct { sem_t open; } hours; };

static struct account rich, poor[4];
static struct bank bank;
static pthread_mutex_t board[2][3], crowd[3000];         /* more than one page of zeros */
static pthread_mutex_t once;
static unsigned long hidden;         /* the address of one, as nobody writes it */
static int early;

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

static void *worker(void *arg)
{
    struct account *given = arg;
    use(&given->lock);
    return NULL;
}

static void make_hidden(void)
{
    hidden = ~(unsigned long)calloc(1, sizeof(pthread_mutex_t));
    pthread_mutex_init((pthread_mutex_t *)~hidden, NULL);
}

static void *first(void *lock)       /* uses what the other one came to before */
{
    pthread_mutex_lock(lock);
    early = 1;
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void)
{
    struct account *heap = calloc(1, sizeof *heap), *many = calloc(3, sizeof *many), stack[2] = { 0 };
    struct pool *pool = calloc(1, sizeof *pool + 3 * sizeof *pool->locks);
    pthread_mutex_t late = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread;
    use(&rich.lock);
    use(&poor[2].lock);
    use(&bank.accounts[1].lock);
    use(&board[1][2]);
    use(&crowd[2900]);
    use(&once);
    inside();
    sem_init(&bank.hours.open, 0, 1);
    sem_wait(&bank.hours.open);
    pthread_mutex_init(&heap->lock, NULL);
    pthread_mutex_destroy(&heap->lock);
    pthread_mutex_init(&heap->lock, NULL);
    use(&heap->lock);
    use(&many[1].lock);
    pthread_create(&thread, NULL, worker, &stack[1]);
    pthread_join(thread, NULL);
    use(&pool->locks[2]);
    make_hidden();
    use((pthread_mutex_t *)~hidden);
    pthread_create(&thread, NULL, first, &late);
    pthread_mutex_lock(&late);
    assert(!early);
    pthread_mutex_unlock(&late);
    return pthread_join(thread, NULL);
}
