/* expect: deadlock at depth 3.  stateful: 75 states, 123 transitions.  none: 1680 transitions.
 *     verisoft philosophers.c
 *
 * The dining philosophers of the papers, a meal each: each takes the fork to the left, then the one to the right. When all
 * have taken their left fork, nobody ever gets a right one. There are three, or as many as one says:
 * verisoft philosophers.c -- 5. The printed listings are phil-1997.c and phil-2003.c.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

enum { MOST = 64 };

static void philosopher(int forks, int i, int n)
{
    int left = i, right = (i + 1) % n;

    printf("philosopher %d thinks\n", i);
    semwait(forks, left, 1);
    semwait(forks, right, 1);
    printf("philosopher %d eats\n", i);
    semsignal(forks, left, 1);
    semsignal(forks, right, 1);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3;
    if (n < 2 || n > MOST) {
        fprintf(stderr, "philosophers: from 2 to %d philosophers, not %s\n", MOST, argv[1]);
        return 2;
    }

    int forks = semget(IPC_PRIVATE, n, 0600);
    for (int i = 0; i < n; i++)
        semsetval(forks, i, 1);

    int i = 0;                       /* the children are the first n - 1 philosophers, the parent is the last */
    while (i < n - 1 && fork() != 0)
        i++;
    philosopher(forks, i, n);

#ifndef VERIFY                       /* run by itself, the last to leave takes the forks away */
    if (i == n - 1) {
        while (wait(NULL) > 0)
            ;
        semctl(forks, 0, IPC_RMID);
    }
#endif
    return 0;
}
