/* Dining philosophers for ever: a fork is a mutex, and the last philosopher takes his right fork first.
 *     verisoft philosophers.c --config philosophers.VS --certificate philosophers.scc -- PHILOSOPHERS
 * WRONG: all take the left one first, and deadlock.  SPDX-License-Identifier: MIT */
#include "monitor.h"

enum { MOST = 8 };
static int seats;
static pthread_mutex_t forks[MOST];
static int holder[MOST];             /* of a fork: 1 + who has it */
static char eats[MOST + 1];

static void take(int fork, int me)
{
    pthread_mutex_lock(&forks[fork]);
    assert(!holder[fork]);
    holder[fork] = 1 + me;
}

static void put_down(int fork)
{
    holder[fork] = 0;
    pthread_mutex_unlock(&forks[fork]);
}

static void *philosopher(void *number)
{
    int me = (int)(intptr_t)number, left = me, right = (me + 1) % seats;
#ifdef WRONG
    int first = left, second = right;
#else
    int first = right ? left : right, second = right ? right : left;
#endif
    for (;;) {
        take(first, me);
        take(second, me);
        eats[me] = 1;
        assert(holder[left] == 1 + me && holder[right] == 1 + me);
        eats[me] = 0;
        put_down(second);
        put_down(first);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    seats = parameter(argc, argv, 1, 7, 2, MOST);
    for (int i = 0; i < seats; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < seats; i++)
        begin(philosopher, i);
    await_all();
    return 0;
}
