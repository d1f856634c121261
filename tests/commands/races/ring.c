/* A queue for one who puts and one who takes. -DRELAXED: its ends order nothing. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define ACQUIRE memory_order_relaxed
#define RELEASE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#endif
enum { ROOM = 1, MESSAGES = 2 };
static int slots[ROOM];
static atomic_int put, taken;

static void *producer(void *unused)
{
    for (int i = 0; i < MESSAGES; i++) {
        while (i - atomic_load_explicit(&taken, ACQUIRE) == ROOM)
            ;
        slots[i % ROOM] = i + 1;
        atomic_store_explicit(&put, i + 1, RELEASE);
    }
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 0; i < MESSAGES; i++) {
        while (atomic_load_explicit(&put, ACQUIRE) == i)
            ;
        assert(slots[i % ROOM] == i + 1);
        atomic_store_explicit(&taken, i + 1, RELEASE);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
