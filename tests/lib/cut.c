/* Runs a command and sends it a signal at a chosen moment:
 *
 *     cut SIGNAL MICROSECONDS PROGRAM COMMAND...
 *
 * so many microseconds after somebody runs PROGRAM (a path; "-": after the command was started), if it is still there then. Ends as the
 * command did, 128 added to the signal that ended it. A clock is used only to end what hangs.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 600 };                                 /* seconds */

static bool is_run(const char *program)
{
    char path[64], exe[PATH_MAX];
    struct dirent *entry;
    bool found = false;
    DIR *proc = opendir("/proc");
    while (proc && !found && (entry = readdir(proc))) {
        if (!isdigit((unsigned char)*entry->d_name))
            continue;
        snprintf(path, sizeof path, "/proc/%.20s/exe", entry->d_name);
        ssize_t length = readlink(path, exe, sizeof exe - 1);
        exe[length > 0 ? length : 0] = '\0';
        found = !strcmp(exe, program);
    }
    if (proc)
        closedir(proc);
    return found;
}

static bool has_ended(pid_t command)
{
    siginfo_t info = { 0 };
    return waitid(P_PID, (id_t)command, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid == command;
}

static int status_of(pid_t command)
{
    int status;
    if (waitpid(command, &status, 0) != command)
        return 2;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    char program[PATH_MAX];
    if (argc < 5)
        return 2;
    pid_t command = fork();
    if (command == 0) {
        for (int signal = 1; signal < 32; signal++)              /* whoever runs the tests may ignore some: nohup does */
            sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
        execvp(argv[4], argv + 4);
        _exit(127);
    }
    bool wait = strcmp(argv[3], "-") && realpath(argv[3], program);
    for (int i = 0; wait && i < PATIENCE * 100 && !has_ended(command) && !is_run(program); i++)
        usleep(10000);
    usleep((useconds_t)atoi(argv[2]));
    kill(command, atoi(argv[1]));
    for (int i = 0; i < PATIENCE * 100 && !has_ended(command); i++)
        usleep(10000);
    kill(command, SIGKILL);
    return status_of(command);
}
