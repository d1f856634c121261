/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cli/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The janitor's first and only message. */
struct new_folder { int error; char folder[PATH_MAX]; };               /* error 0, or an errno */

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *where)
{
    (void)s, (void)kind, (void)where;
    remove(path);
    return 0;
}

static void remove_tree(const char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A compiler that is being killed may still make a file. */
static void remove_for_good(const char *folder)
{
    enum { TRIES = 500 };
    struct timespec a_while = { .tv_nsec = 20000000 };
    for (int i = 0; i < TRIES; i++) {
        remove_tree(folder);
        if (access(folder, F_OK))
            return;
        nanosleep(&a_while, NULL);
    }
}

static void make_folder(struct new_folder *made)
{
    const char *parent = getenv("TMPDIR");
    char absolute[PATH_MAX];
    if (!parent || !*parent)
        parent = "/tmp";
    if (!realpath(parent, absolute)
        || snprintf(made->folder, sizeof made->folder, "%s/verisoft-XXXXXX", absolute) >= (int)sizeof made->folder
        || !mkdtemp(made->folder))
        made->error = errno;
}

static void hold_only(int socket)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    dup2(socket, 3);
    closefrom(4);
    if (chdir("/"))
        return;                      /* then the current folder stays in use, which harms only who unmounts it */
}

/* What is left to be ended: a process group, jobs of a cluster. */
struct charge { pid_t group; char jobs[64]; };

/* Ends at the end of the socket. */
static struct charge watch(int socket)
{
    struct charge all = { 0 }, told;
    for (ssize_t got; (got = read(socket, &told, sizeof told)) > 0;)
        if (got == (ssize_t)sizeof told.group)
            all.group = told.group;
        else if (got == (ssize_t)sizeof told)
            memcpy(all.jobs, told.jobs, sizeof all.jobs);
    return all;
}

static void cancel(const char *jobs)
{
    char name[80];
    snprintf(name, sizeof name, "--name=%.63s", jobs);
    pid_t child = fork();
    if (child == 0) {
        execlp("scancel", "scancel", name, (char *)NULL);
        _exit(127);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

static _Noreturn void janitor(int socket)
{
    struct new_folder made = { 0 };
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);    /* who signals everything called verisoft must not make us tidy too early */
    setsid();
    prctl(PR_SET_NAME, "verisoft-tidy");
    make_folder(&made);
    hold_only(socket);
    struct charge left = { 0 };
    if (write(3, &made, sizeof made) > 0)
        left = watch(3);
    if (left.group)
        kill(-left.group, SIGKILL);
    if (left.jobs[0])
        cancel(left.jobs);
    if (!made.error)
        remove_for_good(made.folder);
    _exit(0);
}

static int start_janitor(struct scratch *s)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return errno;
    s->janitor = fork();
    if (s->janitor == 0)
        janitor(pair[1]);
    int error = s->janitor < 0 ? errno : 0;
    close(pair[1]);
    s->socket = pair[0];
    return error;
}

static int hear_folder(struct scratch *s)
{
    struct new_folder made = { .error = EIO };
    while (read(s->socket, &made, sizeof made) < 0 && errno == EINTR)
        ;
    if (!made.error)
        strcpy(s->folder, made.folder);
    return made.error;
}

int scratch_open(struct scratch *s, struct err *err)
{
    *s = (struct scratch){ .socket = -1 };
    const char *words = "no new process to look after the compiled program";
    int error = start_janitor(s);
    if (!error) {
        words = "cannot make a folder for the compiled program; set TMPDIR to a folder that can be written";
        error = hear_folder(s);
    }
    if (!error)
        return 0;
    scratch_close(s);
    errno = error;
    return fail_errno(err, "%s", words);
}

void scratch_watch(const struct scratch *s, pid_t group)
{
    if (write(s->socket, &group, sizeof group) < 0)
        return;                      /* the janitor was killed: nothing is left to tell it */
}

void scratch_cancel(const struct scratch *s, const char *name)
{
    struct charge charge = { 0 };
    snprintf(charge.jobs, sizeof charge.jobs, "%s", name);
    if (write(s->socket, &charge, sizeof charge) < 0)
        return;
}

void scratch_close(struct scratch *s)
{
    if (s->folder[0])
        remove_tree(s->folder);
    if (s->socket >= 0) {
        shutdown(s->socket, SHUT_RDWR);      /* ends the janitor even if another process still holds a copy */
        close(s->socket);
    }
    if (s->janitor > 0)
        waitpid(s->janitor, NULL, 0);
    *s = (struct scratch){ .socket = -1 };
}
