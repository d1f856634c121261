/* A value is handed over by relaxed operations between fences (C11, 7.17.4): one that releases before the store, one that acquires after the load
 * (1). Wrong: no fence of the writer (2), or of the reader (3), one behind the store (4), before the value is written (5), one that
 * does not release (6). An operation that acquires needs no fence (7), nor one that releases (8). SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int value;

static void *writes(void *unused)
{
    if (WHICH == 5)
        atomic_thread_fence(memory_order_release);
    value = 1;
    if (WHICH == 1 || WHICH == 3 || WHICH == 7)
        atomic_thread_fence(memory_order_release);
    if (WHICH == 6)
        atomic_thread_fence(memory_order_acquire);
    atomic_store_explicit(&flag, 1, WHICH == 8 ? memory_order_release : memory_order_relaxed);
    if (WHICH == 4)
        atomic_thread_fence(memory_order_seq_cst);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writes, NULL);
    while (!atomic_load_explicit(&flag, WHICH == 7 ? memory_order_acquire : memory_order_relaxed))
        ;
    if (WHICH != 3 && WHICH != 7)
        atomic_thread_fence(memory_order_acquire);
    assert(value == 1);
    pthread_join(t, NULL);
    return 0;
}
