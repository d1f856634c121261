/* expect: complete.
 *     verisoft *.c
 * expect: complete.
 *     verisoft *.c -- crash
 * expect: complete.
 *     verisoft *.c -- mixed 2 2 1
 * expect -DBUG: assertion.
 *     verisoft *.c -DBUG -- plain 1 1 1
 * expect -DBUG_CLOSE: deadlock.
 *     verisoft *.c -DBUG_CLOSE
 *
 * A client of the server that knows what must come out: main SCENARIO WORKERS JOBS JOBS_PER_WORKER, by default `plain 2 2 0`.
 * SPDX-License-Identifier: MIT */
#include "server.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 100000, ATTEMPTS = 2 };

struct setup {
    const char *scenario;
    unsigned    workers, jobs, jobs_per_worker;
};

/* Of the results so far. */
struct ledger {
    unsigned char *results;          /* for each job: how many it got */
    bool           quiet;
};

/* ---- the jobs ---- */

static struct job plain(unsigned i)
{
    struct job job = { .kind = i % 2 ? JOB_REVERSE : JOB_SUM, .number = i + 1 };
    snprintf(job.text, sizeof job.text, "text %u", i);
    return job;
}

/* The first one kills its worker, again and again, until it is given up. */
static struct job crash(unsigned i)
{
    struct job job = plain(i);
    if (i == 0)
        job.kind = JOB_CRASH;
    return job;
}

static struct job mixed(unsigned i)
{
    struct job job = plain(i);
    if (i % 2)
        job.kind = JOB_FAIL;
    return job;
}

static const struct scenario {
    const char *name;
    struct job (*job)(unsigned);
} scenarios[] = { { "plain", plain }, { "crash", crash }, { "mixed", mixed } };

/* ---- what must come out ---- */

static void check_sum(const struct job *job, const struct result *r)
{
    assert(r->outcome == RESULT_DONE);
    assert(r->number == job->number * (job->number + 1) / 2);
}

static void check_reverse(const struct job *job, const struct result *r)
{
    size_t length = strlen(job->text);
    assert(r->outcome == RESULT_DONE && strlen(r->text) == length);
    for (size_t i = 0; i < length; i++)
        assert(r->text[i] == job->text[length - 1 - i]);
}

static void hear(uint32_t id, const struct job *job, const struct result *r, void *context)
{
    static const char *const outcomes[] = { "done", "failed", "lost" };
    struct ledger *ledger = context;
    assert(ledger->results[id]++ == 0);
    if (!ledger->quiet)
        printf("job %u (%s): %s\n", (unsigned)id, job_name(job->kind), outcomes[r->outcome]);
    switch (job->kind) {
    case JOB_SUM:     check_sum(job, r); break;
    case JOB_REVERSE: check_reverse(job, r); break;
    case JOB_FAIL:    assert(r->outcome == RESULT_FAILED && *r->text); break;
    default:          assert(r->outcome == RESULT_LOST);
    }
}

/* Nobody dies but by the job that kills, and then no more often than it is tried. */
static void check_numbers(const struct setup *s, struct server_stats stats)
{
    unsigned long crashes = !strcmp(s->scenario, "crash") ? 1 : 0;
    assert(stats.done + stats.failed + stats.lost == s->jobs);
    assert(stats.lost == crashes);
    assert(stats.retries == crashes * (ATTEMPTS - 1));
    assert(stats.deaths == crashes * ATTEMPTS);
}

/* ---- running ---- */

static int fail(const char *what, int error)
{
    fprintf(stderr, "job-server: %s: %s\n", what, strerror(-error));
    return 1;
}

static int run(const struct setup *s, struct job (*make)(unsigned))
{
    struct server_options options = { s->workers, s->jobs_per_worker, ATTEMPTS };
    struct ledger ledger = { calloc(s->jobs, 1), s->jobs > 20 };
    struct server *server = NULL;
    int error = ledger.results ? server_new(&server, &options) : -ENOMEM;
    if (error)
        return fail("cannot begin", error);
    for (unsigned i = 0; i < s->jobs && !error; i++) {
        struct job job = make(i);
        uint32_t id;
        error = server_submit(server, &job, &id);
        assert(error || id == i);
    }
    if (!error)
        error = server_run(server, hear, &ledger);
    if (error)
        return fail("cannot go on", error);
    for (unsigned i = 0; i < s->jobs; i++)
        assert(ledger.results[i] == 1);
    check_numbers(s, server_statistics(server));
    server_free(server);
    free(ledger.results);
    return 0;
}

static bool read_number(const char *text, unsigned least, unsigned most, unsigned *out)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *out = (unsigned)value;
    return *text && !*end && value >= least && value <= most;
}

int main(int argc, char **argv)
{
    struct setup s = { argc > 1 ? argv[1] : "plain", 2, 2, 0 };
    bool good = argc <= 5 && (argc <= 2 || read_number(argv[2], 1, 16, &s.workers)) &&
                (argc <= 3 || read_number(argv[3], 1, MOST_JOBS, &s.jobs)) &&
                (argc <= 4 || read_number(argv[4], 0, MOST_JOBS, &s.jobs_per_worker));
    for (size_t i = 0; good && i < sizeof scenarios / sizeof *scenarios; i++)
        if (!strcmp(scenarios[i].name, s.scenario))
            return run(&s, scenarios[i].job);
    fprintf(stderr, "usage: job-server [plain|crash|mixed [WORKERS [JOBS [JOBS_PER_WORKER]]]]\n");
    return 2;
}
