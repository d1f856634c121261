/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "checks/checks.h"
#include "report/condition.h"
#include "report/confirm.h"
#include "report/explain.h"
#include "report/follow.h"
#include "report/outcome.h"
#include "base/prose.h"
#include "report/races.h"
#include "report/shared.h"
#include "report/story.h"
#include "report/waiting.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct replay {
    const struct job *job;
    FILE             *out;
    int               width;         /* of a line; 0: as long as it is */
    struct path       path;
    struct run        run;
    struct trace      trace;
    int               printed;       /* file that the program prints into */
    off_t             shown;         /* how much of it was shown */
    uint32_t          libraries;     /* the first of the last steps, all in libraries, that were not shown yet; 0: none */
};

enum { BEFORE = 18, CELL = 48, LEAST_CELL = 24, GAP = 2, HANG = 2 };     /* columns: in front of an operation, of it, ... */

/* ---- while it runs ---- */

static void each_line(FILE *out, const char *prefix, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(out, "%s%.*s\n", prefix, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static bool has_printed(const struct replay *r)
{
    char one;
    return pread(r->printed, &one, 1, r->shown) > 0;
}

static void show_printed(struct replay *r)
{
    struct prose all = { 0 };
    char chunk[4096];
    ssize_t got;
    while ((got = pread(r->printed, chunk, sizeof chunk, r->shown)) > 0) {
        r->shown += got;
        for (ssize_t i = 0; i < got; i++)
            chunk[i] = chunk[i] ? chunk[i] : ' ';
        prose_bytes(&all, chunk, (size_t)got);
    }
    if (all.length)
        each_line(r->out, "              | ", all.text);
    prose_fini(&all);
}

/* The location stands beside the operation, or below it where there is no room. */
static void show_step(const struct replay *r, uint32_t step, int process, const char *does, const char *where)
{
    size_t room = r->width > BEFORE + LEAST_CELL ? (size_t)(r->width - BEFORE) : 0, columns = where ? GAP + prose_columns(where) : 0;
    bool beside = !room || columns + LEAST_CELL <= room;
    size_t cell = !room ? prose_columns(does) : beside ? room - columns : room, part = prose_fitting(does, cell);
    fprintf(r->out, "%4u  process %-2d  %.*s", step, process, (int)part, does);
    if (where && beside) {
        char *first = prose_make("%.*s", (int)part, does);
        size_t used = prose_columns(first), wide = room && cell < CELL ? cell : CELL;
        fprintf(r->out, "%*s%s", (int)((used < wide ? wide - used : 0) + GAP), "", where);
        free(first);
    }
    fputc('\n', r->out);
    for (does += part; *(does += strspn(does, " ")); does += part) {
        part = prose_fitting(does, cell - HANG);
        fprintf(r->out, "%*s%.*s\n", BEFORE + HANG, "", (int)part, does);
    }
    if (where && !beside)
        fprintf(r->out, "%*s%s\n", BEFORE + HANG, "", where);
}

static void show_libraries(struct replay *r, uint32_t last)
{
    if (!r->libraries)
        return;
    assert(r->libraries <= last && last <= r->trace.count);
    char *words = story_library(r->libraries, last);
    show_step(r, r->libraries, r->trace.events[last - 1].op.process + 1, words, NULL);
    free(words);
    r->libraries = 0;
}

/* Is it one more step in libraries, of which the last line will tell? */
static bool is_in_library(struct replay *r)
{
    uint32_t count = r->trace.count;
    const struct event *e = &r->trace.events[count - 1];
    bool library = !e->notes && story_in_library(&r->run, &r->trace, &e->op);
    if (!library || (r->libraries && r->trace.events[count - 2].op.process != e->op.process))
        show_libraries(r, count - 1);
    if (library && !r->libraries)
        r->libraries = count;
    if (library && (count == r->path.count || has_printed(r)))
        show_libraries(r, count);
    return library;
}

static void show_event(struct replay *r)
{
    assert(r->trace.count && r->trace.count <= r->path.count);
    const struct event *e = &r->trace.events[r->trace.count - 1];
    char *does = run_event(&r->run, &r->trace, r->trace.count - 1), *where = run_location(&r->run, &e->op);
    char *notes = story_notes(&r->run, e->notes);
    if (!is_in_library(r))
        show_step(r, r->trace.count, e->op.process + 1, does, where);
    show_printed(r);
    if (notes)
        each_line(r->out, "              -- ", notes);
    free(does);
    free(where);
    free(notes);
}

static int show_steps(struct replay *r, const char *scenario, struct err *err)
{
    int rc = 0;
    fprintf(r->out, "%s: %s, %u transition%s\n%s", r->job->name, scenario, r->path.count, r->path.count == 1 ? "" : "s",
            r->path.count ? "\n" : "");
    show_printed(r);
    for (uint32_t i = 0; i < r->path.count; i++) {
        rc = follow_step(&r->run, &r->path.steps[i], scenario, &r->trace, err);
        if (rc < 0)
            return rc;
        show_event(r);
    }
    return 0;
}

/* ---- where it ends ---- */

static void show_error(struct replay *r, struct condition c)
{
    struct error error = { 0 };
    explain(&r->run, &r->trace, c, &error);
    char *message = prose_make("%s%s%s", error.location ? error.location : "", error.location ? ": " : "", error.message);
    fprintf(r->out, "\n%s%s at depth %u\n", c.kind == ERROR_UNSUPPORTED ? "" : "error: ", explain_heading(error.kind), error.depth);
    prose_wrap(r->out, message, 2, 4, r->width);
    free(message);
    if (error.explanation) {
        fputc('\n', r->out);
        prose_wrap(r->out, error.explanation, 2, 4, r->width);
    }
    outcome_error_fini(&error);
}

static void show_next(struct replay *r, int process)
{
    const struct node *node = system_pending(r->run.system, process);
    char *does = run_waits_in(&r->run, &r->trace, &node->op), *where = run_location(&r->run, &node->op);
    const char *verb = node->flags & NODE_END ? "has ended" : r->run.system->enabled >> process & 1 ? "can do" : "waits in";
    char *words = prose_make("process %-2d  %s %s%s%s%s", process + 1, verb, does, where ? " (" : "", where ? where : "",
                             where ? ")" : "");
    prose_wrap(r->out, words, 2, 16, r->width);
    free(words);
    free(does);
    free(where);
}

static void show_what_next(struct replay *r)
{
    fprintf(r->out, "\nNothing is wrong here. %s\n", system_finished(r->run.system) ? "All processes have ended:"
            : system_aborted(r->run.system) ? "VS_abort ends the search here:" : "What comes next:");
    for (int p = 0; p < r->run.system->processes; p++)
        show_next(r, p);
}

/* Is it of the kind for which the file was saved? */
static bool expects(const struct path *path, enum error_kind kind)
{
    enum error_kind saved;
    return story_kind(path, &saved) && saved == kind;
}

/* Of several things that are the case, the one that the file was saved for. A file that does not say of whom is one for all. */
static bool find_wrong(const struct replay *r, struct condition *c)
{
    for (c->process = 0; c->process < r->run.system->processes; c->process++)
        if ((!r->path.process || r->path.process == c->process + 1) && checks_process(r->run.system, c->process, &c->kind) && expects(&r->path, c->kind))
            return true;
    return condition_find(r->run.system, &r->trace, r->job->search.livelock_limit, c);
}

static void show_missing(const struct replay *r)
{
    char *words = prose_make("The scenario was saved for this error, which did not come this time: %s", r->path.error);
    fputc('\n', r->out);
    prose_wrap(r->out, words, 0, 2, r->width);
    free(words);
}

/* Is it the one that the file was saved for? One that does not say which is for all. */
static bool is_race(const struct path *path, const struct race *race)
{
    return !path->race[0] || (path->race[0] == race->first.step + 1 && path->race[1] == race->second.step + 1);
}

static bool show_race(struct replay *r)
{
    uint32_t i = 0, count = r->run.datarace ? datarace_count(r->run.datarace) : 0;
    while (i < count && !is_race(&r->path, datarace_get(r->run.datarace, i)))
        i++;
    if (i == count)
        return false;
    struct error error = { 0 };
    races_describe(&r->run, &r->trace, datarace_get(r->run.datarace, i), &error);
    fprintf(r->out, "\nerror: %s at depth %u\n", explain_heading(ERROR_RACE), error.depth);
    prose_wrap(r->out, error.message, 2, 4, r->width);
    outcome_error_fini(&error);
    return true;
}

static enum result show_end(struct replay *r)
{
    struct condition c;
    if (expects(&r->path, ERROR_RACE) && show_race(r))
        return RESULT_ERRORS;
    bool wrong = find_wrong(r, &c);
    if (wrong)
        show_error(r, c);
    else
        show_what_next(r);
    if (r->path.error && !(wrong && expects(&r->path, c.kind)))
        show_missing(r);
    return !wrong ? RESULT_COMPLETE : c.kind == ERROR_UNSUPPORTED ? RESULT_INCOMPLETE : RESULT_ERRORS;
}

static void show_nondeterminism(struct replay *r, const char *who, const char *what)
{
    char *words = prose_make("%s%s\n\n%s", who, what, explain_nondeterminism);
    fprintf(r->out, "\nerror: %s\n", explain_heading(ERROR_NONDETERMINISM));
    prose_wrap(r->out, words, 2, 4, r->width);
    free(words);
}

/* What is wrong shows only when the same steps are run twice. */
static bool show_second_run(struct replay *r)
{
    struct err err;
    struct confirmation again = confirm(r->job, &r->run, &r->trace, NULL, &err);
    bool different = again.verdict == CONFIRM_DIFFERENT;
    char who[32] = "the program ";
    if (again.process >= 0)
        snprintf(who, sizeof who, "process %d ", again.process + 1);
    if (different)
        show_nondeterminism(r, who, again.words);
    confirm_fini(&again);
    return different;
}

/* Fewer or more processes than nproc says is an error of its own. In a group they come on the way, else it needs no transition. */
static bool show_wrong_nproc(struct replay *r)
{
    int has = run_processes(&r->run), nproc = r->job->nproc;
    bool may_come = run_shares(&r->run) && r->run.system->enabled;
    if (!nproc || nproc == has || (has < nproc && may_come))
        return false;
    fprintf(r->out, "error: %s\n  nproc says %d process%s, but the program has %d\n", explain_heading(ERROR_STRUCTURE), nproc,
            nproc == 1 ? "" : "es", has);
    return true;
}

static int play(struct replay *r, const char *scenario, enum result *result, struct err *err)
{
    *result = show_wrong_nproc(r) ? RESULT_ERRORS : RESULT_COMPLETE;
    if (*result == RESULT_ERRORS)
        return 0;
    int rc = show_steps(r, scenario, err);
    if (rc >= 0 && run_shares(&r->run) && show_wrong_nproc(r)) {
        *result = RESULT_ERRORS;
        return 0;
    }
    bool twice = expects(&r->path, ERROR_NONDETERMINISM);
    if (rc == -EINVAL && twice) {
        show_nondeterminism(r, "", err->text);
        *result = RESULT_ERRORS;
        return 0;
    }
    if (rc >= 0)
        *result = twice && show_second_run(r) ? RESULT_ERRORS : show_end(r);
    return rc;
}

/* While everybody still stands where the scenario ends. */
static void hold(struct replay *r)
{
    const struct system *system = r->run.system;
    struct standing all[MAX_PROCESSES];
    int count = 0;
    for (int p = 0; p < system->processes; p++) {
        pid_t pid = native_pid(r->run.native, p, system->node[p]);
        if (pid)
            all[count++] = (struct standing){ p + 1, pid };
    }
    fflush(r->out);
    r->job->hold(r->job->hold_arg, all, count);
}

int job_replay(const struct job *job, const char *scenario, FILE *out, int width, enum result *result, struct err *err)
{
    struct replay r = { .job = job, .out = out, .width = width, .printed = -1 };
    struct texts *texts = texts_new();
    *result = RESULT_COMPLETE;
    trace_init(&r.trace);
    int rc = path_read(&r.path, scenario, err);
    if (rc < 0)
        goto out;
    r.printed = memfd_create("verisoft-output", MFD_CLOEXEC);
    if (r.printed < 0) {
        rc = fail_errno(err, "no memory for the program's output");
        goto out;
    }
    struct job group;
    if (path_shares(&r.path) || job->native.group) {
        rc = job_as_group(job, &group, err);
        if (rc < 0)
            goto out;
        r.job = &group;
    }
    rc = shared_read(&r.job->native, r.path.shared, scenario, err);
    if (rc < 0)
        goto out;
    rc = run_start(&r.run, r.job, RUN_FOLLOW, r.printed, texts, err);
    if (rc < 0)
        goto out;
    r.trace.held = r.run.held;
    rc = play(&r, scenario, result, err);
    if (rc >= 0 && job->hold)
        hold(&r);
    run_stop(&r.run);
out:
    if (r.printed >= 0)
        close(r.printed);
    path_fini(&r.path);
    trace_fini(&r.trace);
    texts_free(texts);
    return rc;
}
