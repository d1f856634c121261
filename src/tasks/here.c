/* A crew on this machine: a process for each command; its words come through a pipe, whose end is told by its own end.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tasks/crew.h"

#include "base/child.h"
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SAID = 4096 };           /* bytes */

struct running { uint64_t ticket; pid_t pid; int out; uint32_t length; char *said; };

struct here {
    struct crew     crew;
    struct running *running;
    struct pollfd  *polled;
    uint32_t        count, jobs;
    cpu_set_t       cores;           /* where commands may run: whoever asked for them may stay on one of these later */
};

static struct here *here_of(const struct crew *c) { return (struct here *)c; }

/* ---- one ---- */

static void become(const struct here *h, char *const *command, pid_t parent, int out)
{
    sigset_t none;
    child_dies_with(parent);
    sched_setaffinity(0, sizeof h->cores, &h->cores);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(out, 1);
    dup2(out, 2);
    execv(command[0], command);
    static const char words[] = "cannot be run";
    _exit(write(2, words, sizeof words - 1) < 0 ? 126 : 127);
}

static int start_one(struct here *h, const struct crew_order *o, struct err *err)
{
    int ends[2];
    pid_t parent = getpid();
    assert(h->count < h->jobs && o->command[0]);
    if (pipe2(ends, O_CLOEXEC) < 0)
        return fail_errno(err, "no pipe for a task");
    pid_t pid = fork();
    if (pid == 0)
        become(h, o->command, parent, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return fail_errno(err, "no process for a task");
    }
    h->running[h->count++] = (struct running){ o->ticket, pid, ends[0], 0, NULL };
    return 0;
}

/* False: it has closed its output, which it does by ending. */
static bool listen_to(struct running *r)
{
    char bytes[1024];
    ssize_t got = read(r->out, bytes, sizeof bytes);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    if (!r->said)
        r->said = memory_get(MOST_SAID + 1);
    assert(r->length <= MOST_SAID);
    size_t room = MOST_SAID - r->length, fits = (size_t)got < room ? (size_t)got : room;
    memcpy(r->said + r->length, bytes, fits);
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

static void end(struct here *h, uint32_t i, struct crew_ended *to)
{
    assert(i < h->count);
    struct running r = h->running[i];
    int status = wait_for(&r);
    h->running[i] = h->running[--h->count];
    *to = (struct crew_ended){ r.ticket, WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0, r.said };
}

static int look(struct crew *c, int milliseconds, struct crew_ended *to, struct err *err)
{
    struct here *h = here_of(c);
    (void)err;
    assert(h->count <= h->jobs);
    for (uint32_t i = 0; i < h->count; i++)
        h->polled[i] = (struct pollfd){ .fd = h->running[i].out, .events = POLLIN };
    if (poll(h->polled, h->count, milliseconds) <= 0)
        return 0;
    for (uint32_t i = h->count; i-- > 0;)
        if (h->polled[i].revents && !listen_to(&h->running[i])) {
            end(h, i, to);
            return 1;
        }
    return 0;
}

static void stop_at(struct here *h, uint32_t i)
{
    struct crew_ended ended;
    end(h, i, &ended);
    free(ended.said);
}

static void stop(struct crew *c, uint64_t ticket)
{
    struct here *h = here_of(c);
    for (uint32_t i = h->count; i-- > 0;)
        if (h->running[i].ticket == ticket) {
            kill(h->running[i].pid, SIGTERM);
            stop_at(h, i);
        }
}

static uint32_t room(const struct crew *c) { return here_of(c)->jobs - here_of(c)->count; }

static int start(struct crew *c, const struct crew_order *orders, uint32_t count, struct err *err)
{
    int bad = 0;
    for (uint32_t i = 0; i < count && !bad; i++)
        if ((bad = start_one(here_of(c), &orders[i], err)))
            while (i-- > 0)
                stop(c, orders[i].ticket);
    return bad;
}

static const char *machine(const struct crew *c, uint64_t ticket)
{
    (void)c, (void)ticket;
    return "here";
}

static void free_here(struct crew *c)
{
    struct here *h = here_of(c);
    for (uint32_t i = 0; i < h->count; i++)
        kill(h->running[i].pid, SIGTERM);
    while (h->count)
        stop_at(h, h->count - 1);
    assert(!h->count);               /* none of its commands is running */
    free(h->running);
    free(h->polled);
    free(h);
}

static const struct crew_place place = { free_here, room, start, stop, look, machine };

struct crew *crew_here(int jobs)
{
    struct here *h = memory_get(sizeof *h);
    h->crew.place = &place;
    h->jobs = jobs < 1 ? 1 : (uint32_t)jobs;
    sched_getaffinity(0, sizeof h->cores, &h->cores);
    h->running = memory_get(h->jobs * sizeof *h->running);
    h->polled = memory_get(h->jobs * sizeof *h->polled);
    return &h->crew;
}
