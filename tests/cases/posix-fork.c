/* expect: complete.
 *
 * fork, exit with handlers, _exit, return from main, wait and waitpid with their statuses; each process has memory of its own.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int *shared, own = 1;

static void at_exit(void)
{
    if (own == 2)
        *shared += 10;
}

static void *thread(void *argument)
{
    exit(*(int *)argument);
}

int main(void)
{
    pid_t children[4];
    int status;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    atexit(at_exit);
    if ((children[0] = fork()) == 0) {
        own = 2;
        exit(7);
    }
    assert(waitpid(children[0], &status, 0) == children[0] && WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert(*shared == 10 && own == 1);
    if ((children[1] = fork()) == 0) {
        own = 2;
        _exit(300);
    }
    assert(wait(&status) == children[1] && WEXITSTATUS(status) == 300 % 256 && *shared == 10);
    if ((children[2] = fork()) == 0) {
        pthread_t other;
        int code = 9;
        pthread_create(&other, NULL, thread, &code);
        pthread_join(other, NULL);                               /* never returns: the thread ends the process */
        _exit(1);
    }
    assert(waitpid(-1, &status, 0) == children[2] && WEXITSTATUS(status) == 9);
    if ((children[3] = fork()) == 0)
        return 5;
    assert(wait(&status) == children[3] && WEXITSTATUS(status) == 5);
    assert(wait(NULL) == -1 && errno == ECHILD);
    return 0;
}
