/* The check command: search the program's states and report.
 * SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "certifier/record.h"
#include "certifier/tree_record.h"
#include "cli/check.h"
#include "cli/evidence.h"
#include "cli/missions.h"
#include "cli/outpost.h"
#include "cli/plan.h"
#include "cli/progress.h"
#include "cli/replay.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "properties/invariant.h"
#include "report/ci.h"
#include "report/json.h"
#include "base/prose.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RESERVE = 4 << 20 };          /* bytes kept back, so that running out of memory leaves enough to report */

struct check {
    struct plan     plan;
    struct outcome  outcome;
    struct progress progress;
    void           *reserve;
    struct record  *record;          /* NULL: no certificate is wanted, or one of a reduced search: */
    struct tree_record *tree;
    const char     *json;            /* file for the report, "-": standard output; NULL: none */
    const char     *junit, *sarif;   /* the same for continuous integration */
    enum stopped_by stopped;         /* before there was anything to search */
};

static int status(const struct outcome *o)
{
    if (o->search.stopped_by == STOPPED_INTERRUPT)
        return EXIT_INTERRUPTED;
    switch (o->result) {
    case RESULT_COMPLETE:   return EXIT_COMPLETE;
    case RESULT_INCOMPLETE: return EXIT_INCOMPLETE;
    case RESULT_ERRORS:     return EXIT_ERRORS;
    }
    return EXIT_UNUSABLE;
}

/* Nobody reads the report any more: that is no failure of ours. */
static int write_failed(const char *what, int error)
{
    if (error == EPIPE)
        return 0;
    struct err err;
    errno = error;
    int code = fail_errno(&err, "%s: the report cannot be written", what);
    command_failed(code, &err);
    return code;
}

static int write_text(struct check *c)
{
    errno = 0;
    text_report(stdout, &c->plan.job, &c->outcome, terminal_look(&c->plan.request.settings));
    return fflush(stdout) || ferror(stdout) ? write_failed("standard output", errno) : 0;
}

/* `failure` NULL: the outcome. Else why there is none: then an earlier run's report must not be taken for this one's. */
static int write_json(struct check *c, const char *path, const char *failure)
{
    bool standard = !strcmp(path, "-");
    FILE *out = standard ? stdout : fopen(path, "we");
    if (!out)
        return write_failed(path, errno);
    int error = failure ? -json_unusable(out, c->plan.name ? c->plan.name : "", c->stopped, failure)
                        : -json_report(out, &c->plan.job, &c->outcome);
    if ((standard ? fflush(out) : fclose(out)) && !error)
        error = errno;
    return error ? write_failed(standard ? "standard output" : path, error) : 0;
}

/* For continuous integration; `failure` as above. */
static int write_ci(struct check *c, const char *failure)
{
    struct ci ci = { c->plan.name ? c->plan.name : "", &c->outcome, failure };
    struct err err;
    int junit = c->junit ? file_write(c->junit, "the JUnit report", ci_junit, &ci, &err) : 0;
    if (junit)
        command_failed(junit, &err);
    int sarif = c->sarif ? file_write(c->sarif, "the SARIF report", ci_sarif, &ci, &err) : 0;
    if (sarif)
        command_failed(sarif, &err);
    return junit ? junit : sarif;
}

/* Gives the exit status, or EXIT_UNUSABLE when what was found cannot be written as asked. */
static int report(struct check *c)
{
    const struct settings *s = &c->plan.request.settings;
    const char *json = s->values[OPTION_json].text;
    bool only_json = json && !strcmp(json, "-");
    int failed = 0;
    progress_erase(&c->progress);
    if (!only_json && !s->values[OPTION_quiet].number)
        failed = write_text(c);
    if (json && write_json(c, json, NULL))
        failed = -EIO;
    if (write_ci(c, NULL))
        failed = -EIO;
    return failed ? EXIT_UNUSABLE : status(&c->outcome);
}

static void give_up(void *arg)
{
    (void)arg;
    _exit(EXIT_UNUSABLE);
}

static const char *no_certificate(const struct check *c)
{
    switch (c->outcome.result) {
    case RESULT_ERRORS:     return "the search found errors.";
    case RESULT_INCOMPLETE: break;
    case RESULT_COMPLETE:   return NULL;
    }
    if (c->outcome.counted[COUNTS_AS_LIMIT] && c->plan.job.compiled && !c->outcome.instrumented)
        return "the search did not see everything. With --instrument 1 it sees what threads read and write without a lock.";
    return "the search was cut short, or did not see everything.";
}

/* Called in the middle of the search: the outcome has the errors confirmed so far, and nothing can be released in order. */
static void out_of_memory(void *arg)
{
    struct check *c = arg;
    struct outcome *o = &c->outcome;
    memory_on_exhausted(give_up, NULL);
    free(c->reserve);
    progress_erase(&c->progress);
    struct err err;
    fail(&err, "out of memory: the search ends here. Lower max_depth or stop_at_state, or choose a stateless --search");
    limits_of_memory(&err);
    fprintf(stderr, "verisoft: %s\n", err.text);
    o->result = o->counted[COUNTS_AS_ERROR] ? RESULT_ERRORS : RESULT_INCOMPLETE;
    o->search.coverage = COVERAGE_PART;
    o->search.stopped_by = STOPPED_MEMORY_LIMIT;
    if (!o->search.counts.states)
        o->search.counts = c->progress.latest;
    if (!o->certificate_bytes)
        o->no_certificate = prose_make("%s", no_certificate(c));
    int code = report(c);
    scratch_close(&c->plan.scratch);
    _exit(code);
}

/* ---- the certificate ---- */

/* An earlier one must not be taken for this run's, whatever comes of it. */
static int begin_certificate(struct check *c, struct err *err)
{
    struct job *job = &c->plan.job;
    bool trustful = c->plan.request.settings.values[OPTION_trustful].number;
    if (!job->certificate)
        return 0;
    struct stat status;
    int refused = file_writable(job->certificate, "the certificate", err);
    if (refused)
        return refused;
    if (!stat(job->certificate, &status) && S_ISREG(status.st_mode) && unlink(job->certificate))
        return fail_errno(err, "%s: the certificate cannot be written", job->certificate);
    if (job->search.accountable) {
        c->tree = tree_record_new(job->certificate, WATCHER_BACK);
        job->recorder = (struct recorder){ .self = c->tree, .begin = tree_record_begin, .execution = tree_record_execution };
        return 0;
    }
    enum record_states states = job->search.cache ? RECORD_AGAIN : job->search.memory_limit ? RECORD_ONCE : RECORD_BESIDE;
    c->record = record_new(trustful ? SCRIPT_TRUSTFUL : SCRIPT_SEARCH, states, job->certificate);
    job->recorder = (struct recorder){ .self = c->record, .begin = record_begin, .transition = record_transition };
    return 0;
}

/* What was looked for, and is not there. */
static void add_properties(const struct check *c, struct fields *f)
{
    fields_add(f, "made-by", "verisoft %s", VERSION);
    fields_add(f, "program", "%s", c->plan.job.name);
    fields_add(f, "checked", "%sassertion, crash, divergence, structure", c->plan.job.search.ignore_deadlock ? "" : "deadlock, ");
    fields_add(f, "processes", "%d", c->outcome.processes);
    fields_add(f, "memory", c->outcome.group ? "shared" : "own");
    if (c->outcome.instrumented)
        fields_add(f, "instrument", "%d", c->plan.job.watched != NULL);
    if (c->outcome.shared)
        fields_add(f, "shared", "%s", c->outcome.shared);
    for (uint32_t i = 0; c->plan.invariants && i < invariants_count(c->plan.invariants); i++)
        fields_add(f, "invariant", "%s", invariants_text(c->plan.invariants, i));
}

static int end_certificate(struct check *c, struct err *err)
{
    struct outcome *o = &c->outcome;
    const char *why = c->plan.job.certificate ? no_certificate(c) : NULL;
    struct fields fields = { 0 };
    if (why)
        o->no_certificate = prose_make("%s", why);
    if (!c->plan.job.certificate || why)
        return 0;
    add_properties(c, &fields);
    int bad = evidence(&c->plan, &fields, err);
    if (!bad)
        bad = c->tree ? tree_record_finish(c->tree, &fields, &o->certificate_bytes, err)
                      : record_finish(c->record, &fields, &o->certificate_bytes, err);
    if (bad)
        o->no_certificate = prose_make("%s", err->text);
    fields_fini(&fields);
    return bad;
}

/* ---- all ---- */

/* The machine has really given this memory, then: at one go where the kernel can, for a thousand page faults are a tenth of a short check. */
static void touch(char *bytes, size_t count)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), edge = (page - (uintptr_t)bytes % page) % page;
    if (madvise(bytes + edge, (count - edge) / page * page, MADV_POPULATE_WRITE))
        memset(bytes, 1, count);
}

static int search(struct check *c, struct err *err)
{
    struct job *job = &c->plan.job;
    const struct settings *s = &c->plan.request.settings;
    struct progress_limits limits = { (uint64_t)s->values[OPTION_time_limit].number, job->search.stop_at_state, job->search.strategy == SEARCH_RANDOM };
    progress_init(&c->progress, terminal_for_progress(s), limits);
    job->progress = progress_tell;
    job->progress_arg = &c->progress;
    c->reserve = memory_get(RESERVE);
    touch(c->reserve, RESERVE);
    memory_on_exhausted(out_of_memory, c);
    struct missions *missions = missions_open(&c->plan, err);
    int failed = missions || !err->text[0] ? job_run(job, &c->outcome, err) : -EINVAL;
    missions_close(missions, &c->outcome);
    memory_on_exhausted(NULL, NULL);
    free(c->reserve);
    progress_erase(&c->progress);
    return failed;
}

/* The time was over before there was anything to search. */
static int report_nothing(struct check *c)
{
    outcome_fini(&c->outcome);
    c->outcome = (struct outcome){ .settings = c->plan.job.search, .result = RESULT_INCOMPLETE };
    c->outcome.search = (struct search_result){ .coverage = COVERAGE_PART, .stopped_by = STOPPED_TIME_LIMIT };
    return report(c);
}

/* The run came to nothing. */
static int fail_and_report(struct check *c, int failed, const struct err *err)
{
    if (failed == -EINTR && search_stopped_by(signals_interrupt()) == STOPPED_TIME_LIMIT)
        return report_nothing(c);
    c->stopped = failed == -EINTR ? STOPPED_INTERRUPT : STOPPED_NOTHING;
    int code = command_failed(failed, err);
    if (c->json)
        write_json(c, c->json, c->stopped ? "interrupted" : err->text);
    write_ci(c, c->stopped ? "interrupted" : err->text);
    return code;
}

/* What cannot be written is told before the search, not after it. */
static int can_report(const struct check *c, struct err *err)
{
    int bad = file_writable(c->json, "the report", err);
    if (!bad)
        bad = file_writable(c->junit, "the JUnit report", err);
    return bad ? bad : file_writable(c->sarif, "the SARIF report", err);
}

static int search_and_report(struct check *c)
{
    struct err err = { .text = "" };
    int failed = can_report(c, &err), code;
    if (failed)
        return command_failed(failed, &err);
    failed = begin_certificate(c, &err);
    if (!failed)
        failed = search(c, &err);
    int unwritten = failed ? 0 : end_certificate(c, &err);
    if (failed && !c->outcome.finding_count) {
        code = fail_and_report(c, failed, &err);
    } else {
        code = report(c);
        if (failed || unwritten)
            command_failed(failed ? failed : unwritten, &err);
        code = unwritten ? EXIT_UNUSABLE : code;
    }
    record_free(c->record);
    tree_record_free(c->tree);
    outcome_fini(&c->outcome);
    return code;
}

/* Where a report is to go, also when the rest of the command line cannot be read. */
static const char *report_file(const char *option, int count, char **words)
{
    const char *file = NULL;
    size_t length = strlen(option);
    for (int i = 0; i < count && strcmp(words[i], "--"); i++)
        if (!strncmp(words[i], option, length) && words[i][length] == '=')
            file = words[i] + length + 1;
        else if (!strcmp(words[i], option) && i + 1 < count)
            file = words[i + 1];
    return file;
}

int check_as(const struct command *command, const char *self, int count, char **words)
{
    struct check c = { .json = report_file("--json", count, words), .junit = report_file("--junit", count, words),
                       .sarif = report_file("--sarif", count, words) };
    struct err err = { .text = "" };
    int failed = plan_make(&c.plan, command, self, count, words, &err);
    const char *mission = failed ? NULL : c.plan.request.settings.values[OPTION_mission].text;
    int code = failed ? fail_and_report(&c, failed, &err)
             : mission ? outpost_serve(&c.plan, mission)
             : c.plan.request.scenario ? replay_show(&c.plan) : search_and_report(&c);
    plan_free(&c.plan);
    return code;
}

static int run(const char *self, int count, char **words) { return check_as(&command_check, self, count, words); }

const struct command command_check = {
    .name     = "check",
    .synopsis = "[check] PROGRAM [options] [-- program's arguments] [+ PROGRAM ...]",
    .summary  = "search the program's states for errors; what is done when no command is named",
    .options  = IN_CHECK,
    .run      = run,
};
