/* SPDX-License-Identifier: MIT */
#include "cli/trial.h"

#include "base/memory.h"
#include "base/prose.h"
#include "cli/plan.h"
#include "objects/types.h"
#include "properties/cube.h"
#include "properties/invariant.h"
#include "report/condition.h"
#include "report/explain.h"
#include "report/follow.h"
#include "report/outcome.h"
#include "report/scenario.h"
#include "report/story.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE = 100 };             /* steps of a thread before the operation that is looked for, such as its start */

struct bench { struct plan plan; bool ready, threads; struct err err; };

struct follower {
    struct job       job;
    struct run       run;
    struct trace     trace;
    int              real[MAX_PROCESSES];        /* the process that a thread of the model is; -1: not there yet */
    int              fresh;          /* the process that the last step has made; -1: none */
    bool             wrong;          /* something is wrong: `condition` says what */
    struct condition condition;
    char            *why;            /* the program departs, because; NULL: it does not */
    struct lookout  *lookout;        /* NULL: nothing is watched */
    int              deed;           /* that is done */
    bool             again;          /* there is more to be seen of it than was known: it is to be followed from the start */
    struct err       err;
};

/* ---- the program ---- */

struct bench *bench_open(const char *self, int count, char **words, bool threads)
{
    struct bench *b = memory_get(sizeof *b);
    b->threads = threads;
    b->ready = !plan_make(&b->plan, &command_check, self, count, words, &b->err);
    return b;
}

void bench_close(struct bench *b)
{
    if (b)
        plan_free(&b->plan);
    free(b);
}

/* ---- an operation here and there ---- */

/* "pthread_mutex_lock(a)" and pthread_mutex_lock; "VS_assert(x)" and VS_assert_at; "assert(x) fails" and __assert_fail. */
static bool same_name(const char *does, const char *name)
{
    static const char *const others[][2] = { { "VS_assert", "VS_assert_at" }, { "assert", "__assert_fail" }, { "semwait", "VS_semwait_latest" },
        { "semsignal", "VS_semsignal_latest" }, { "rcv_from_queue", "VS_rcv_any_size" }, { "is_queue_full", "VS_is_full_any_size" },
        { "is_queue_empty", "VS_is_empty_any_size" }, { "end of the process", "exit" }, { "exit", "_exit" }, { "VS_abort", "VS_abort_at" } };
    size_t length = strcspn(does, "(");
    if (strlen(name) == length && !strncmp(does, name, length))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(does, others[i][0], strlen(others[i][0])) && !strcmp(name, others[i][1]))
            return true;
    return false;
}

static bool same_place(const char *where, const struct deed *d)
{
    if (!where || !d->file)
        return false;
    const char *slash = strrchr(d->file, '/');
    char *here = prose_make("%s:%d", slash ? slash + 1 : d->file, d->line);
    const char *base = strrchr(where, '/');
    bool same = !strcmp(base ? base + 1 : where, here);
    free(here);
    return same;
}

/* Operations of the model that are none in the program: what is made before processes are. */
static bool is_silent(const struct follower *f, const char *name)
{
    static const char *const made[] = { "semget", "semsetval", "VS_semsetval_latest", "get_bounded_queue", "fork" };
    for (size_t i = 0; !run_shares(&f->run) && i < sizeof made / sizeof *made; i++)
        if (!strcmp(made[i], name))
            return true;
    return !strcmp(name, "sem_destroy") || !strcmp(name, "pthread_attr_init");
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
static bool begins(const char *text, const char *word) { return !strncmp(text, word, strlen(word)); }

/* ---- following ---- */

static void look(struct follower *f)
{
    struct invariant_view view;
    struct lookout *w = f->lookout;
    if (!w || w->blind || !condition_view(f->run.system, &view))
        return;
    struct sample now = { f->deed, 0 };
    assert(w->count <= CUBE_SYMBOLS && (uint32_t)w->count == invariants_count(f->job.invariants));
    for (int i = 0; i < w->count && !w->blind; i++) {
        int64_t value;
        if (!invariants_value(f->job.invariants, &view, (uint32_t)i, &value))
            w->blind = prose_make("%s has no value at some of its steps", w->expressions[i]);
        else if (value)
            now.values |= 1ull << i;
    }
    ARRAY_GROW(w->samples, w->sample_count, w->sample_room);
    w->samples[w->sample_count++] = now;
}

static bool go(struct follower *f, int process, uint32_t choice)
{
    struct system *s = f->run.system;
    uint32_t choices = system_choices(s, process);
    uint64_t alive = s->alive;
    int rc = trace_execute(&f->trace, s, process, choice < choices ? choice : choices - 1, &f->err);
    if (rc < 0) {
        f->again = rc == -ERESTART;
        f->why = prose_make("%s", f->err.text);
        return false;
    }
    for (int p = 0; p < s->processes && run_shares(&f->run); p++)        /* who is new waits for its name */
        if (s->alive >> p & 1 && !(alive >> p & 1))
            f->fresh = p;
    look(f);
    f->wrong = condition_find(s, &f->trace, 0, &f->condition) && f->condition.kind != ERROR_DEADLOCK;
    return true;
}

static char *stands(const struct follower *f, int process)
{
    const struct op *op = &system_pending(f->run.system, process)->op;
    char *does = run_operation(&f->run, &f->trace, op), *where = run_location(&f->run, op);
    char *text = where ? prose_make("%s at %s", does, where) : prose_make("%s", does);
    free(does);
    free(where);
    return text;
}

/* Is this process before that operation? Lines decide; a name where there is none. */
static bool is_before(const struct follower *f, int process, const struct deed *d)
{
    const struct op *op = &system_pending(f->run.system, process)->op;
    char *does = run_operation(&f->run, &f->trace, op), *where = run_location(&f->run, op);
    bool same = d->file ? same_place(where, d) || (same_name(does, d->name) && !where) : same_name(does, d->name);
    bool start = begins(does, "start");
    free(does);
    free(where);
    return same && !start;
}

/* Does it stand before an access to a variable that several use without a lock? */
static bool is_access(const struct follower *f, int process)
{
    return types_get(system_pending(f->run.system, process)->op.type)->variable;
}

static bool is_start(const struct follower *f, int process)
{
    char *does = run_operation(&f->run, &f->trace, &system_pending(f->run.system, process)->op);
    bool start = begins(does, "start");
    free(does);
    return start;
}

/* What only the program does: a thread's start, an access that the model has elsewhere. */
static bool is_aside(const struct follower *f, int process) { return is_access(f, process) || is_start(f, process); }

static void depart(struct follower *f, int process, const struct deed *d, const char *how)
{
    char *here = stands(f, process);
    f->why = prose_make("%s %s: in the program it stands before %s", d->who, how, here);
    free(here);
}

/* A wait for a condition variable is entered and its mutex unlocked: one act of the model, two operations here. */
static bool unlock_too(struct follower *f, int process, const char *did)
{
    char *does = stands(f, process);
    bool two = (begins(did, "pthread_cond_wait(") || begins(did, "pthread_cond_timedwait(") || begins(did, "cnd_wait(")) && !strstr(did, "wakes")
             && strstr(does, "unlock");
    free(does);
    return !two || go(f, process, 0);
}

/* "read x", "atomic_load(x[2])" and x. */
static bool same_variable(const struct follower *f, int process, const char *name)
{
    char *does = run_operation(&f->run, &f->trace, &system_pending(f->run.system, process)->op);
    bool same = !*name;
    size_t length = strlen(name);
    for (const char *at = does; !same && (at = strstr(at, name)); at++)
        same = !(at > does && is_word(at[-1])) && !is_word(at[length]);
    free(does);
    return same;
}

/* An access is none in the program, unless its variable is seen there; and one that waits for a change does not go without it. */
static bool do_access(struct follower *f, int process, const struct deed *d)
{
    if (process >= 0 && is_start(f, process) && !go(f, process, 0))
        return false;
    bool there = process >= 0 && is_access(f, process) && is_before(f, process, d) && same_variable(f, process, d->name)
              && f->run.system->enabled >> process & 1;
    return !there || go(f, process, 0);
}

static bool do_deed(struct follower *f, const struct deed *d)
{
    int process = d->thread >= 0 && d->thread < MAX_PROCESSES ? f->real[d->thread] : -1;
    if (d->access)
        return do_access(f, process, d);
    if (process < 0) {
        f->why = prose_make("%s: the program has no such thread yet", d->who);
        return false;
    }
    for (int i = 0; i < PATIENCE && !f->wrong && is_aside(f, process) && f->run.system->enabled >> process & 1; i++)
        if (!go(f, process, 0))
            return false;
    if (f->wrong)
        return true;
    if (!is_before(f, process, d)) {
        if (!is_silent(f, d->name))
            depart(f, process, d, "goes elsewhere");
        return !f->why;
    }
    if (!(f->run.system->enabled >> process & 1)) {
        depart(f, process, d, "cannot go on");
        return false;
    }
    char *did = stands(f, process);
    f->fresh = -1;
    bool went = go(f, process, (uint32_t)(d->choice > 0 ? d->choice : 0));
    if (went && d->born >= 0 && d->born < MAX_PROCESSES && f->fresh >= 0)
        f->real[d->born] = f->fresh;
    if (went && !f->wrong)
        went = unlock_too(f, process, did);
    free(did);
    return went;
}

/* What is left before everybody stands still: threads that have not begun, or that are ending. */
static void come_to_rest(struct follower *f)
{
    struct system *s = f->run.system;
    for (int i = 0; i < PATIENCE && !f->wrong && !f->why; i++) {
        int process = 0;
        while (process < s->processes && !(s->enabled >> process & 1 && is_aside(f, process)))
            process++;
        if (process == s->processes || !go(f, process, 0))
            return;
    }
}

static int follow(struct follower *f, const struct deed *deeds, int count)
{
    f->wrong = condition_find(f->run.system, &f->trace, 0, &f->condition) && f->condition.kind != ERROR_DEADLOCK;
    int done = 0;
    for (; done < count && !f->wrong; done++) {
        f->deed = done;
        if (!do_deed(f, &deeds[done]))
            return done;
    }
    come_to_rest(f);
    return done;
}

/* ---- verdicts ---- */

static struct trial confirmed(struct follower *f, int count)
{
    struct trial t = { .verdict = TRIAL_CONFIRMED, .deed = count };
    struct error error = { .kind = f->condition.kind };
    struct path path;
    bool wrong = condition_find(f->run.system, &f->trace, 0, &f->condition);
    if (wrong)
        explain(&f->run, &f->trace, f->condition, &error);
    story_path(&f->run, &f->trace, f->job.name, wrong ? &error : NULL, &path);
    char *name = scenario_save(&f->job, wrong ? "error" : "trail", &path, &f->err);
    t.scenario = !name ? NULL : !strcmp(f->job.output, ".") ? prose_make("%s", name) : prose_make("%s/%s", f->job.output, name);
    free(name);
    if (!t.scenario)
        t.words = prose_make("%s; but the scenario cannot be saved: %s", wrong ? error.message : "to its end", f->err.text);
    else
        t.words = prose_make("%s\n  see it happen:  %s replay %s %s %s\n  walk through:   %s %s %s -simul %s\n  under gdb:      %s replay %s %s %s --gdb",
                             wrong ? error.message : "to its end", f->job.self, f->job.name, f->job.options, t.scenario, f->job.self, f->job.name,
                             f->job.options, t.scenario, f->job.self, f->job.name, f->job.options, t.scenario);
    path_fini(&path);
    outcome_error_fini(&error);
    return t;
}

static char *wrong_words(struct follower *f)
{
    struct error error = { .kind = f->condition.kind };
    explain(&f->run, &f->trace, f->condition, &error);
    char *words = prose_make("%s", error.message);
    outcome_error_fini(&error);
    return words;
}

static struct trial judge(struct follower *f, int done, int count, enum trial_aim aim)
{
    struct condition now;
    assert(done <= count);
    bool ended = condition_find(f->run.system, &f->trace, 0, &now);
    bool fits = aim == TRIAL_DEADLOCK ? ended && now.kind == ERROR_DEADLOCK : aim == TRIAL_WRONG ? f->wrong
              : (done == count && !f->wrong) || (aim == TRIAL_ENDLESS && f->wrong && f->condition.kind == ERROR_DIVERGENCE);
    if (f->lookout)
        f->lookout->at_rest = !f->run.system->enabled;
    if (fits && !f->why)
        return confirmed(f, count);
    char *words = f->why ? prose_make("%s", f->why) : f->wrong ? wrong_words(f) : prose_make("the program goes on where the model does not");
    return (struct trial){ .verdict = TRIAL_NOT, .deed = done, .words = words };
}

static int start(struct follower *f, const struct bench *b, struct invariants *watched, struct texts *texts)
{
    int rc = 0;
    f->job = b->plan.job;
    if (b->threads)
        rc = job_as_group(&b->plan.job, &f->job, &f->err);
    f->job.invariants = watched;
    if (rc >= 0)
        rc = run_start(&f->run, &f->job, RUN_TRY, -1, texts, &f->err);
    for (int p = 0; rc >= 0 && !run_shares(&f->run) && p < f->run.system->processes; p++)
        f->real[p] = p;
    return rc;
}

static void lookout_reset(struct lookout *w)
{
    free(w->blind);
    w->blind = NULL;
    w->sample_count = 0;
}

static struct trial follow_once(const struct bench *b, const struct deed *deeds, int count, enum trial_aim aim, struct lookout *lookout,
                                struct invariants *watched, bool *again)
{
    struct follower f = { .fresh = -1, .lookout = lookout };
    struct trial r = { .verdict = TRIAL_FAILED };
    struct texts *texts = texts_new();
    for (int i = 0; i < MAX_PROCESSES; i++)
        f.real[i] = i ? -1 : 0;
    if (lookout)
        lookout_reset(lookout);
    trace_init(&f.trace);
    int rc = start(&f, b, watched, texts);
    if (rc < 0) {
        f.again = rc == -ERESTART;
        r.words = prose_make("%s", f.err.text);
    } else {
        r = judge(&f, follow(&f, deeds, count), count, aim);
        run_stop(&f.run);
    }
    *again = f.again;
    free(f.why);
    trace_fini(&f.trace);
    texts_free(texts);
    return r;
}

/* Which variables are used without a lock shows while it is followed; each time there is one more of them, so that it comes to an end. */
static struct trial follow_all(struct bench *b, const struct deed *deeds, int count, enum trial_aim aim, struct lookout *lookout, struct invariants *watched)
{
    for (;;) {
        bool again = false;
        struct trial r = follow_once(b, deeds, count, aim, lookout, watched, &again);
        if (!again)
            return r;
        trial_fini(&r);
    }
}

static struct invariants *watched_of(struct lookout *w)            /* gives; NULL: they cannot be read */
{
    struct invariants *all = invariants_new();
    struct err err;
    for (int i = 0; i < w->count && !w->blind; i++)
        if (w->count > CUBE_SYMBOLS || invariants_watch(all, w->expressions[i], &err))
            w->blind = prose_make("%s", w->count > CUBE_SYMBOLS ? "there are too many symbols" : err.text);
    if (w->blind) {
        invariants_free(all);
        return NULL;
    }
    return all;
}

/* A run whose variables cannot be looked at is one without. */
static struct trial follow_watched(struct bench *b, const struct deed *deeds, int count, enum trial_aim aim, struct lookout *lookout)
{
    struct invariants *watched = watched_of(lookout);
    struct trial r = { .verdict = TRIAL_FAILED };
    if (watched) {
        r = follow_all(b, deeds, count, aim, lookout, watched);
        if (r.verdict == TRIAL_CONFIRMED && !lookout->blind && b->plan.job.native.visible && !lookout->enough(lookout)) {
            if (r.scenario)
                unlink(r.scenario);
            trial_fini(&r);
            job_look_closer(&b->plan.job, watched);
            r = follow_all(b, deeds, count, aim, lookout, watched);
        }
        invariants_free(watched);
    }
    if (r.verdict != TRIAL_FAILED)
        return r;
    if (!lookout->blind)
        lookout->blind = prose_make("%s", r.words);
    trial_fini(&r);
    return follow_all(b, deeds, count, aim, NULL, NULL);
}

struct trial trial_run(struct bench *b, const struct deed *deeds, int count, enum trial_aim aim, struct lookout *lookout)
{
    if (!b->ready)
        return (struct trial){ .verdict = TRIAL_FAILED, .words = prose_make("%s", b->err.text) };
    return lookout ? follow_watched(b, deeds, count, aim, lookout) : follow_all(b, deeds, count, aim, NULL, NULL);
}

void lookout_fini(struct lookout *w)
{
    free(w->blind);
    free(w->samples);
}

void trial_fini(struct trial *t)
{
    free(t->words);
    free(t->scenario);
}
