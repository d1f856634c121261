/* expect: complete.  optimal: 1 executions.
 *
 * A child has all the handlers of its parent: a step that changes many words.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 24 };

static void handler(int signal) { (void)signal; }

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    sigfillset(&action.sa_mask);
    for (int i = 1; i <= SIGRTMAX; i++)
        if (i != SIGCHLD)
            sigaction(i, &action, NULL);
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        assert(waitpid(child, NULL, 0) == child);
    }
    return 0;
}
