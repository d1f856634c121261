/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static bool has(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

/* The pipe is closed by a successful exec: who reads from it hears at once whether there is such a program. */
static _Noreturn void become_browser(const char *address, int tell)
{
    const char *program = has("BROWSER") ? getenv("BROWSER") : "xdg-open";
    dup2(tell, 3);
    fcntl(3, F_SETFD, FD_CLOEXEC);
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    closefrom(4);
    execlp(program, program, address, (char *)NULL);
    int error = errno;
    _exit(write(3, &error, sizeof error) < 0);
}

/* The grandchild belongs to nobody here, so nobody needs to wait for it. */
static pid_t start(const char *address, int tell)
{
    pid_t child = fork();
    if (child)
        return child;
    setsid();
    if (fork() == 0)
        become_browser(address, tell);
    _exit(0);
}

bool browser_open(const char *address)
{
    int pipe[2], error = 0;
    if (!has("DISPLAY") && !has("WAYLAND_DISPLAY"))
        return false;
    if (pipe2(pipe, O_CLOEXEC))
        return false;
    pid_t child = start(address, pipe[1]);
    close(pipe[1]);
    bool failed = child < 0;
    while (!failed && read(pipe[0], &error, sizeof error) < 0 && errno == EINTR)
        ;
    close(pipe[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return !failed && !error;
}
