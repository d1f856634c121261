/* A structure is copied by one thread and read by another: in the pieces that the machine uses. -DBYTES: of so many; -DFIELD: its last word alone
 * is looked at; -DLOCK: right. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

#ifndef BYTES
#define BYTES 16
#endif
struct all { char byte[BYTES]; } __attribute__((aligned(8)));
static struct all shared, ones;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef LOCK
static void lock(void)   { pthread_mutex_lock(&m); }
static void unlock(void) { pthread_mutex_unlock(&m); }
#else
static void lock(void)   { (void)m; }
static void unlock(void) { }
#endif

static void *copies(void *unused)
{
    lock();
    shared = ones;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t other;
    for (int i = 0; i < BYTES; i++)
        ones.byte[i] = 1;
    pthread_create(&other, NULL, copies, NULL);
    lock();
#ifdef FIELD
    char last = shared.byte[BYTES - 1], first = shared.byte[0];
#else
    struct all seen = shared;
    char last = seen.byte[BYTES - 1], first = seen.byte[0];
#endif
    unlock();
    assert(first == last);
    pthread_join(other, NULL);
    return 0;
}
