/* expect: complete.
 * expect -DWRONG: assertion.
 *
 * Who only looks whether a child has ended may find that it has not, also where processes share nothing. WRONG: it is sure to have.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status = 0;
    pid_t child = fork(), gone;
    if (child == 0)
        exit(3);
    gone = waitpid(child, &status, WNOHANG);
#ifdef WRONG
    assert(gone == child);                                       /* ERROR */
#else
    if (gone == 0)
        gone = waitpid(child, &status, 0);
    assert(gone == child && WEXITSTATUS(status) == 3);
#endif
}
