/* One loop: give jobs to those who are idle, wait until somebody says something or falls silent, and see to it.
 * SPDX-License-Identifier: MIT */
#include "server.h"
#include "backlog.h"
#include "crew.h"
#include "worker.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

struct server {
    struct server_options options;
    struct backlog        backlog;
    struct crew           crew;
    struct server_stats   stats;
    server_listener      *listener;  /* of the run that is going on */
    void                 *context;
};

int server_new(struct server **out, const struct server_options *o)
{
    if (o->workers < 1 || o->workers > CREW_MOST || o->attempts < 1)
        return -EINVAL;
    struct server *s = calloc(1, sizeof *s);
    if (!s)
        return -ENOMEM;
    s->options = *o;
    backlog_init(&s->backlog);
    crew_init(&s->crew, o->workers, o->jobs_per_worker);
    signal(SIGPIPE, SIG_IGN);        /* a worker that is gone is told by EPIPE, not by our death */
    *out = s;
    return 0;
}

void server_free(struct server *s)
{
    if (!s)
        return;
    for (unsigned i = 0; i < s->crew.count; i++)
        if (s->crew.members[i].state != ABSENT)
            crew_dismiss(&s->crew, i);
    backlog_fini(&s->backlog);
    free(s);
}

int server_submit(struct server *s, const struct job *job, uint32_t *id)
{
    return backlog_add(&s->backlog, job, id);
}

struct server_stats server_statistics(const struct server *s)
{
    return s->stats;
}

/* ---- results ---- */

static void deliver(struct server *s, uint32_t id, const struct result *r)
{
    unsigned long *const counters[] = { &s->stats.done, &s->stats.failed, &s->stats.lost };
    backlog_finish(&s->backlog, id);
    ++*counters[r->outcome];
    s->listener(id, &backlog_entry(&s->backlog, id)->job, r, s->context);
}

/* The job that a dead worker had: once more, or given up. */
static void give_back(struct server *s, uint32_t id)
{
    const struct entry *e = backlog_entry(&s->backlog, id);
    struct result lost = { .outcome = RESULT_LOST };
    if (e->attempts < s->options.attempts) {
        s->stats.retries++;
        backlog_again(&s->backlog, id);
    } else {
        deliver(s, id, &lost);
    }
}

/* ---- workers ---- */

static bool was_expected(const struct member *m, int status)
{
    return m->state == LEAVING && WIFEXITED(status) && WEXITSTATUS(status) == WORKER_WELL;
}

static int bury(struct server *s, unsigned place)
{
    struct member *m = &s->crew.members[place];
    struct member was = *m;
    int status = crew_bury(&s->crew, place);
    if (status < 0)
        return status;
    if (!was_expected(&was, status))
        s->stats.deaths++;
    if (was.state == BUSY)
        give_back(s, was.job);
    return 0;
}

static int assign(struct server *s, unsigned place, uint32_t id)
{
    struct member *m = &s->crew.members[place];
    struct frame f;
    job_to_frame(&backlog_entry(&s->backlog, id)->job, id, &f);
    m->state = BUSY;
    m->job = id;
    int error = channel_send(&m->channel, &f);
    return error == -EPIPE ? bury(s, place) : error;
}

static bool nobody_waits(const struct server *s) { return s->backlog.first == NO_JOB; }

/* Workers are hired when there is something to do for them. */
static int hand_out(struct server *s)
{
    for (unsigned i = 0; i < s->crew.count && !nobody_waits(s); i++) {
        struct member *m = &s->crew.members[i];
        if (m->state == ABSENT) {
            int error = crew_hire(&s->crew, i);
            if (error)
                return error;
            s->stats.hired++;
        }
        if (m->state == IDLE) {
            int error = assign(s, i, backlog_begin(&s->backlog));
            if (error)
                return error;
        }
    }
    return 0;
}

/* ---- hearing ---- */

static int accept_result(struct server *s, struct member *m, const struct frame *f)
{
    struct result r;
    if (m->state != BUSY || f->job != m->job || result_from_frame(f, &r) < 0)
        return -EPROTO;
    m->served++;
    m->state = s->options.jobs_per_worker && m->served == s->options.jobs_per_worker ? LEAVING : IDLE;
    deliver(s, f->job, &r);
    return 0;
}

/* All frames that are whole. Nonsense counts as the death of whoever says it. */
static int accept_frames(struct server *s, unsigned place)
{
    struct member *m = &s->crew.members[place];
    struct frame f;
    int found;
    while ((found = channel_next(&m->channel, &f)) > 0)
        if ((found = accept_result(s, m, &f)) < 0)
            break;
    return found < 0 ? bury(s, place) : 0;
}

/* Something is there to be read, which may be the end. */
static int hear(struct server *s, unsigned place)
{
    int filled = channel_fill(&s->crew.members[place].channel);
    return filled > 0 ? accept_frames(s, place) : bury(s, place);
}

/* The last words of a worker are in the pipe when it has hung up already: so what can be read is read first, and the end of
 * the pipe comes as a read that gives nothing. BUG: who has hung up is dead. */
static int see_to(struct server *s, unsigned place, short events)
{
#ifdef BUG
    if (events & POLLHUP)
        return bury(s, place);
#endif
    return events & (POLLIN | POLLHUP | POLLERR) ? hear(s, place) : 0;
}

/* Waits until one of the crew says something or hangs up, and sees to all who have. */
static int attend(struct server *s)
{
    struct pollfd fds[CREW_MOST];
    unsigned places[CREW_MOST], count = 0;
    for (unsigned i = 0; i < s->crew.count; i++)
        if (s->crew.members[i].state != ABSENT) {
            fds[count] = (struct pollfd){ .fd = s->crew.members[i].channel.in, .events = POLLIN };
            places[count++] = i;
        }
    assert(count > 0);
    while (poll(fds, count, -1) < 0)
        if (errno != EINTR)
            return -errno;
    for (unsigned k = 0; k < count; k++) {
        int error = see_to(s, places[k], fds[k].revents);
        if (error)
            return error;
    }
    return 0;
}

int server_run(struct server *s, server_listener *listener, void *context)
{
    int error = 0;
    s->listener = listener;
    s->context = context;
    while (s->backlog.open > 0 && !error) {
        error = hand_out(s);
        if (!error && s->backlog.open > 0)
            error = attend(s);
    }
    return error;
}
