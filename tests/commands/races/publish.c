/* A new version of something is made and then published, as in RCU; who reads takes what is there. -DRELAXED: without an order; -DEARLY: the old
 * version is given away while somebody may read it. -DCOUNTED: only when nobody does. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif
struct version { int a, b; };
static struct version versions[2] = { { 1, 1 } };
static struct version *_Atomic current = &versions[0];
static atomic_int readers;

static void *update(void *unused)
{
    struct version *old = current;
    versions[1] = (struct version){ 2, 2 };
    atomic_store_explicit(&current, &versions[1], RELEASE);
#ifdef COUNTED
    while (readers)
        ;
    old->a = 0;
#elif defined EARLY
    old->a = 0;
#endif
    (void)old;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, update, NULL);
    readers++;
    struct version *seen = current;
    int a = seen->a, b = seen->b;
    readers--;
    assert(a == b);
    pthread_join(t, NULL);
    return 0;
}
