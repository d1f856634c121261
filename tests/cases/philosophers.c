/* expect: deadlock at depth 2 in process 0.  errors: deadlock 1.  arguments: 2.  native: 8.
 * none: 18 transitions, 4 executions.  stateful: 17 states, 18 transitions.  source: 3 executions.
 * message: "circle".
 * expect: deadlock at depth 3.  errors: deadlock 1.  arguments: 3.  native: 12.  none: 1,680 transitions.
 * source: 7 executions.
 * expect: deadlock at depth 4.  errors: deadlock 1.  arguments: 4.  native: 16.
 * none: 386,816 transitions, 104,704 executions.  stateful: 321 states, 708 transitions.  source: 15 executions, 4 sleep_cut.
 * expect: deadlock at depth 5.  errors: deadlock 1.  arguments: 5.  native: 20.  searches: sleep, persistent, source.
 * source: 31 executions, 16 sleep_cut.
 * expect: deadlock at depth 8.  arguments: 8.  native: 32.  searches: stateful, bfs.  stateful: 103,681 states.
 * expect: deadlock at depth 10.  arguments: 10.  native: 40.  searches: stateful.  stateful: 1,860,497 states.
 *
 * The dining philosophers of the papers. Without reduction 2 of them have 18 transitions, 3 have 1,680 and 4 have 386,816.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

static void philosopher(int forks, int i, int n)
{
    int left = i, right = (i + 1) % n;
    semwait(forks, left, 1);
    semwait(forks, right, 1);                                    /* ERROR */
    semsignal(forks, left, 1);
    semsignal(forks, right, 1);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2;
    int forks = semget(IPC_PRIVATE, n, 0600);
    for (int i = 0; i < n; i++)
        semsetval(forks, i, 1);
    for (int i = 0; i < n - 1; i++)
        if (fork() == 0) {
            philosopher(forks, i, n);
            exit(0);
        }
    philosopher(forks, n - 1, n);
    exit(0);
}
