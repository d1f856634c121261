/* SPDX-License-Identifier: MIT */
#include "simulator/simulator.h"

#include "base/memory.h"
#include "checks/checks.h"
#include "objects/types.h"
#include "report/shared.h"
#include "report/explain.h"
#include "report/follow.h"
#include "report/outcome.h"
#include "base/prose.h"
#include "report/story.h"
#include "system/datarace.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 32 };                 /* of an object: places in the list of last events; parts that share one only cost time */
#define NONE UINT32_MAX

/* What the trace does not have of an event. */
struct moment {
    struct step    step;
    struct passage passage;
    uint32_t       before;           /* the last event before it with the same role, on the same object (and part); NONE */
    uint32_t       from, from_count; /* of a receive: in `senders` */
    uint32_t       violated;         /* 1 + the kind of error that its operation itself is; 0: none */
};

struct scenario {
    struct trace   trace;
    struct moment *moments;          /* one for each event */
    uint32_t       moment_room;
    uint32_t      *senders, sender_count, sender_room;
    uint32_t      *last[2];          /* 1 + last event that sent to, or received from, a part of an object; 0: none */
    uint32_t       last_count;
};

/* What the last transition that was let go has put aside; for simulator_take_back. */
struct cut {
    struct event  *events;
    struct moment *moments;
    uint32_t       count, edition, changed_from;
};

/* The scenario as it was loaded; what is done by hand may leave it, and can come back to it. */
struct route {
    struct { int process; uint32_t choice; } *steps;
    uint32_t count;
};

struct simulator {
    const struct job *given;         /* borrowed */
    struct job        job;           /* in use */
    struct texts     *texts;
    struct run        run;
    struct scenario   all;           /* the whole of it */
    uint32_t         *words;         /* of an object, as the next operation finds it */
    char             *name, *error, *program;    /* of the scenario's file */
    struct route       plan;
    uint32_t          position, edition, changed_from;
    uint64_t          seq;
    struct cut        cut;
    struct simulator_work work;
};

/* ---- who took whose message ---- */

static uint32_t *last_of(struct simulator *s, const struct op *op, const struct passage *p)
{
    uint32_t key = op->object * PARTS + p->part % PARTS;
    if (key >= s->all.last_count) {
        uint32_t count = 2 * (key + 1);
        for (int i = 0; i < 2; i++) {
            s->all.last[i] = memory_resize(s->all.last[i], count * sizeof **s->all.last);
            memset(s->all.last[i] + s->all.last_count, 0, (count - s->all.last_count) * sizeof **s->all.last);
        }
        s->all.last_count = count;
    }
    return &s->all.last[p->role == ROLE_RECEIVE][key];
}

static bool moves(const struct passage *p) { return p->role == ROLE_SEND || p->role == ROLE_RECEIVE; }

/* Of a type that does not say what it moves: messages are received in the order in which they were sent. */
static void count_messages(const struct simulator *s, uint32_t before, struct passage *p)
{
    p->first = before == NONE ? 0 : s->all.moments[before].passage.first + 1;
    p->count = 1;
}

static bool overlaps(const struct passage *a, const struct passage *b)
{
    return a->part == b->part && (b->first - a->first < a->count || a->first - b->first < b->count);
}

static bool is_for(const struct passage *send, int process)
{
    return !send->to || send->to >> process & 1;
}

/* Each unit was sent once (a message for a process: only the last counts), so the search ends when all were found. */
static void find_senders(struct simulator *s, struct moment *m, int process, uint32_t last_send)
{
    struct passage *p = &m->passage;
    uint32_t found = 0;
    m->from = s->all.sender_count;
    for (uint32_t e = last_send; e != NONE && found < p->count; e = s->all.moments[e].before) {
        const struct passage *send = &s->all.moments[e].passage;
        if (!overlaps(send, p) || !is_for(send, process))
            continue;
        uint32_t start = send->first - p->first < p->count ? send->first : p->first;
        uint32_t end = send->first + send->count - p->first <= p->count ? send->first + send->count : p->first + p->count;
        found += end - start;
        ARRAY_GROW(s->all.senders, s->all.sender_count, s->all.sender_room);
        s->all.senders[s->all.sender_count++] = e;
        m->from_count++;
    }
}

static void note_passage(struct simulator *s, uint32_t event)
{
    struct moment *m = &s->all.moments[event];
    const struct op *op = &s->all.trace.events[event].op;
    m->before = NONE;
    m->from = s->all.sender_count;
    if (!moves(&m->passage))
        return;
    uint32_t *last = last_of(s, op, &m->passage);
    m->before = *last - 1;
    if (!types_get(op->type)->passage)
        count_messages(s, m->before, &m->passage);
    *last = event + 1;
    if (m->passage.role == ROLE_RECEIVE) {
        struct passage send = { .role = ROLE_SEND, .part = m->passage.part };
        find_senders(s, m, op->process, *last_of(s, op, &send) - 1);
    }
}

static void forget_passage(struct simulator *s, uint32_t event)
{
    const struct moment *m = &s->all.moments[event];
    s->all.sender_count = m->from;
    if (moves(&m->passage))
        *last_of(s, &s->all.trace.events[event].op, &m->passage) = m->before + 1;
}

/* ---- the scenario ---- */

static void scenario_fini(struct scenario *all)
{
    trace_fini(&all->trace);
    free(all->moments);
    free(all->senders);
    free(all->last[0]);
    free(all->last[1]);
    *all = (struct scenario){ 0 };
}

static void drop_after(struct simulator *s, uint32_t count)
{
    if (s->all.trace.count == count)
        return;
    while (s->all.trace.count > count)
        forget_passage(s, --s->all.trace.count);
    s->edition++;
    s->changed_from = count;
}

static void add_moment(struct simulator *s, const struct moment *m)
{
    uint32_t event = s->all.trace.count - 1;
    while (event >= s->all.moment_room)
        ARRAY_GROW(s->all.moments, s->all.moment_room, s->all.moment_room);
    s->all.moments[event] = *m;
    s->all.moments[event].from_count = 0;
    note_passage(s, event);
}

static void free_cut(struct cut *cut)
{
    free(cut->events);
    free(cut->moments);
    *cut = (struct cut){ 0 };
}

static void put_aside(struct simulator *s)
{
    uint32_t count = s->all.trace.count - s->position;
    free_cut(&s->cut);
    s->cut = (struct cut){ .count = count, .edition = s->edition, .changed_from = s->changed_from };
    if (count) {
        s->cut.events = memory_get(count * sizeof *s->cut.events);
        s->cut.moments = memory_get(count * sizeof *s->cut.moments);
        memcpy(s->cut.events, s->all.trace.events + s->position, count * sizeof *s->cut.events);
        memcpy(s->cut.moments, s->all.moments + s->position, count * sizeof *s->cut.moments);
    }
}

static const uint32_t *find_words(struct simulator *s, const struct op *op)
{
    if (op->object == NO_OBJECT)
        return NULL;
    const struct object *o = &s->run.system->objects[op->object];
    s->words = memory_resize(s->words, (o->words + 1) * sizeof *s->words);
    memcpy(s->words, s->run.system->words + o->state, o->words * sizeof *s->words);
    return s->words;
}

static int explain_failure(const struct simulator *s, enum took took, int process, struct err *err)
{
    if (took == STEP_AGAIN)
        return fail(err, "the program did something else than before when the same steps were run again, so process %d was not "
                    "let go on: it depends on what VeriSoft does not control, or has a data race", process + 1);
    if (err_code(err) == -EXDEV && s->job.native.group)
        return fail(err, "process %d cannot go on: the program does what VeriSoft does not control", process + 1);
    return err_code(err);
}

/* Executes a transition behind the position; all that the scenario said to come there is replaced by it. */
static int execute(struct simulator *s, int process, uint32_t choice, struct err *err)
{
    struct system *system = s->run.system;
    const struct op op = system_pending(system, process)->op;
    const uint32_t *before = find_words(s, &op);
    enum error_kind kind;
    struct moment m = { .violated = checks_process(system, process, &kind) ? 1 + kind : 0 };
    enum took took = system_execute(system, process, choice, &m.step, err);
    if (took != STEP_TAKEN)
        return explain_failure(s, took, process, err);
    m.passage = types_passage(before, &op, m.step.result);
    put_aside(s);
    drop_after(s, s->position);
    trace_add(&s->all.trace, system, &m.step);
    add_moment(s, &m);
    s->position++;
    s->work.executed++;
    return 0;
}

static void go_back(struct simulator *s, uint32_t position)
{
    for (; s->position > position; s->work.undone++)
        system_undo(s->run.system, &s->all.moments[--s->position].step);
}

static int go_forward(struct simulator *s, uint32_t position, struct err *err)
{
    for (; s->position < position; s->position++, s->work.again++) {
        struct step *step = &s->all.moments[s->position].step;
        if (!system_execute_again(s->run.system, step, step))
            return explain_failure(s, STEP_AGAIN, (int)step->process, err);
    }
    return 0;
}

static int go_to(struct simulator *s, uint32_t position, struct err *err)
{
    uint32_t start = s->position;
    go_back(s, position);
    int rc = go_forward(s, position, err);
    if (rc < 0)
        go_back(s, start);
    return rc;
}

/* To where it has been: that is in memory, and cannot fail. */
static void return_to(struct simulator *s, uint32_t position)
{
    int rc = go_to(s, position, NULL);
    assert(rc >= 0);
    (void)rc;
}

static int follow(struct simulator *s, const struct path *path, const char *name, struct err *err)
{
    names_fini(&s->run.names);
    for (uint32_t i = 0; i < path->count; i++) {
        uint32_t choice;
        struct trace past = simulator_past(s);
        int rc = follow_choice(&s->run, &past, &path->steps[i], name, &choice, err);
        if (rc >= 0)
            rc = execute(s, path->steps[i].process - 1, choice, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

/* ---- beginning ---- */

static int check_nproc(const struct simulator *s, struct err *err)
{
    int has = s->run.start.processes;
    if (!s->job.nproc || s->job.nproc == has || run_shares(&s->run))
        return 0;
    return fail(err, "nproc says %d processes, but the program has %d; write nproc %d, or leave it out", s->job.nproc, has, has);
}

void simulator_forget_file(struct simulator *s)
{
    free(s->name);
    free(s->error);
    free(s->program);
    free(s->plan.steps);
    s->name = s->error = s->program = NULL;
    s->plan = (struct route){ 0 };
}

static void set_plan(struct simulator *s)
{
    uint32_t count = s->all.trace.count;
    s->plan.steps = memory_get((count + 1) * sizeof *s->plan.steps);
    s->plan.count = count;
    for (uint32_t i = 0; i < count; i++) {
        s->plan.steps[i].process = s->all.trace.events[i].op.process;
        s->plan.steps[i].choice = s->all.trace.events[i].choice;
    }
}

static void set_header(struct simulator *s, const struct path *path, const char *name)
{
    const char *slash = name ? strrchr(name, '/') : NULL;
    simulator_forget_file(s);
    s->name = name ? prose_make("%s", slash ? slash + 1 : name) : NULL;
    s->error = path->error ? prose_make("%s", path->error) : NULL;
    s->program = path->program ? prose_make("%s", path->program) : NULL;
    set_plan(s);
}

/* A start of the program, at the beginning of this scenario. */
static int begin(struct simulator **out, const struct job *job, bool group, const struct path *path, const char *name,
                 struct err *err)
{
    struct simulator *s = memory_get(sizeof *s);
    s->given = job;
    s->job = *job;
    s->texts = texts_new();
    int rc = group ? job_as_group(job, &s->job, err) : 0;
    if (rc >= 0)
        rc = run_start(&s->run, &s->job, RUN_FOLLOW, -1, s->texts, err);
    if (rc >= 0)
        rc = check_nproc(s, err);
    if (rc >= 0)
        rc = follow(s, path, name, err);
    if (rc < 0) {
        simulator_free(s);
        return rc;
    }
    go_back(s, 0);
    set_header(s, path, name);
    *out = s;
    return 0;
}

/* That a program shares memory shows when it does. */
static int begin_either(struct simulator **out, const struct job *job, const struct path *path, const char *name, struct err *err)
{
    bool group = job->native.group || path_shares(path);
    int rc = begin(out, job, group, path, name, err);
    return rc == -EXDEV && !group ? begin(out, job, true, path, name, err) : rc;
}

int simulator_new(struct simulator **out, const struct job *job, const char *scenario, struct err *err)
{
    struct path path;
    path_init(&path);
    int rc = scenario ? path_read(&path, scenario, err) : 0;
    if (rc >= 0 && job->native.visible)
        rc = shared_read(job->native.visible, path.shared, scenario, err);
    if (rc >= 0)
        rc = begin_either(out, job, &path, scenario, err);
    path_fini(&path);
    return rc;
}

void simulator_free(struct simulator *s)
{
    if (!s)
        return;
    run_stop(&s->run);
    scenario_fini(&s->all);
    free_cut(&s->cut);
    free(s->words);
    simulator_forget_file(s);
    texts_free(s->texts);
    free(s);
}

/* ---- what is asked ---- */

const struct job   *simulator_job(const struct simulator *s)      { return &s->job; }
const struct run   *simulator_run(const struct simulator *s)      { return &s->run; }
const struct trace *simulator_trace(const struct simulator *s)    { return &s->all.trace; }
const char         *simulator_name(const struct simulator *s)     { return s->name; }
const char         *simulator_program(const struct simulator *s)  { return s->program; }
const char         *simulator_error(const struct simulator *s)    { return s->error; }
uint32_t            simulator_position(const struct simulator *s) { return s->position; }
uint32_t            simulator_length(const struct simulator *s)   { return s->all.trace.count; }
uint64_t            simulator_seq(const struct simulator *s)      { return s->seq; }
struct simulator_work simulator_work(const struct simulator *s)   { return s->work; }

struct trace simulator_past(const struct simulator *s)
{
    return (struct trace){ .events = s->all.trace.events, .count = s->position };
}

uint32_t simulator_edition(const struct simulator *s, uint32_t *changed_from)
{
    *changed_from = s->changed_from;
    return s->edition;
}

uint32_t simulator_choices(const struct simulator *s, int process)
{
    return s->run.system->enabled >> process & 1 ? system_choices(s->run.system, process) : 0;
}

char *simulator_choice(struct simulator *s, int process, uint32_t choice)
{
    char *result = follow_result(&s->run, process, choice);
    return result ? result : prose_make("%u", choice);
}

bool simulator_condition(const struct simulator *s, struct condition *c)
{
    struct trace past = simulator_past(s);
    return condition_find(s->run.system, &past, s->job.search.livelock_limit, c);
}

struct passage simulator_passage(const struct simulator *s, uint32_t event) { return s->all.moments[event].passage; }

uint32_t simulator_took(const struct simulator *s, uint32_t event, const uint32_t **from)
{
    *from = s->all.senders + s->all.moments[event].from;
    return s->all.moments[event].from_count;
}

/* Races are known by their steps on the path on which they were first seen: here they count where these steps are the same. */
static bool is_racer(const struct simulator *s, const struct racer *r)
{
    const struct trace *trace = simulator_trace(s);
    const struct op *op = r->step < trace->count ? &trace->events[r->step].op : NULL;
    return op && op->process == r->process && (!types_get(op->type)->variable || op->place == r->access.place);
}

uint32_t simulator_raced(const struct simulator *s, uint32_t event, uint32_t *race)
{
    const struct datarace *d = s->run.datarace;
    while (d && *race < datarace_count(d)) {
        const struct race *r = datarace_get(d, (*race)++);
        assert(r->first.step < r->second.step);
        if (r->second.step == event && is_racer(s, &r->first) && is_racer(s, &r->second))
            return r->first.step;
    }
    return UINT32_MAX;
}

bool simulator_violated(const struct simulator *s, uint32_t event, enum error_kind *kind)
{
    uint32_t violated = s->all.moments[event].violated;
    *kind = (enum error_kind)(violated - 1);
    return violated;
}

uint32_t simulator_kept(const struct simulator *s, uint32_t *of)
{
    const struct event *events = s->all.trace.events;
    uint32_t i = 0;
    *of = s->plan.count;
    while (i < s->plan.count && i < s->all.trace.count && events[i].op.process == s->plan.steps[i].process
           && events[i].choice == s->plan.steps[i].choice)
        i++;
    return i;
}

void simulator_path(struct simulator *s, struct path *path)
{
    uint32_t position = s->position;
    struct error error = { 0 };
    struct condition c;
    bool wrong = go_to(s, s->all.trace.count, NULL) >= 0 && simulator_condition(s, &c);
    if (wrong)
        explain(&s->run, &s->all.trace, c, &error);
    story_path(&s->run, &s->all.trace, s->job.name, wrong ? &error : NULL, path);
    outcome_error_fini(&error);
    go_back(s, position);
}

/* ---- objects ---- */

/* Texts as the trace has them, between quotes that the type puts there. They live until the type has printed all. */
struct escaped { struct texts *texts; char **all; uint32_t count, room; };

static const char *escaped_text(void *self, uint32_t number)
{
    struct escaped *e = self;
    struct prose text = { 0 };
    for (const char *at = system_object_text(e->texts, number); *at; at++) {
        char one[8];
        types_escape(*at, one);
        prose_add(&text, "%s", one);
    }
    ARRAY_GROW(e->all, e->count, e->room);
    return e->all[e->count++] = prose_take(&text);
}

static void free_escaped(struct escaped *e)
{
    for (uint32_t i = 0; i < e->count; i++)
        free(e->all[i]);
    free(e->all);
}

static char *object_words(const struct system *system, const struct object *o)
{
    char *out = NULL;
    if (!o->type->print)
        return prose_make("%s", "");
    for (size_t room = 256; ; room *= 2) {
        struct escaped escaped = { .texts = system->texts };
        out = memory_resize(out, room);
        *out = '\0';
        o->type->print(system->words + o->state, escaped_text, &escaped, out, room);
        free_escaped(&escaped);
        if (strlen(out) + 1 < room)
            break;
    }
    prose_one_line(out);
    return out;
}

static char **all_words(const struct system *system, uint32_t count)
{
    char **all = memory_get((count + 1) * sizeof *all);
    for (uint32_t i = 0; i < count; i++)
        all[i] = object_words(system, &system->objects[i]);
    return all;
}

/* Those that the program has; the table of processes is none of them. */
static uint32_t object_count(const struct system *system)
{
    return system_shares(system) ? system->object_count : system->table;
}

struct object_words simulator_objects(struct simulator *s)
{
    struct object_words w = { .count = object_count(s->run.system) };
    uint32_t position = s->position;
    w.now = all_words(s->run.system, w.count);
    go_back(s, position ? position - 1 : 0);
    w.before = all_words(s->run.system, w.count);
    return_to(s, position);
    return w;
}

void simulator_free_objects(struct object_words *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        free(w->now[i]);
        free(w->before[i]);
    }
    free(w->now);
    free(w->before);
    *w = (struct object_words){ 0 };
}

/* ---- what changes something ---- */

int simulator_move(struct simulator *s, uint32_t position, struct err *err)
{
    if (position > s->all.trace.count)
        return fail(err, "there is no position %u: the scenario has %u transition%s", position, s->all.trace.count,
                    s->all.trace.count == 1 ? "" : "s");
    int rc = go_to(s, position, err);
    s->seq += rc >= 0;
    return rc;
}

/* The scenario says so anyway: then what comes behind stays. */
static bool is_next(const struct simulator *s, int process, uint32_t choice)
{
    const struct event *next = &s->all.trace.events[s->position];
    return s->position < s->all.trace.count && next->op.process == process && next->choice == choice;
}

/* In its place comes another one, which counts on. */
static void replace(struct simulator *s, struct simulator *fresh)
{
    struct simulator old = *s;
    *s = *fresh;
    s->seq = old.seq + 1;
    s->edition = old.edition + 1;
    s->changed_from = 0;
    *fresh = old;
    simulator_free(fresh);
}

/* Only a group has these; elsewhere processes are there from the beginning, and end without a word. */
static bool is_of_its_own(const struct op *op)
{
    return types_traits(op) & OP_QUIET;
}

/* All that stand before such an operation execute it, until none does. */
static int catch_up(struct simulator *s)
{
    const struct system *system = s->run.system;
    int rc = 0;
    for (int p = 0, left = 4 * MAX_PROCESSES; p < system->processes && left && rc >= 0; p++)
        if (system->enabled >> p & 1 && is_of_its_own(&system_pending(system, p)->op)) {
            rc = execute(s, p, 0, NULL);
            p = -1;
            left--;
        }
    return rc;
}

/* The same step in another start of the program. */
static int repeat(struct simulator *s, const struct simulator *old, uint32_t event)
{
    const struct event *e = &old->all.trace.events[event];
    struct trace before = old->all.trace, past = simulator_past(s);
    before.count = event;
    struct path_step step = { .process = e->op.process + 1, .operation = run_operation(&old->run, &before, &e->op),
                              .result = run_result(&old->run, &e->op, e->result) };
    uint32_t choice;
    int rc = follow_choice(&s->run, &past, &step, "", &choice, NULL);
    if (rc >= 0)
        rc = execute(s, e->op.process, choice, NULL);
    free(step.operation);
    free(step.result);
    return rc;
}

/* Gives how many steps of the old one could be made again in the fresh one, which is a group. */
static uint32_t repeat_all(struct simulator *fresh, const struct simulator *old)
{
    uint32_t done = 0;
    int rc = catch_up(fresh);
    while (rc >= 0 && done < old->position) {
        rc = repeat(fresh, old, done);
        if (rc >= 0) {
            done++;
            rc = catch_up(fresh);
        }
    }
    return done;
}

static int start_as_group(struct simulator *s, struct err *err)
{
    static const char why[] = "here the program begins to share memory, pipes or threads between its processes. It was started "
                              "again so that VeriSoft controls these, too";
    struct simulator *fresh;
    struct path empty;
    path_init(&empty);
    int rc = begin(&fresh, s->given, true, &empty, NULL, err);
    if (rc < 0)
        return rc;
    uint32_t steps = s->position, done = repeat_all(fresh, s);
    replace(s, fresh);
    if (done < steps)
        return fail(err, "%s; of the %u transitions before, %u could be made again", why, steps, done);
    return fail(err, "%s, and brought to the same place: starts, forks and ends of processes are transitions now. Let the "
                "process go again", why);
}

int simulator_go(struct simulator *s, int process, uint32_t choice, struct err *err)
{
    assert(choice < simulator_choices(s, process));
    if (is_next(s, process, choice)) {
        put_aside(s);
        return simulator_move(s, s->position + 1, err);
    }
    int rc = execute(s, process, choice, err);
    if (rc == -EXDEV)
        return start_as_group(s, err);
    s->seq += rc >= 0;
    return rc;
}

void simulator_take_back(struct simulator *s)
{
    struct cut *cut = &s->cut;
    go_back(s, s->position - 1);
    drop_after(s, s->position);
    struct trace events = { .events = cut->events, .count = 1 };
    for (uint32_t i = 0; i < cut->count; i++, events.events++) {
        trace_append(&s->all.trace, &events);
        add_moment(s, &cut->moments[i]);
    }
    s->edition = cut->edition;
    s->changed_from = cut->changed_from;
    free_cut(cut);
}

/* All that is executed was executed before, so the program stands still. */
int simulator_rejoin(struct simulator *s, struct err *err)
{
    uint32_t count, kept = simulator_kept(s, &count);
    if (kept == count)
        return s->name ? fail(err, "the scenario is that of %s still", s->name) : fail(err, "no scenario was loaded");
    int rc = go_to(s, kept, err);
    for (uint32_t i = kept; i < count && rc >= 0; i++)
        rc = execute(s, s->plan.steps[i].process, s->plan.steps[i].choice, err);
    if (s->position > kept)
        go_back(s, kept);
    s->seq++;
    return rc;
}

/* The old scenario is kept aside until the new one has been executed. */
static int load_here(struct simulator *s, const struct path *path, const char *name, struct err *err)
{
    uint32_t position = s->position;
    go_back(s, 0);
    struct scenario old = s->all;
    s->all = (struct scenario){ 0 };
    int rc = follow(s, path, name, err);
    go_back(s, 0);
    if (rc < 0) {
        scenario_fini(&s->all);
        s->all = old;
        return_to(s, position);
        return rc;
    }
    scenario_fini(&old);
    set_header(s, path, name);
    s->seq++;
    s->edition++;
    s->changed_from = 0;
    return 0;
}

int simulator_load(struct simulator *s, const struct path *path, const char *name, struct err *err)
{
    struct simulator *fresh;
    bool group = s->job.native.group;
    int rc = !group && path_shares(path) ? -EXDEV : load_here(s, path, name, err);
    if (rc != -EXDEV || group)
        return rc;
    rc = begin(&fresh, s->given, true, path, name, err);
    if (rc >= 0)
        replace(s, fresh);
    return rc;
}
