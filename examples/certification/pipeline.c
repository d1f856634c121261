/* Primes, by a pipeline of stages with one place between two: a stage keeps the first number that comes, and hands on what it does not
 * divide; 1 says that nothing comes any more.
 *     verisoft pipeline.c --config pipeline.VS --certificate pipeline.scc -- STAGES
 * WRONG: who has taken a number does not tell, and who waits for the place to be free waits for ever.  SPDX-License-Identifier: MIT */
#include "monitor.h"

enum { MOST = 8, EMPTY = 0, END = 1 };
struct place { struct monitor m; int number; };
static struct place places[MOST];
static int stages, largest, primes[MOST], found;

static void put(struct place *p, int number)
{
    enter(&p->m);
    while (p->number != EMPTY)
        await(&p->m);
    assert(p->number == EMPTY);
    p->number = number;
    announce(&p->m);
    leave(&p->m);
}

static int take(struct place *p)
{
    enter(&p->m);
    while (p->number == EMPTY)
        await(&p->m);
    int number = p->number;
    p->number = EMPTY;
#ifndef WRONG
    announce(&p->m);
#endif
    leave(&p->m);
    return number;
}

static void *stage(void *number)
{
    int me = (int)(intptr_t)number, mine = take(&places[me]), next;
    primes[me] = mine;
    if (mine == END)
        next = END;
    else
        while ((next = take(&places[me])) != END) {
            assert(next > mine);
            if (next % mine && me + 1 < stages)
                put(&places[me + 1], next);
        }
    if (me + 1 < stages)
        put(&places[me + 1], next);
    return NULL;
}

int main(int argc, char **argv)
{
    static const int prime[] = { 2, 3, 5, 7, 11, 13, 17, 19 };
    stages = parameter(argc, argv, 1, 3, 1, MOST);
    largest = prime[stages - 1] + 1;
    for (int i = 0; i < stages; i++)
        monitor_init(&places[i].m);
    for (int i = 0; i < stages; i++)
        begin(stage, i);
    for (int i = 2; i <= largest; i++)
        put(&places[0], i);
    put(&places[0], END);
    await_all();
    for (int i = 0; i < stages; i++)
        found += primes[i] == prime[i];
    assert(found == stages);
    return 0;
}
