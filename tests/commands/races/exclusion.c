/* Mutual exclusion by reading and writing alone: Peterson; -DDEKKER; -DWRONG: who comes does not say so first.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

#ifdef DEKKER
static void enter(int i)
{
    wants[i] = 1;
    while (wants[1 - i])
        if (turn != i) {
            wants[i] = 0;
            while (turn != i)
                ;
            wants[i] = 1;
        }
}

static void leave(int i)
{
    turn = 1 - i;
    wants[i] = 0;
}
#else
static void enter(int i)
{
#ifndef WRONG
    wants[i] = 1;
    turn = 1 - i;
#endif
    while (wants[1 - i] && turn == 1 - i)
        ;
#ifdef WRONG
    wants[i] = 1;
    turn = 1 - i;
#endif
}

static void leave(int i) { wants[i] = 0; }
#endif

static void *work(void *which)
{
    int i = *(int *)which;
    enter(i);
    inside++;
    assert(inside == 1);
    inside--;
    leave(i);
    return NULL;
}

int main(void)
{
    static int numbers[] = { 0, 1 };
    pthread_t a, b;
    pthread_create(&a, NULL, work, &numbers[0]);
    pthread_create(&b, NULL, work, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
