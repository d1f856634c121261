/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/live.h"

#include "base/child.h"
#include "base/memory.h"
#include "objects/process.h"
#include "objects/types.h"
#include "report/run.h"

#include <assert.h>
#include <errno.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 1000 };             /* looks whether the host has ended, every two milliseconds */

/* What the host says when it has executed all that it was told. */
struct answer {
    int        failure;                      /* 0, or a negative errno and `err` */
    struct err err;
    pid_t      pids[MAX_PROCESSES];          /* 0: there is none */
};

struct live {
    const struct job *job;
    pid_t             host;                  /* 0: not started */
    int               line;                  /* to the host */
    bool              busy;
    struct trace      done;                  /* told so far */
    struct answer     last;
};

/* ---- talk ---- */

static bool send_all(int fd, const void *bytes, size_t length)
{
    for (const char *at = bytes; length;) {
        ssize_t sent = send(fd, at, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        length -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int fd, void *bytes, size_t length)
{
    for (char *at = bytes; length;) {
        ssize_t got = recv(fd, at, length, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

/* ---- in the host ---- */

struct host {
    struct run   run;
    struct trace trace;
    int          line;
};

/* Texts have other numbers here, and objects of a group may have; places are the same where addresses are fixed. */
static bool same_op(const struct host *h, const struct op *a, const struct op *b)
{
    return a->type == b->type && a->code == b->code && !memcmp(a->arg, b->arg, sizeof a->arg)
        && (a->place == b->place || !native_comparable(h->run.native));
}

static bool same_end(const struct host *h, const struct op *a, const struct op *b)
{
    return types_mishap(a) && types_mishap(b) ? a->code == b->code : same_op(h, a, b);
}

static int did_other(const struct host *h, const struct op *is, const struct op *was, struct err *err)
{
    char *does = run_operation(&h->run, &h->trace, is), *here = run_location(&h->run, is), *there = run_location(&h->run, was);
    int rc = fail(err, "the live copy did something else than the scenario: process %d came to %s%s%s instead of %s%s%s. The program "
                  "is not deterministic, so gdb cannot show this state", is->process + 1, does, here ? " at " : "", here ? here : "",
                  types_get(was->type)->operations[was->code].name, there ? " at " : "", there ? there : "");
    free(does);
    free(here);
    free(there);
    return rc;
}

static int execute(struct host *h, const struct event *event, struct err *err)
{
    struct system *system = h->run.system;
    int p = event->op.process;
    if (p >= system->processes)
        return fail(err, "the live copy did something else than the scenario: it has no process %d", p + 1);
    const struct op pending = system_pending(system, p)->op;
    system_next_child(system, event->result);
    if (!same_op(h, &pending, &event->op) || !(system->enabled >> p & 1) || system_choices(system, p) <= event->choice)
        return did_other(h, &pending, &event->op, err);
    int rc = trace_execute(&h->trace, system, p, event->choice, err);
    if (rc < 0)
        return rc;
    const struct op *next = &h->trace.events[h->trace.count - 1].next;
    if (op_from_outside(next))
        return fail(err, "process %d of the live copy was killed from outside", p + 1), -ESRCH;
    return same_end(h, next, &event->next) ? 0 : did_other(h, next, &event->next, err);
}

static pid_t pid_of(const struct host *h, int process)
{
    const struct system *s = h->run.system;
    int first = process;
    if (run_shares(&h->run))
        first = process_host(s->words + s->objects[s->table].state, process);
    return first < 0 ? 0 : native_pid(h->run.native, first, s->node[first]);
}

static bool report(struct host *h, int failure, const struct err *err)
{
    struct answer answer = { .failure = failure };
    if (failure)
        answer.err = *err;
    for (int p = 0; !failure && p < h->run.system->processes; p++)
        answer.pids[p] = pid_of(h, p);
    return send_all(h->line, &answer, sizeof answer);
}

/* False: there is nobody to work for any more. */
static bool serve(struct host *h)
{
    uint32_t count;
    struct err err;
    int rc = 0;
    if (!receive_all(h->line, &count, sizeof count))
        return false;
    struct event *events = memory_get((count + 1) * sizeof *events);
    bool there = receive_all(h->line, events, count * sizeof *events);
    for (uint32_t i = 0; there && i < count && rc >= 0; i++)
        rc = execute(h, &events[i], &err);
    free(events);
    return there && report(h, rc, &err) && rc >= 0;
}

static volatile int ending;

static void on_end(int signal)
{
    (void)signal;
    ending = 1;
}

/* Away from the terminal's Ctrl-C and from our descriptors; gone when our parent is. */
static void come_away(int line, pid_t parent)
{
    struct sigaction end = { .sa_handler = on_end };
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    child_dies_with(parent);
    setsid();
    prctl(PR_SET_NAME, "verisoft-live");
    for (int i = 1; i < NSIG; i++)
        if (i != SIGCHLD)            /* native has a handler for it, and will not set it twice */
            signal(i, SIG_DFL);
    sigaction(SIGTERM, &end, NULL);
    sched_setaffinity(0, sizeof all, &all);
    dup2(line, 3);
    syscall(SYS_close_range, 4, ~0u, 0);
}

static _Noreturn void be_host(const struct job *job, int line, pid_t parent)
{
    struct job own = *job;
    struct host h = { .line = 3 };
    struct err err;
    come_away(line, parent);
    own.native.threads = true;
    own.native.interrupt = &ending;
    trace_init(&h.trace);
    int rc = run_start(&h.run, &own, RUN_FOLLOW, -1, texts_new(), &err);
    if (rc < 0) {
        h.run = (struct run){ 0 };
        report(&h, rc, &err);
        _exit(0);
    }
    if (report(&h, 0, &err))
        while (serve(&h))
            ;
    run_stop(&h.run);
    _exit(0);
}

/* ---- here ---- */

struct live *live_new(const struct job *job)
{
    struct live *l = memory_get(sizeof *l);
    l->job = job;
    l->line = -1;
    trace_init(&l->done);
    return l;
}

/* It ends the program and waits for its processes, so that not even a zombie is left; if it cannot, the kernel does it. */
static void end_host(pid_t host)
{
    struct timespec moment = { .tv_nsec = 2000000 };
    pid_t gone = 0;
    kill(host, SIGTERM);
    for (int i = 0; i < PATIENCE && (gone = waitpid(host, NULL, WNOHANG)) == 0; i++)
        nanosleep(&moment, NULL);
    if (gone)
        return;
    kill(host, SIGKILL);
    while (waitpid(host, NULL, 0) < 0 && errno == EINTR)
        ;
}

void live_stop(struct live *l)
{
    if (l->host) {
        close(l->line);
        end_host(l->host);
    }
    l->host = 0;
    l->line = -1;
    l->busy = false;
    l->done.count = 0;
}

void live_free(struct live *l)
{
    if (!l)
        return;
    live_stop(l);
    trace_fini(&l->done);
    free(l);
}

bool live_there(struct live *l)
{
    siginfo_t info = { 0 };
    if (l->host && (waitid(P_PID, (id_t)l->host, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid))
        live_stop(l);
    return l->host != 0;
}

int live_start(struct live *l, struct err *err)
{
    int ends[2];
    live_stop(l);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return fail_errno(err, "no socket to talk to the live copy of the program");
    pid_t self = getpid();
    l->host = fork();
    if (l->host == 0)
        be_host(l->job, ends[1], self);
    close(ends[1]);
    if (l->host < 0) {
        l->host = 0;
        close(ends[0]);
        return fail_errno(err, "no new process for the live copy of the program");
    }
    l->line = ends[0];
    l->busy = true;
    int rc;
    while ((rc = live_wait(l, 100, err)) == 0)
        if (l->job->interrupt && *l->job->interrupt) {
            live_stop(l);
            return fail(err, "interrupted"), -EINTR;
        }
    return rc < 0 ? rc : 0;
}

uint32_t live_count(const struct live *l) { return l->done.count; }
bool     live_busy(const struct live *l)  { return l->busy; }
int      live_descriptor(const struct live *l) { return l->line; }

pid_t live_pid(const struct live *l, int process)
{
    return process >= 0 && process < MAX_PROCESSES ? l->last.pids[process] : 0;
}

static bool same_event(const struct event *a, const struct event *b)
{
    return a->op.process == b->op.process && a->op.type == b->op.type && a->op.code == b->op.code && a->choice == b->choice
        && a->result == b->result && !memcmp(a->fingerprint, b->fingerprint, sizeof a->fingerprint);
}

bool live_begins(const struct live *l, const struct trace *trace, uint32_t at)
{
    if (l->done.count > at)
        return false;
    for (uint32_t i = l->done.count; i-- > 0;)
        if (!same_event(&l->done.events[i], &trace->events[i]))
            return false;
    return true;
}

int live_tell(struct live *l, const struct event *events, uint32_t count, struct err *err)
{
    assert(l->host && !l->busy);
    if (!send_all(l->line, &count, sizeof count) || !send_all(l->line, events, count * sizeof *events)) {
        live_stop(l);
        return fail(err, "the live copy of the program was killed"), -ESRCH;
    }
    l->busy = true;
    struct trace more = { .events = (struct event *)events, .count = count };
    trace_append(&l->done, &more);
    return 0;
}

int live_wait(struct live *l, int milliseconds, struct err *err)
{
    if (!l->busy)
        return 1;
    struct pollfd news = { .fd = l->line, .events = POLLIN };
    if (poll(&news, 1, milliseconds) <= 0)
        return 0;
    if (!receive_all(l->line, &l->last, sizeof l->last)) {
        live_stop(l);
        return fail(err, "the live copy of the program was killed"), -ESRCH;
    }
    l->busy = false;
    if (l->last.failure) {
        int failure = l->last.failure;
        *err = l->last.err;
        live_stop(l);
        return failure;
    }
    return 1;
}
