/* Something is made when it is first wanted: without a lock; once (-DONCE); by compare and exchange (-DCOMPARE), of which who comes second throws
 * his own away; by a flag that is looked at and then set (-DFLAG). SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int things[2], *plain;
static int *_Atomic thing;
static atomic_int made, flag;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int *make(void)
{
    int *new = &things[made++];
    *new = 1;
    return new;
}

static void make_plain(void) { plain = make(); }

static int *get(void)
{
    (void)once, (void)flag, (void)thing;
#if defined ONCE
    pthread_once(&once, make_plain);
    return plain;
#elif defined COMPARE
    int *there = thing;
    if (there)
        return there;
    int *new = make();
    return atomic_compare_exchange_strong(&thing, &there, new) ? new : there;
#elif defined FLAG
    if (!flag) {
        flag = 1;
        make_plain();
    }
    return plain;
#else
    if (!plain)
        make_plain();
    return plain;
#endif
}

static int *seen[2];
static void *first(void *unused)  { seen[0] = get(); return unused; }
static void *second(void *unused) { seen[1] = get(); return unused; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen[0] && seen[0] == seen[1] && *seen[0] == 1);
    return 0;
}
