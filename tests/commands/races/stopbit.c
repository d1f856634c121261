/* A word with a lock in its bit 0 and a request in bit 1, as the library of C++ has it behind std::stop_source: who finds it locked looks again, and then tries with
 * what it has seen. Each time it may fail because the other has locked in between and unlocked since; it does not wait then. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
static _Atomic unsigned v = 4;
static bool try_lock(unsigned *cur, unsigned bits)
{
    if (*cur & 1) { sched_yield(); *cur = atomic_load(&v); return false; }
    return atomic_compare_exchange_weak(&v, cur, *cur | 1 | bits);
}
static void *worker(void *u)
{
    for (int i = 0; i < 4; i++) {
        unsigned cur = atomic_load(&v);
        while (!try_lock(&cur, 0)) ;
        atomic_fetch_sub(&v, 1);
    }
    return u;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    unsigned cur = atomic_load(&v);
    while (!try_lock(&cur, 2)) ;
    atomic_fetch_sub(&v, 1);
    pthread_join(t, NULL);
    assert(v == 6);
    return 0;
}
