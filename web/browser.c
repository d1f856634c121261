/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "web/browser.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TELL = 3, STATUS = 4 };       /* descriptors in the processes below */

static bool has(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

const char *browser_program(void) { return has("BROWSER") ? getenv("BROWSER") : "xdg-open"; }

/* One command line, in words; a word %s is the address, which else comes last. Comes back when there is no such program. */
static void try_program(char *line, char *address)
{
    char **words = memory_get((strlen(line) + 3) * sizeof *words), *word;
    int count = 0;
    bool placed = false;
    while ((word = strsep(&line, " \t"))) {
        if (!*word)
            continue;
        bool here = !strcmp(word, "%s");
        words[count++] = here ? address : word;
        placed |= here;
    }
    if (!placed)
        words[count++] = address;
    execvp(words[0], words);
    free(words);
}

/* TELL is closed by a successful exec: who reads from it hears at once whether there is such a program. */
static _Noreturn void become_browser(const char *address)
{
    char *all = memory_text(browser_program()), *rest = all, *line;
    int error = ENOENT;
    while (all && (line = strsep(&rest, ":"))) {
        if (!*line)
            continue;
        try_program(line, memory_text(address));
        error = errno;
    }
    _exit(write(TELL, &error, sizeof error) < 0 ? 126 : 127);
}

/* Nothing of ours stays open, and Ctrl-C is not for us. */
static void come_away(int tell, int status)
{
    tell = fcntl(tell, F_DUPFD, STATUS + 1);
    status = fcntl(status, F_DUPFD, STATUS + 1);
    dup3(tell, TELL, O_CLOEXEC);
    dup3(status, STATUS, O_CLOEXEC);
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    closefrom(STATUS + 1);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
}

/* Waits for the browser, and says how it ended, if anybody wants to know. */
static _Noreturn void watch(const char *address, int tell, int status)
{
    int how = 0;
    come_away(tell, status);
    pid_t browser = fork();
    if (browser == 0)
        become_browser(address);
    close(TELL);
    while (browser > 0 && waitpid(browser, &how, 0) < 0 && errno == EINTR)
        ;
    int code = browser < 0 ? 126 : WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    _exit(write(STATUS, &code, sizeof code) < 0);
}

/* The grandchild belongs to nobody here, so nobody needs to wait for it. */
static pid_t start(const char *address, int tell, int status)
{
    pid_t child = fork();
    if (child)
        return child;
    setsid();
    if (fork() == 0)
        watch(address, tell, status);
    _exit(0);
}

static bool starts(const char *address, int status)
{
    int tell[2], error = 0;
    if (pipe2(tell, O_CLOEXEC))
        return false;
    pid_t child = start(address, tell[1], status);
    close(tell[1]);
    while (child > 0 && read(tell[0], &error, sizeof error) < 0 && errno == EINTR)
        ;
    close(tell[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && !error;
}

int browser_open(const char *address)
{
    int status[2];
    if (!has("BROWSER") && !has("DISPLAY") && !has("WAYLAND_DISPLAY"))
        return -1;
    if (pipe2(status, O_CLOEXEC))
        return -1;
    bool started = starts(address, status[1]);
    close(status[1]);
    if (started)
        return status[0];
    close(status[0]);
    return -1;
}

int browser_status(int fd)
{
    int status = 0;
    while (read(fd, &status, sizeof status) < 0 && errno == EINTR)
        ;
    close(fd);
    return status;
}
