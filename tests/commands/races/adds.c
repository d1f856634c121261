/* Threads add to a variable with a memory ORDER, and do not look at what it was: it does not matter who comes first.
 * -DLOOK: one more looks. -DAROUND: one writes something before its addition, and another one reads it behind his: a race, of which the search sees
 * one order of the additions only. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4 };
static atomic_int count;
int value;

static void *adds(void *which)
{
#ifdef AROUND
    if (which == &value)
        value = 1;
#endif
    atomic_fetch_add_explicit(&count, 1, ORDER);
#ifdef AROUND
    if (which == &count)
        return value ? NULL : which;
#endif
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, adds, i == 0 ? (void *)&value : i == 1 ? (void *)&count : NULL);
#ifdef LOOK
    int seen = count;
    assert(seen <= THREADS);
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count == THREADS);
    return 0;
}
