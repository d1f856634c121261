/* expect: deadlock in process 0.  arguments: 2.  errors: deadlock 1.  optimal: 3 executions, 0 sleep_cut.  searches: optimal,
 * source.
 * expect: deadlock in process 0.  arguments: 3.  errors: deadlock 1.  optimal: 7 executions, 0 sleep_cut.  searches: optimal,
 * source.
 * expect: deadlock in process 0.  arguments: 4.  errors: deadlock 1.  optimal: 15 executions, 0 sleep_cut.  searches: optimal.
 * expect: deadlock in process 0.  arguments: 5.  errors: deadlock 1.  optimal: 31 executions, 0 sleep_cut.  searches: optimal.
 * expect -DORDERED: complete.  arguments: 2.  optimal: 2 executions, 0 sleep_cut.  searches: optimal, source.
 * expect -DORDERED: complete.  arguments: 3.  optimal: 6 executions, 0 sleep_cut.  searches: optimal, source.
 * expect -DORDERED: complete.  arguments: 4.  optimal: 14 executions, 0 sleep_cut.  searches: optimal.
 * expect -DORDERED: complete.  arguments: 5.  optimal: 30 executions, 0 sleep_cut.  searches: optimal.
 *
 * posix-count-philosophers.c with processes and System V semaphores: the same numbers.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 8 };

static int forks;

static void move(int fork, short by)
{
    struct sembuf op = { (unsigned short)fork, by, 0 };
    semop(forks, &op, 1);                                        /* ERROR */
}

static void philosopher(int i, int n)
{
    int left = i, right = (i + 1) % n;
#ifdef ORDERED
    if (left > right) {
        left = right;
        right = i;
    }
#endif
    move(left, -1);                                              /* ERROR */
    move(right, -1);                                             /* ERROR */
    move(right, 1);
    move(left, 1);
    _exit(0);
}

int main(int argc, char **argv)
{
    pid_t children[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 3;
    forks = semget(IPC_PRIVATE, n, 0600);
    for (int i = 0; i < n; i++)
        semctl(forks, i, SETVAL, 1);
    for (int i = 0; i < n; i++)
        if ((children[i] = fork()) == 0)
            philosopher(i, n);
    for (int i = 0; i < n; i++)
        waitpid(children[i], NULL, 0);                           /* ERROR */
    semctl(forks, 0, IPC_RMID);
    return 0;
}
