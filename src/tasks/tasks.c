/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tasks/tasks.h"

#include "base/child.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_EVERY = 200, MOST_SAID = 4096 };             /* milliseconds; bytes */

struct running { uint32_t task; pid_t pid; int out; uint32_t length; };

struct crew {
    struct task                 *tasks;
    const struct tasks_settings *settings;
    struct running              *running;
    struct pollfd               *polled;
    uint32_t                     count, next, done;      /* how many run; the next to be begun; how many have ended */
    bool                         enough;
};

/* ---- one ---- */

static void become(const struct task *t, pid_t parent, int out)
{
    sigset_t none;
    child_dies_with(parent);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(out, 1);
    dup2(out, 2);
    execv(t->command[0], t->command);
    static const char words[] = "cannot be run";
    _exit(write(2, words, sizeof words - 1) < 0 ? 126 : 127);
}

static int start(struct crew *c, uint32_t number, struct err *err)
{
    struct task *t = &c->tasks[number];
    int ends[2];
    pid_t parent = getpid();
    if (pipe2(ends, O_CLOEXEC) < 0)
        return fail_errno(err, "no pipe for a task");
    pid_t pid = fork();
    if (pid == 0)
        become(t, parent, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return fail_errno(err, "no process for a task");
    }
    free(t->said);
    t->said = NULL;
    t->status = -1;
    t->tries++;
    c->running[c->count++] = (struct running){ number, pid, ends[0], 0 };
    return 0;
}

/* False: it has closed its output, which it does by ending. */
static bool listen_to(struct task *t, struct running *r)
{
    char bytes[1024];
    ssize_t got = read(r->out, bytes, sizeof bytes);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    if (!t->said)
        t->said = memory_get(MOST_SAID + 1);
    size_t room = MOST_SAID - r->length, fits = (size_t)got < room ? (size_t)got : room;
    memcpy(t->said + r->length, bytes, fits);
    r->length += (uint32_t)fits;
    return true;
}

static int wait_for(const struct running *r)
{
    int status = 0;
    while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(r->out);
    return status;
}

/* ---- all ---- */

static int died(struct crew *c, struct task *t, uint32_t number, int status, struct err *err)
{
    if (t->tries < c->settings->tries)
        return start(c, number, err);
    return fail(err, "task %u of it died by signal %d, %d times (%s)", number + 1, WTERMSIG(status), t->tries, strsignal(WTERMSIG(status)));
}

static int end(struct crew *c, uint32_t i, struct err *err)
{
    struct running r = c->running[i];
    struct task *t = &c->tasks[r.task];
    int status = wait_for(&r);
    c->running[i] = c->running[--c->count];
    if (WIFSIGNALED(status))
        return died(c, t, r.task, status, err);
    t->status = WEXITSTATUS(status);
    c->done++;
    if (c->settings->ended && !c->settings->ended(c->settings->self, r.task, c->done))
        c->enough = true;
    return 0;
}

static void stop_all(struct crew *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        kill(c->running[i].pid, SIGTERM);
    for (uint32_t i = 0; i < c->count; i++)
        wait_for(&c->running[i]);
    c->count = 0;
}

static int look(struct crew *c, struct err *err)
{
    int rc = 0;
    for (uint32_t i = 0; i < c->count; i++)
        c->polled[i] = (struct pollfd){ .fd = c->running[i].out, .events = POLLIN };
    if (poll(c->polled, c->count, LOOK_EVERY) <= 0)
        return 0;
    for (uint32_t i = c->count; i-- > 0 && rc >= 0;)     /* backwards: who ends makes place for the last */
        if (c->polled[i].revents && !listen_to(&c->tasks[c->running[i].task], &c->running[i]))
            rc = end(c, i, err);
    return rc;
}

int tasks_run(struct task *tasks, uint32_t count, const struct tasks_settings *settings, struct err *err)
{
    struct crew c = { .tasks = tasks, .settings = settings };
    uint32_t jobs = settings->jobs < 1 ? 1 : (uint32_t)settings->jobs;
    int rc = 0;
    c.running = memory_get((jobs + 1) * sizeof *c.running);
    c.polled = memory_get((jobs + 1) * sizeof *c.polled);
    while (rc >= 0 && !c.enough && (c.count || c.next < count)) {
        while (rc >= 0 && c.count < jobs && c.next < count)
            rc = start(&c, c.next++, err);
        if (rc >= 0)
            rc = look(&c, err);
        if (rc >= 0 && settings->interrupt && *settings->interrupt)
            rc = -EINTR;
    }
    stop_all(&c);
    free(c.running);
    free(c.polled);
    return rc;
}
