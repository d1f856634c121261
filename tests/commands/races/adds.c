/* Threads add to a variable with a memory ORDER, and do not look at what it was: where that acquires nothing, it does not matter who comes first.
 * -DLOOK: one more looks. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4 };
static atomic_int count;

static void *adds(void *unused)
{
    atomic_fetch_add_explicit(&count, 1, ORDER);
    return unused;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, adds, NULL);
#ifdef LOOK
    int seen = count;
    assert(seen <= THREADS);
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count == THREADS);
    return 0;
}
