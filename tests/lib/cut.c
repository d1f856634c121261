/* Runs a command and ends it by SIGKILL so many microseconds after its start, if it is still there then:
 *
 *     cut MICROSECONDS COMMAND...
 *
 * SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    pid_t command = fork();
    if (command == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    usleep((useconds_t)atoi(argv[1]));
    kill(command, SIGKILL);
    return command < 0 || waitpid(command, NULL, 0) != command;
}
