/* expect: deadlock.
 * expect -DREADERS: complete.
 * expect -DSTATIC: deadlock.
 * expect -DONCE: complete.
 * expect -DTIMED: complete.
 * expect -DTRIED: assertion in process 1.
 * expect -DTRIED -DREADERS: complete.
 *
 * A reader-writer lock whose writers come first: a reader that locks it again waits for a writer that waits for the reader. READERS: writers do
 * not come first. STATIC: it is made by its initialiser. ONCE: it locks it once. TIMED: the writer gives up. TRIED: the reader only tries, in vain.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

#ifdef STATIC
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static pthread_rwlock_t lock;
#endif
static int value;

static void *writer(void *argument)
{
#ifdef TIMED
    struct timespec soon = { 1, 0 };
    if (pthread_rwlock_timedwrlock(&lock, &soon))
        return argument;
#else
    pthread_rwlock_wrlock(&lock);                /* ERROR */
#endif
    value++;
    pthread_rwlock_unlock(&lock);
    return argument;
}

static void make(void)
{
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
#ifndef READERS
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
#ifndef STATIC
    pthread_rwlock_init(&lock, &attributes);
#endif
    pthread_rwlockattr_destroy(&attributes);
}

int main(void)
{
    pthread_t thread;
    make();
    pthread_create(&thread, NULL, writer, NULL);
    pthread_rwlock_rdlock(&lock);
    int before = value;
#ifdef TRIED
    int busy = pthread_rwlock_tryrdlock(&lock);
    assert(!busy);                               /* ERROR */
    pthread_rwlock_unlock(&lock);
#elif !defined ONCE
    pthread_rwlock_rdlock(&lock);                /* ERROR */
    pthread_rwlock_unlock(&lock);
#endif
    assert(value == before);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
