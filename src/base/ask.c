/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/ask.h"

#include "base/prose.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* `mine` is the end of the pipe that stays here, `theirs` becomes their descriptor `as`; the other two lead nowhere. */
static pid_t start(char *const *command, int mine, int theirs, int as)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    posix_spawn_file_actions_init(&actions);
    for (int fd = 0; fd < 3; fd++)
        if (fd != as)
            posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, theirs, as);
    int bad = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(theirs);
    if (bad)
        close(mine);
    errno = bad;
    return bad ? -1 : pid;
}

static int end_of(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

char *ask_all(char *const *command)
{
    int ends[2];
    char bytes[4096];
    struct prose said = { 0 };
    if (pipe2(ends, O_CLOEXEC))
        return NULL;
    pid_t pid = start(command, ends[0], ends[1], 1);
    if (pid < 0)
        return NULL;
    for (ssize_t got; (got = read(ends[0], bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR);)
        if (got > 0)
            prose_bytes(&said, bytes, (size_t)got);
    close(ends[0]);
    char *text = prose_take(&said);
    if (!end_of(pid))
        return text;
    free(text);
    return NULL;
}

char *ask_line(char *const *command)
{
    char *all = ask_all(command);
    if (all)
        all[strcspn(all, "\n")] = '\0';
    return all;
}

int ask_to_take(char *const *command, const char *text, struct err *err)
{
    int ends[2];
    size_t length = strlen(text), done = 0;
    if (pipe2(ends, O_CLOEXEC))
        return fail_errno(err, "no pipe for %s", command[0]);
    pid_t pid = start(command, ends[1], ends[0], 0);
    if (pid < 0)
        return fail_errno(err, "%s cannot be run", command[0]);
    for (ssize_t put; done < length && ((put = write(ends[1], text + done, length - done)) > 0 || errno == EINTR);)
        done += put > 0 ? (size_t)put : 0;
    close(ends[1]);
    int status = end_of(pid);
    return !status && done == length ? 0 : fail(err, "%s has failed (status %d)", command[0], status);
}
