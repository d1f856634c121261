/* Two who wait by looking at two variables in turn: a buffer of two slots, of which each side moves one end. WRONG: who puts does not wait.
 * Of one item: who gets it finds it in the first or in the second round of its loop, or waits for it in the third, 3 executions; what the two
 * do to different ends commutes. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint head, tail;
static int slot[2];

static void *put(void *arg)
{
    for (int i = 1; i <= N; i++) {
#ifndef WRONG
        while (atomic_load(&tail) - atomic_load(&head) == 2)
            ;
#endif
        slot[atomic_load(&tail) % 2] = i;
        atomic_fetch_add(&tail, 1);
    }
    return arg;
}

static void *get(void *arg)
{
    for (int i = 1; i <= N; i++) {
        while (atomic_load(&tail) == atomic_load(&head))
            ;
        assert(slot[atomic_load(&head) % 2] == i);
        atomic_fetch_add(&head, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, get, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
