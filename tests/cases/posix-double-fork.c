/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * A daemon by two forks: the child ends at once, its own child does the work and is nobody's to wait for. The end of the pipe
 * tells when it is over. WRONG: it is waited for by its number.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static void daemonize(const int *ends)
{
    pid_t mine = fork();
    if (mine != 0)
        _exit(mine > 0 ? 0 : 1);
    mine = getpid();
    close(ends[0]);
    _exit(write(ends[1], &mine, sizeof mine) != sizeof mine);
}

int main(void)
{
    int ends[2], status;
    pid_t daemon;
    assert(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0)
        daemonize(ends);
    close(ends[1]);
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(read(ends[0], &daemon, sizeof daemon) == sizeof daemon);
#ifdef WRONG
    assert(waitpid(daemon, &status, 0) == daemon);               /* ERROR */
#else
    assert(waitpid(daemon, &status, 0) == -1 && errno == ECHILD);
    assert(read(ends[0], &daemon, sizeof daemon) == 0);
#endif
    return 0;
}
