/* expect: complete.  optimal: 104 executions.  searches: optimal, source, sleep.
 *
 * Two workers compete for a request, the client gets its answer byte by byte, then both workers are killed. Paths are long, so that
 * memory is put back in their middle; a process that was killed, or has not run since, must go back, too. That there are 104 is what
 * sleep sets, source sets and a new start for each path count as well.
 * SPDX-License-Identifier: MIT */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 5, WORKERS = 2 };

static int request[2], answer[2];

static void client(void)
{
    char byte = 'x';
    write(request[1], &byte, 1);
    for (int i = 0; i < BYTES; i++)
        read(answer[0], &byte, 1);
    _exit(0);
}

static void worker(void)
{
    char byte;
    read(request[0], &byte, 1);
    for (int i = 0; i < BYTES; i++)
        write(answer[1], "y", 1);
    _exit(0);
}

int main(void)
{
    pid_t workers[WORKERS], first;
    if (pipe(request) < 0 || pipe(answer) < 0)
        return 1;
    if ((first = fork()) == 0)
        client();
    for (int i = 0; i < WORKERS; i++)
        if ((workers[i] = fork()) == 0)
            worker();
    waitpid(first, NULL, 0);
    for (int i = 0; i < WORKERS; i++)
        kill(workers[i], SIGTERM);
    while (wait(NULL) > 0)
        ;
    return 0;
}
