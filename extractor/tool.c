/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "extractor/tool.h"

#include "base/child.h"
#include "base/file.h"
#include "base/prose.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANNOT_RUN = 127 };

bool tool_exists(const char *program)
{
    const char *folder = getenv("PATH");
    if (strchr(program, '/'))
        return !access(program, X_OK);
    while (folder && *folder) {
        size_t length = strcspn(folder, ":");
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, program) < (int)sizeof path && !access(path, X_OK))
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

static int to_file(const struct workshop *w, const char *name)
{
    char *path = prose_make("%s/%s", w->folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    free(path);
    return fd;
}

static _Noreturn void become(const struct workshop *w, char *const *command, const char *out, const char *err_out)
{
    setpgid(0, 0);
    w->watch(w->arg, getpid());
    int null = open("/dev/null", O_RDONLY), first = to_file(w, out), second = err_out ? to_file(w, err_out) : first;
    if (null < 0 || first < 0 || second < 0 || dup2(null, 0) < 0 || dup2(first, 1) < 0 || dup2(second, 2) < 0
        || (!w->stay && chdir(w->folder)))
        _exit(CANNOT_RUN);
    setenv("TMPDIR", w->folder, 1);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    execvp(command[0], command);
    _exit(CANNOT_RUN);
}

/* Ends a group that is out of time: a verifier tells what it has found when it gets SIGINT. It goes when its parent does. */
static pid_t start_clock(pid_t group, double seconds)
{
    pid_t self = getpid(), clock = fork();
    if (clock)
        return clock;
    child_dies_with(self);
    setpgid(0, 0);
    struct timespec limit = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) }, grace = { 5, 0 };
    nanosleep(&limit, NULL);
    kill(-group, SIGINT);
    nanosleep(&grace, NULL);
    kill(-group, SIGKILL);
    _exit(0);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void stop_clock(pid_t clock)
{
    if (clock <= 0)
        return;
    kill(clock, SIGKILL);
    while (waitpid(clock, NULL, 0) < 0 && errno == EINTR)
        ;
}

int tool_run(const struct workshop *w, char *const *command, const char *out, const char *err_out, double seconds,
             struct tool_ended *ended, struct err *err)
{
    double start = now();
    *ended = (struct tool_ended){ 0 };
    pid_t child = fork();
    if (child < 0)
        return fail_errno(err, "%s cannot be started", command[0]);
    if (!child)
        become(w, command, out, err_out);
    setpgid(child, child);
    pid_t clock = seconds > 0 ? start_clock(child, seconds) : 0;
    ended->status = w->wait(w->arg, child);
    stop_clock(clock);
    w->watch(w->arg, 0);
    ended->seconds = now() - start;
    ended->missing = WIFEXITED(ended->status) && WEXITSTATUS(ended->status) == CANNOT_RUN;
    ended->out_of_time = seconds > 0 && ended->seconds >= seconds;
    return w->stopped(w->arg) ? -EINTR : 0;
}

char *tool_output(const struct workshop *w, const char *name, struct err *err)
{
    char *path = prose_make("%s/%s", w->folder, name), *text = file_text(path, "the output of a tool", err);
    free(path);
    return text;
}

static int put(const void *text, FILE *out)
{
    return fputs(text, out) < 0 ? -errno : 0;
}

int tool_write(const struct workshop *w, const char *name, const char *text, struct err *err)
{
    char *path = prose_make("%s/%s", w->folder, name);
    int failed = file_write(path, "a file for Spin", put, text, err);
    free(path);
    return failed;
}
