/* May we trace a process? Ends with 0 then, and with 1 where it is refused, as in many containers.
 * SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0);
    return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}
