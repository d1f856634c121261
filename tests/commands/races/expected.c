/* A stack of which each node holds what its push expects: a compare and exchange that fails writes that there, and no compiler tells. The loop
 * does not spin. -DWRONG: a store instead. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node { struct node *next; };
static _Atomic(struct node *) head;
static struct node nodes[2];

static void push(struct node *n)
{
    n->next = atomic_load_explicit(&head, memory_order_relaxed);
#ifdef WRONG
    atomic_store(&head, n);
#else
    while (!atomic_compare_exchange_weak_explicit(&head, &n->next, n, memory_order_release, memory_order_relaxed))
        ;
#endif
}

static void *work(void *unused)
{
    push(&nodes[1]);
    return unused;
}

int main(void)
{
    pthread_t t;
    int count = 0;
    pthread_create(&t, NULL, work, NULL);
    push(&nodes[0]);
    pthread_join(t, NULL);
    for (struct node *n = head; n; n = n->next)
        count++;
    assert(count == 2);
    return 0;
}
