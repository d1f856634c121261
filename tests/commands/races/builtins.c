/* Older atomic operations: __sync (1), a lock of them (2), 16 bytes at once (3), and as two halves that others see apart (4). SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static int count, lock;
static __int128 wide;
struct halves { long low, high; };
static struct halves both;

static void *work(void *unused)
{
#if WHICH == 1
    __sync_fetch_and_add(&count, 1);
#elif WHICH == 2
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    count++;
    __sync_lock_release(&lock);
#elif WHICH == 3
    __int128 old = 0, one = ((__int128)1 << 64) + 1;
    __atomic_load(&wide, &old, __ATOMIC_SEQ_CST);
    for (__int128 new = old + one; !__atomic_compare_exchange(&wide, &old, &new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);)
        new = old + one;
    __sync_fetch_and_add(&count, 1);
#else
    __atomic_fetch_add(&both.low, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&both.high, 1, __ATOMIC_SEQ_CST);
    assert(both.low == both.high);
    __sync_fetch_and_add(&count, 1);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;
    (void)lock, (void)wide, (void)both;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2 && (WHICH != 3 || wide == ((__int128)2 << 64) + 2));
    return 0;
}
