/* expect: complete.  arguments: 2.  optimal: 4 executions, 0 sleep_cut.  searches: optimal, source.
 * expect: complete.  arguments: 3.  optimal: 8 executions, 0 sleep_cut.  searches: optimal, source.
 * expect: complete.  arguments: 5.  optimal: 32 executions, 0 sleep_cut.  searches: optimal.
 *
 * posix-count-many-locks.c with processes and System V semaphores: 2^N.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16 };

static void visit(int set, int i)
{
    struct sembuf take = { (unsigned short)i, -1, 0 }, give = { (unsigned short)i, 1, 0 };
    semop(set, &take, 1);
    semop(set, &give, 1);
}

int main(int argc, char **argv)
{
    pid_t children[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 2, set = semget(IPC_PRIVATE, n, 0600);
    for (int i = 0; i < n; i++)
        semctl(set, i, SETVAL, 1);
    for (int i = 0; i < n; i++)
        if ((children[i] = fork()) == 0) {
            visit(set, i);
            _exit(0);
        }
    for (int i = 0; i < n; i++)
        visit(set, i);
    for (int i = 0; i < n; i++)
        waitpid(children[i], NULL, 0);
    semctl(set, 0, IPC_RMID);
    return 0;
}
