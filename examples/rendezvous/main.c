/* expect: complete.  stateful: 56 states, 96 transitions.
 *     make && verisoft main.c --object ./rendezvous.so
 * expect -DWRONG: deadlock at depth 3.
 *     make && verisoft main.c --object ./rendezvous.so -DWRONG
 *
 * Processes in a ring of rendezvous channels find the greatest of their numbers: each passes on the greatest it knows and
 * gets its neighbour's, until the news has gone all the way round. WRONG lets everybody send first: with queues that
 * would do, but here nobody is left to receive.
 * SPDX-License-Identifier: MIT */
#include "rendezvous.h"

#include <stdio.h>

#ifndef N
#define N 3
#endif
#ifdef WRONG
enum { RECEIVES_FIRST = -1 };        /* nobody */
#else
enum { RECEIVES_FIRST = 0 };
#endif

static int ring[N];                  /* channels: ring[i] leads from process i - 1 to process i */

static void pass_on(int i, int number)
{
    char text[16] = "";
    sprintf(text, "%d", number);
    rendezvous_send(ring[(i + 1) % N], text);
}

static int get(int i)
{
    char text[16] = "";
    rendezvous_receive(ring[i], text, sizeof text);
    return atoi(text);
}

static int greatest_of_neighbours(int i, int mine)
{
    int theirs;
    if (i == RECEIVES_FIRST) {
        theirs = get(i);
        pass_on(i, mine);
    } else {
        pass_on(i, mine);
        theirs = get(i);
    }
    return theirs > mine ? theirs : mine;
}

static void process(int i)
{
    int greatest = (i + 1) % N + 1;  /* 2 3 1 for three */
    for (int round = 1; round < N; round++)
        greatest = greatest_of_neighbours(i, greatest);
    VS_assert(greatest == N);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        ring[i] = rendezvous_new();

    int i = 0;                       /* the parent is the last in the ring */
    while (i < N - 1 && fork() != 0)
        i++;
    process(i);
    return 0;
}
