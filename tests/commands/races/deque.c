/* The deque of Chase and Lev: its owner puts and takes at one end, a thief steals at the other; here of the last element. -DWRONG: the owner does not
 * compete for it. -DRELAXED: what was put is not published. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int slots[4];
static atomic_long top, bottom;
static atomic_int taken;                         /* how often the one element was */

static void put(int value)
{
    long b = atomic_load_explicit(&bottom, memory_order_relaxed);
    slots[b % 4] = value;
#ifdef RELAXED
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
#else
    atomic_store_explicit(&bottom, b + 1, memory_order_release);
#endif
}

static int take(void)
{
    long b = bottom - 1, t;
    int value = 0;
    bottom = b;
    t = top;
    if (t <= b)
        value = slots[b % 4];
#ifndef WRONG
    if (t == b) {
        if (!atomic_compare_exchange_strong(&top, &t, t + 1))
            value = 0;
        bottom = b + 1;
    }
#endif
    if (t > b)
        bottom = b + 1;
    return value;
}

static int steal(void)
{
    long t = top, b = bottom;
    if (t >= b)
        return 0;
    int value = slots[t % 4];
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? value : 0;
}

static void *thief(void *unused)
{
    taken += steal();
    return unused;
}

int main(void)
{
    pthread_t t;
#ifdef RELAXED
    pthread_create(&t, NULL, thief, NULL);
    put(1);
#else
    put(1);
    pthread_create(&t, NULL, thief, NULL);
#endif
    taken += take();
    pthread_join(t, NULL);
    assert(taken == 1);
    return 0;
}
