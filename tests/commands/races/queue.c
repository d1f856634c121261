/* The queue of Michael and Scott: two threads put, or one puts and one takes (-DTAKES). -DWRONG: whoever puts looks and then writes, instead of
 * comparing and exchanging. -DRELAXED: what is put is not published. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define ACQUIRE memory_order_relaxed
#define BOTH    memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#define BOTH    memory_order_acq_rel
#endif
struct node { int value; struct node *_Atomic next; };
static struct node nodes[3];                     /* the first is no message */
static struct node *_Atomic head = &nodes[0], *_Atomic tail = &nodes[0];

static int link_it(struct node *last, struct node *n)
{
    struct node *none = NULL;
#ifdef WRONG
    if (atomic_load_explicit(&last->next, ACQUIRE))
        return 0;
    (void)none;
    last->next = n;
    return 1;
#else
    return atomic_compare_exchange_strong_explicit(&last->next, &none, n, BOTH, ACQUIRE);
#endif
}

static void put(struct node *n, int value)
{
    n->value = value;
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, ACQUIRE), *next = atomic_load_explicit(&last->next, ACQUIRE);
        if (next)
            atomic_compare_exchange_strong_explicit(&tail, &last, next, BOTH, ACQUIRE);
        else if (link_it(last, n)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, n, BOTH, ACQUIRE);
            return;
        }
    }
}

static int take(void)                            /* 0: it is empty */
{
    for (;;) {
        struct node *first = atomic_load_explicit(&head, ACQUIRE), *next = atomic_load_explicit(&first->next, ACQUIRE);
        if (!next)
            return 0;
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, BOTH, ACQUIRE))
            return value;
    }
}

static int got;
static void *one(void *unused) { put(&nodes[1], 1); return unused; }
static void *two(void *unused)
{
#ifdef TAKES
    got = take();
#else
    put(&nodes[2], 2);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef TAKES
    assert(got + take() == 1);
#else
    assert(take() + take() == 3 && take() == 0 && !got);
#endif
    return 0;
}
