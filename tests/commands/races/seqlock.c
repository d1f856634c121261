/* A sequence lock: who reads looks whether somebody wrote meanwhile, and tries again. -DPLAIN: what it protects is not atomic; -DWRONG: it does
 * not look again. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef PLAIN
static int a, b;
#define GET(x)    (x)
#define PUT(x, v) ((x) = (v))
#else
static atomic_int a, b;
#define GET(x)    atomic_load_explicit(&(x), memory_order_acquire)
#define PUT(x, v) atomic_store_explicit(&(x), v, memory_order_release)
#endif
static atomic_uint sequence;

static void *writer(void *unused)
{
    sequence++;
    PUT(a, 1);
    PUT(b, 1);
    sequence++;
    return unused;
}

int main(void)
{
    pthread_t t;
    int x, y;
    unsigned before;
    pthread_create(&t, NULL, writer, NULL);
#ifdef WRONG
    before = sequence;
    x = GET(a);
    y = GET(b);
    (void)before;
#else
    do {
        before = sequence;
        x = GET(a);
        y = GET(b);
    } while (before & 1 || before != sequence);
#endif
    assert(x == y);
    pthread_join(t, NULL);
    return 0;
}
