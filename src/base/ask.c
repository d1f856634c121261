/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

bool ask_begin(struct asking *a, char *const *command)
{
    int ends[2];
    *a = (struct asking){ 0 };
    if (pipe2(ends, O_CLOEXEC))
        return false;
    pid_t pid = start(command, ends[0], ends[1], 1);
    if (pid > 0)
        *a = (struct asking){ .pid = pid, .from = ends[0] };
    return pid > 0;
}

bool ask_hear(struct asking *a, int milliseconds, char **told)
{
    struct pollfd from = { .fd = a->from, .events = POLLIN };
    char bytes[4096];
    for (ssize_t got = 1; got > 0;) {
        if (poll(&from, 1, milliseconds) <= 0)
            return false;            /* or a signal came: that is no answer either */
        got = read(a->from, bytes, sizeof bytes);
        if (got > 0)
            prose_bytes(&a->said, bytes, (size_t)got);
    }
    close(a->from);
    char *text = prose_take(&a->said);
    bool fine = !end_of(a->pid);
    if (!fine)
        free(text);
    *told = fine ? text : NULL;
    *a = (struct asking){ 0 };
    return true;
}

void ask_forget(struct asking *a)
{
    if (!a->pid)
        return;
    kill(a->pid, SIGKILL);
    end_of(a->pid);
    close(a->from);
    prose_fini(&a->said);
    *a = (struct asking){ 0 };
}

char *ask_all(char *const *command)
{
    struct asking a;
    char *told = NULL;
    if (ask_begin(&a, command))
        while (!ask_hear(&a, -1, &told))
            ;
    return told;
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
