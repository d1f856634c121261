/* The yardstick: every interleaving of N dining philosophers, by hand, in a loop over plain arrays that knows nothing else.
 * Prints the number of transitions. Nothing of VeriSoft is in here.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 8, STEPS = 4 };

static int  n;
static int  at[MOST];                /* the next step of each philosopher: take left, take right, put left, put right */
static int  fork_free[MOST];
static unsigned long transitions, deadlocks;

static int fork_of(int i, int step)
{
    return step % 2 ? (i + 1 == n ? 0 : i + 1) : i;
}

static void explore(void)
{
    int gone = 0, unfinished = 0;
    for (int i = 0; i < n; i++) {
        int step = at[i];
        if (step == STEPS)
            continue;
        unfinished = 1;
        int f = fork_of(i, step);
        if (step < 2 && !fork_free[f])
            continue;
        gone = 1;
        int take = step < 2 ? 1 : -1;
        fork_free[f] -= take;
        at[i]++;
        transitions++;
        explore();
        at[i]--;
        fork_free[f] += take;
    }
    if (!gone && unfinished)
        deadlocks++;
}

int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : 5;
    if (n < 2 || n > MOST) {
        fprintf(stderr, "usage: yardstick [2..%d]\n", MOST);
        return 2;
    }
    for (int i = 0; i < n; i++)
        fork_free[i] = 1;
    explore();
    printf("%lu transitions, %lu deadlocked paths\n", transitions, deadlocks);
    return 0;
}
