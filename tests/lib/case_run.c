/* Running a command, and saying what is wrong. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "case.h"

#include <glob.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 1500, MOST_COMPLAINTS = 6 };       /* seconds, to end a hang */

void complain(struct test *t, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    if (t->failures++ >= MOST_COMPLAINTS)
        return;
    printf("%s:%d: ", t->source->path, t->expect->line);
    vprintf(format, rest);
    printf("\n    %s\n", t->command);
}

char *make(const char *format, ...)
{
    char *text = NULL;
    va_list rest;
    va_start(rest, format);
    if (vasprintf(&text, format, rest) < 0)
        abort();
    va_end(rest);
    return text;
}

/* ---- running ---- */

static pid_t running;

static void too_long(int signal)
{
    (void)signal;
    kill(-running, SIGTERM);
    sleep(1);
    kill(-running, SIGKILL);
}

/* Its output goes to the files out and err. Gives the exit status, or 128 + the signal. */
int shell(const char *command)
{
    int status = 0;
    fflush(stdout);
    running = fork();
    if (running == 0) {
        setpgid(0, 0);
        if (!freopen("/dev/null", "r", stdin) || !freopen("out", "w", stdout) || !freopen("err", "w", stderr))
            _exit(126);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    setpgid(running, running);
    signal(SIGALRM, too_long);
    alarm(PATIENCE);
    while (waitpid(running, &status, 0) < 0)
        ;
    alarm(0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

char *contents(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file || getdelim(&text, &room, '\0', file) < 0)
        text = strdup("");
    if (file)
        fclose(file);
    return text;
}

bool holds(const char *path, const char *text)
{
    char *all = contents(path);
    bool found = strstr(all, text) != NULL;
    free(all);
    return found;
}

/* The same, wherever lines are broken. */
bool tells(const char *path, const char *text)
{
    char *all = contents(path), *to = all;
    for (const char *from = all; *from; from++)
        if (*from != '\n' && (*from != ' ' || (to > all && to[-1] != ' ')))
            *to++ = *from;
        else if (to > all && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
    bool found = strstr(all, text) != NULL;
    free(all);
    return found;
}

static void remove_scenarios(void)
{
    glob_t found;
    glob("error*.path", 0, NULL, &found);
    glob("unsupported*.path", GLOB_APPEND, NULL, &found);
    glob("unconfirmed*.path", GLOB_APPEND, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        unlink(found.gl_pathv[i]);
    globfree(&found);
}

bool run_report(struct test *t)
{
    json_error_t error;
    json_decref(t->report);
    unlink("report.json");
    remove_scenarios();
    t->status = shell(t->command);
    t->report = json_load_file("report.json", 0, &error);
    if (t->report)
        return true;
    char *err = contents("err");
    complain(t, "exit status %d and no report: %s", t->status, err);
    free(err);
    return false;
}
