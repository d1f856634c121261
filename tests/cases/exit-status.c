/* expect: complete.  none: 3 transitions, 1 executions.
 * expect -DANY: complete.  none: 21 transitions, 6 executions.
 *
 * wait and waitpid give the child's exit status: of exit, of a return from main, and of _exit.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <verisoft.h>

int main(void)
{
    pid_t children[3];
    for (int i = 0; i < 3; i++)
        if ((children[i] = fork()) == 0) {
            if (i == 0)
                exit(7);
            if (i == 1)
                return 300;
            _exit(0);
        }
#ifdef ANY
    int sum = 0, status;
    for (int i = 0; i < 3; i++) {
        pid_t child = wait(&status);
        if (child < children[0] || child > children[2] || !WIFEXITED(status))
            abort();
        sum += WEXITSTATUS(status);
    }
    if (sum != 7 + 300 % 256 || wait(&status) != -1)
        abort();
#else
    static const int expected[] = { 7, 300 % 256, 0 };
    for (int i = 0; i < 3; i++) {
        int status;
        if (waitpid(children[i], &status, 0) != children[i] || !WIFEXITED(status) || WEXITSTATUS(status) != expected[i])
            abort();
    }
#endif
    return 0;
}
