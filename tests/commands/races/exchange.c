/* One writes, and puts into a flag what is there already; the other looks at the flag, and reads: ordered only if that comes later. -DFIRST: made
 * first. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int value;

static void *writes(void *unused)
{
    value = 1;
    atomic_exchange_explicit(&flag, 0, memory_order_release);
    return unused;
}

static void *reads(void *unused)
{
    atomic_load_explicit(&flag, memory_order_acquire);
    int seen = value;
    (void)seen;
    return unused;
}

int main(void)
{
    pthread_t a, b;
#ifdef FIRST
    pthread_create(&a, NULL, reads, NULL);
    pthread_create(&b, NULL, writes, NULL);
#else
    pthread_create(&a, NULL, writes, NULL);
    pthread_create(&b, NULL, reads, NULL);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
