/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 * expect -DIGNORED: complete.
 *
 * A handler of SIGCHLD runs when the child ends, also in a program that has nothing else to do with signals. WRONG: it is believed not to. IGNORED: then there is no
 * child to wait for.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void ended(int number) { came = number; }

int main(void)
{
#ifdef IGNORED
    signal(SIGCHLD, SIG_IGN);
#else
    signal(SIGCHLD, ended);
#endif
    if (fork() == 0)
        _exit(0);
    pid_t child = wait(NULL);
#if defined WRONG
    (void)child;
    assert(!came);               /* ERROR */
#elif defined IGNORED
    assert(child == -1 && errno == ECHILD && ended && !came);
#else
    assert(child > 0 && came == SIGCHLD);
#endif
    return 0;
}
