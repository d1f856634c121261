/* expect: complete.  arguments: 2.  optimal: 2 executions, 0 sleep_cut.  searches: optimal, source, sleep.
 * expect: complete.  arguments: 3.  optimal: 6 executions, 0 sleep_cut.  searches: optimal, source.
 * expect: complete.  arguments: 4.  optimal: 24 executions, 0 sleep_cut.  searches: optimal.
 * expect: complete.  arguments: 5.  optimal: 120 executions, 0 sleep_cut.  searches: optimal.
 *
 * posix-count-one-lock.c with processes and a System V semaphore: N!.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16 };

int main(int argc, char **argv)
{
    pid_t children[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 2, set = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf take = { 0, -1, 0 }, give = { 0, 1, 0 };
    semctl(set, 0, SETVAL, 1);
    for (int i = 0; i < n; i++)
        if ((children[i] = fork()) == 0) {
            semop(set, &take, 1);
            semop(set, &give, 1);
            _exit(0);
        }
    for (int i = 0; i < n; i++)
        waitpid(children[i], NULL, 0);
    semctl(set, 0, IPC_RMID);
    return 0;
}
