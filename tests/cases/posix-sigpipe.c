/* expect: assertion in process 1.
 * expect -DUNSEEN: crash in process 1.  message: "SIGPIPE" "process 2".
 * expect -DIGNORED: complete.
 * expect -DHANDLED: complete.
 *
 * Who writes to a pipe that nobody reads is killed by SIGPIPE, unless that signal is ignored or handled: then it is told
 * EPIPE. The parent is told; UNSEEN: it does not look.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void handler(int signal) { handled = signal; }

int main(void)
{
    int ends[2], status;
    assert(pipe(ends) == 0);
#if defined IGNORED
    signal(SIGPIPE, SIG_IGN);
    (void)handler;
#elif defined HANDLED
    signal(SIGPIPE, handler);
#else
    (void)handler;
#endif
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        ssize_t n = write(ends[1], "x", 1);                      /* ERROR */
        if (n != 1 && errno != EPIPE)
            _exit(2);
#ifdef HANDLED
        if ((n == 1) != (handled == 0))
            _exit(3);
#endif
        _exit(n != 1);
    }
    close(ends[0]);
#ifdef UNSEEN
    waitpid(child, NULL, 0);                                     /* ERROR */
    return 0;
#endif
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) <= 1);            /* ERROR */
    return 0;
}
