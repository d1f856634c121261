/* An atomic structure of twelve bytes: the compiler calls a library for it. -DWRONG: the store can come first. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct triple { int a, b, c; };
static _Atomic struct triple shared;
static void *change(void *unused)
{
    struct triple one = { 1, 1, 1 };
    atomic_store(&shared, one);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    struct triple s = atomic_load(&shared);
    assert(s.a == s.c);
#ifdef WRONG
    assert(s.a == 0);
#endif
    struct triple e = { 1, 1, 1 }, n = { 2, 2, 2 };
    int swapped = atomic_compare_exchange_strong(&shared, &e, n);
    pthread_join(t, NULL);
    s = atomic_load(&shared);
    assert(swapped ? s.b == 2 : s.b == 1);
    return 0;
}
