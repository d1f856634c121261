/* A stack without a lock (Treiber). -DREUSE: what was taken off is pushed again, and a pointer that is the same does not mean that
 * nothing happened; -DCOUNTED: each head has a number of its own, so that it does. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static struct node { int next; atomic_int owners; } nodes[3];     /* next: 1 + which, 0: none */
static _Atomic uint32_t head;                                     /* above bit 8: how often it changed, with COUNTED */

static uint32_t renew(uint32_t old, uint32_t top)
{
#ifdef COUNTED
    return ((old >> 8) + 1) << 8 | top;
#else
    (void)old;
    return top;
#endif
}

static void push(uint32_t node)
{
    uint32_t old = head;
    do
        nodes[node - 1].next = (int)(old & 255);
    while (!atomic_compare_exchange_strong(&head, &old, renew(old, node)));
}

static uint32_t pop(void)
{
    uint32_t old = head;
    while ((old & 255) && !atomic_compare_exchange_strong(&head, &old, renew(old, (uint32_t)nodes[(old & 255) - 1].next)))
        ;
    return old & 255;
}

static void own(uint32_t node)
{
    if (node)
        assert(atomic_fetch_add(&nodes[node - 1].owners, 1) == 0);
}

static void *one(void *unused)
{
    own(pop());
    return unused;
}

static void *other(void *unused)
{
    uint32_t first = pop();
#ifdef REUSE
    own(pop());
    if (first)
        push(first);
#else
    own(first);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;
    push(2);
    push(1);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    own(pop());
    return 0;
}
