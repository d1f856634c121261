/* Locks that spin: compare and exchange; -DFLAG: test and set; -DTICKET; -DMCS. -DFORGETS: it is never given back.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int inside;

#if defined FLAG
static atomic_flag held = ATOMIC_FLAG_INIT;
static void lock(void *unused)   { (void)unused; while (atomic_flag_test_and_set(&held)) sched_yield(); }
static void unlock(void *unused) { (void)unused; atomic_flag_clear(&held); }
#elif defined TICKET
static atomic_int next, serving;
static void lock(void *unused)   { (void)unused; int mine = atomic_fetch_add(&next, 1); while (serving != mine) ; }
static void unlock(void *unused) { (void)unused; atomic_fetch_add(&serving, 1); }
#elif defined MCS
struct place { struct place *_Atomic next; atomic_int wait; };
static struct place *_Atomic last;
static void lock(struct place *own)
{
    own->next = NULL;
    own->wait = 1;
    struct place *before = atomic_exchange(&last, own);
    if (before) {
        before->next = own;
        while (own->wait)
            ;
    }
}

static void unlock(struct place *own)
{
    struct place *self = own;
    if (!own->next && atomic_compare_exchange_strong(&last, &self, NULL))
        return;
    while (!own->next)
        ;
    own->next->wait = 0;
}
#else
static atomic_int held;
static void lock(void *unused)
{
    (void)unused;
    for (int none = 0; !atomic_compare_exchange_strong(&held, &none, 1); none = 0)
        ;
}
static void unlock(void *unused) { (void)unused; held = 0; }
#endif

static void *work(void *unused)
{
#ifdef MCS
    struct place place, *own = &place;
#else
    void *own = NULL;
#endif
    lock(own);
    inside++;
    assert(inside == 1);
    inside--;
#ifndef FORGETS
    unlock(own);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;
    (void)unlock;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
