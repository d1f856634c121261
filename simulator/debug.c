/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/debug.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "simulator/gdb.h"
#include "simulator/live.h"
#include "simulator/mi.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_GDBS = 8 };
enum { DEEPEST = 500 };              /* frames that are looked at */
enum { DEADLINE = 20000 };           /* milliseconds for one line of the program: then it is stopped where it is */
enum { FOREIGN_LINES = 500 };        /* lines of other people's headers that are passed before a step is given up */

struct seat { struct gdb *gdb; uint64_t used; };

struct debug {
    const struct job *job;
    struct live      *live;
    struct seat       seats[MOST_GDBS];
    uint64_t          now;           /* counts uses */
    struct inside     inside;
};

/* Where one process stands: its gdb, its thread there, and the frames of its own code, innermost first. */
struct view {
    struct gdb *gdb;
    int         thread;
    json_t     *frames;              /* as gdb gives them */
    bool        cut;                 /* there are more, further out */
};

/* ---- the copy ---- */

static void forget_inside(struct debug *d)
{
    free(d->inside.file);
    free(d->inside.function);
    d->inside = (struct inside){ .process = -1 };
}

static void detach_all(struct debug *d)
{
    for (int i = 0; i < MOST_GDBS; i++)
        if (d->seats[i].gdb && gdb_there(d->seats[i].gdb))
            gdb_detach(d->seats[i].gdb);
}

/* To attach again is dear; to stop it again is not. */
static void let_all_run(struct debug *d)
{
    struct err err;
    for (int i = 0; i < MOST_GDBS; i++) {
        struct gdb *g = d->seats[i].gdb;
        if (g && gdb_holds(g) && !gdb_running(g) && gdb_go(g, &err, "-exec-continue") < 0)
            gdb_detach(g);
    }
}

/* What gdb held may have breakpoints in it, and what ran may be anywhere. */
static void spoil(struct debug *d)
{
    detach_all(d);
    live_stop(d->live);
    forget_inside(d);
}

/* Has a gdb been killed that held the program? Then the copy is no more what it was. */
static void bury_dead(struct debug *d)
{
    bool held = false;
    for (int i = 0; i < MOST_GDBS; i++) {
        struct seat *s = &d->seats[i];
        if (!s->gdb || gdb_there(s->gdb))
            continue;
        held |= gdb_pid(s->gdb) != 0;
        gdb_free(s->gdb);
        *s = (struct seat){ 0 };
    }
    if (held)
        spoil(d);
}

/* Until the copy has done what it was told. */
static int await(struct debug *d, struct err *err)
{
    int rc;
    while ((rc = live_wait(d->live, 200, err)) == 0)
        if (d->job->interrupt && *d->job->interrupt) {
            spoil(d);
            return fail(err, "interrupted"), -EINTR;
        }
    return rc < 0 ? rc : 0;
}

int debug_leave(struct debug *d, struct err *err)
{
    bury_dead(d);
    bool inside = d->inside.process >= 0 && live_there(d->live);
    forget_inside(d);
    if (!inside)
        return 0;
    let_all_run(d);
    int rc = await(d, err);
    if (rc != -ESRCH)
        return rc;
    spoil(d);                        /* the next question starts it again, where the trace stands then */
    return 0;
}

/* To behind the first `at` events. Whoever is inside there stays where it is. */
static int bring(struct debug *d, const struct trace *trace, uint32_t at, struct err *err)
{
    bury_dead(d);
    bool fits = live_there(d->live) && live_begins(d->live, trace, at);
    if (fits && live_count(d->live) == at)
        return 0;
    if (!fits)
        spoil(d);
    int rc = debug_leave(d, err);
    let_all_run(d);
    if (!rc && !live_there(d->live))
        rc = live_start(d->live, err);
    uint32_t done = live_count(d->live);
    if (!rc && at > done)
        rc = live_tell(d->live, trace->events + done, at - done, err);
    return rc ? rc : await(d, err);
}

/* ---- gdb ---- */

static struct seat *seat_of(struct debug *d, pid_t pid)
{
    for (int i = 0; i < MOST_GDBS; i++)
        if (d->seats[i].gdb && gdb_pid(d->seats[i].gdb) == pid)
            return &d->seats[i];
    return NULL;
}

/* One that holds nobody, else an empty seat, else the least used; never that of who is inside. */
static struct seat *choose_seat(struct debug *d)
{
    pid_t inside = d->inside.process >= 0 ? live_pid(d->live, d->inside.process) : -1;
    struct seat *empty = NULL, *least = NULL;
    for (int i = 0; i < MOST_GDBS; i++) {
        struct seat *s = &d->seats[i];
        if (s->gdb && !gdb_pid(s->gdb))
            return s;
        if (!s->gdb && !empty)
            empty = s;
        if (s->gdb && gdb_pid(s->gdb) != inside && (!least || s->used < least->used))
            least = s;
    }
    return empty ? empty : least;
}

static int sit_down(struct debug *d, struct seat *s, pid_t pid, struct err *err)
{
    if (!s->gdb)
        s->gdb = gdb_new(d->job->native.executable, d->job->interrupt, err);
    if (!s->gdb)
        return -EINVAL;
    gdb_detach(s->gdb);
    return gdb_attach(s->gdb, pid, err);
}

static int hold(struct debug *d, int process, struct gdb **gdb, struct err *err)
{
    pid_t pid = live_pid(d->live, process);
    if (!pid)
        return fail(err, "process %d has ended, or has not begun: there is nothing to look into", process + 1);
    struct seat *s = seat_of(d, pid);
    int rc = 0;
    if (s) {
        rc = gdb_stop(s->gdb, err);
        if (!rc && !gdb_holds(s->gdb))
            rc = (fail(err, "process %d was killed", process + 1), -ESRCH);
    } else {
        s = choose_seat(d);
        rc = sit_down(d, s, pid, err);
    }
    s->used = ++d->now;
    *gdb = s->gdb;
    return rc;
}

/* The runtime names a kernel thread "thread N", or "N" and the program's own name for it. */
static bool is_named(const char *name, int number)
{
    if (!strncmp(name, "thread ", 7))
        name += 7;
    char *end;
    long found = strtol(name, &end, 10);
    return end > name && found == number && (!*end || *end == ' ');
}

static int find_thread(struct gdb *g, int process, int *thread, struct err *err)
{
    int failure;
    size_t i;
    json_t *about = gdb_ask(g, &failure, err, "-thread-info"), *threads = json_object_get(about, "threads"), *t;
    *thread = 0;
    json_array_foreach(threads, i, t) {
        const char *name = json_string_value(json_object_get(t, "name")), *id = json_string_value(json_object_get(t, "id"));
        if (id && (json_array_size(threads) == 1 || (name && is_named(name, process + 1))))
            *thread = atoi(id);
    }
    json_decref(about);
    if (!failure && !*thread)
        failure = fail(err, "process %d has ended: it has no thread any more", process + 1);
    return failure;
}

/* ---- frames ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Of the program's own code: neither of the runtime and the C library, which have no lines, nor of the compiler's headers. */
static bool is_own(const json_t *frame)
{
    const char *path = text_of(frame, "fullname");
    return *text_of(frame, "file") && atoi(text_of(frame, "line")) > 0 && !file_is_of_the_system(path);
}

static int find_frames(struct view *v, struct err *err)
{
    int failure;
    size_t i;
    json_t *all = gdb_ask(v->gdb, &failure, err, "-stack-list-frames --thread %d 0 %d", v->thread, DEEPEST), *frame;
    v->frames = json_array();
    v->cut = json_array_size(json_object_get(all, "stack")) > DEEPEST;
    json_array_foreach(json_object_get(all, "stack"), i, frame)
        if (i < DEEPEST && is_own(frame))
            json_array_append(v->frames, frame);
    json_decref(all);
    return failure;
}

static void view_fini(struct view *v)
{
    json_decref(v->frames);
    v->frames = NULL;
}

static int look_once(struct debug *d, const struct trace *trace, uint32_t at, int process, struct view *v, struct err *err)
{
    *v = (struct view){ 0 };
    int rc = bring(d, trace, at, err);
    if (!rc)
        rc = hold(d, process, &v->gdb, err);
    if (!rc)
        rc = find_thread(v->gdb, process, &v->thread, err);
    return rc ? rc : find_frames(v, err);
}

/* A copy or a gdb that somebody has killed shows when it is asked: then all begins again, once. */
static int look(struct debug *d, const struct trace *trace, uint32_t at, int process, struct view *v, struct err *err)
{
    int rc = look_once(d, trace, at, process, v, err);
    if (rc == -ESRCH) {
        view_fini(v);
        spoil(d);
        rc = look_once(d, trace, at, process, v, err);
    }
    if (rc == -ESRCH)
        spoil(d);
    if (rc)
        view_fini(v);
    return rc;
}

/* The frame's number in gdb; -1 with err: there is none. */
static int level_of(const struct view *v, int process, int frame, struct err *err)
{
    size_t count = json_array_size(v->frames);
    if (!count && !frame)
        return 0;                    /* not in its own code: there are only global variables */
    if (!count)
        return fail(err, "process %d has no frame %d: it is not in its own code", process + 1, frame), -1;
    if (frame < 0 || (size_t)frame >= count)
        return fail(err, v->cut ? "process %d: frame %d is not among those that are looked at, 0 to %zu"
                                : "process %d has no frame %d; it has 0 to %zu", process + 1, frame, count - 1), -1;
    return atoi(text_of(json_array_get(v->frames, (size_t)frame), "level"));
}

static json_t *describe_frame(const json_t *frame, size_t level)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:i}", "level", (int)level, "function", text_of(frame, "func"), "file",
                     text_of(frame, "file"), "path", text_of(frame, "fullname"), "line", atoi(text_of(frame, "line")));
}

json_t *debug_stack(struct debug *d, const struct trace *trace, uint32_t at, int process, bool *cut, struct err *err)
{
    struct view v;
    if (look(d, trace, at, process, &v, err))
        return NULL;
    json_t *frames = json_array(), *frame;
    size_t i;
    json_array_foreach(v.frames, i, frame)
        json_array_append_new(frames, describe_frame(frame, i));
    *cut = v.cut;
    view_fini(&v);
    return frames;
}

/* ---- variables ---- */

/* Types come with the simple values, those of structs and arrays with all of them; the order is the same. */
static json_t *list_variables(const struct view *v, int level, int *failure, struct err *err)
{
    static const char ask[] = "-stack-list-variables --thread %d --frame %d --%s-values";
    json_t *types = gdb_ask(v->gdb, failure, err, ask, v->thread, level, "simple");
    json_t *values = *failure ? NULL : gdb_ask(v->gdb, failure, err, ask, v->thread, level, "all");
    json_t *all = json_array(), *variable;
    size_t i;
    json_array_foreach(json_object_get(values, "variables"), i, variable) {
        const json_t *type = json_array_get(json_object_get(types, "variables"), i);
        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:b}", "name", text_of(variable, "name"), "type", text_of(type, "type"),
                                             "value", text_of(variable, "value"), "argument", *text_of(variable, "arg") == '1'));
    }
    json_decref(types);
    json_decref(values);
    return all;
}

json_t *debug_locals(struct debug *d, const struct trace *trace, uint32_t at, int process, int frame, struct err *err)
{
    struct view v;
    int failure = look(d, trace, at, process, &v, err);
    if (failure)
        return NULL;
    int level = level_of(&v, process, frame, err);
    json_t *all = level < 0 ? NULL : json_array_size(v.frames) ? list_variables(&v, level, &failure, err) : json_array();
    view_fini(&v);
    if (!failure)
        return all;
    json_decref(all);
    return NULL;
}

/* Behind a string or a character, or one character on. */
static const char *pass(const char *at)
{
    char quote = *at++;
    if (quote != '"' && quote != '\'')
        return at;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* What would change the copy, which then is not where the trace stands; or run a command of the shell. */
static bool changes(const char *expression)
{
    for (const char *at = expression; *at; at = pass(at)) {
        if (!strncmp(at, "++", 2) || !strncmp(at, "--", 2) || !strncmp(at, "$_shell", 7) || !strncmp(at, "$_gdb_", 6))
            return true;
        if (*at != '=')
            continue;
        if (at[1] == '=') {
            at++;
            continue;
        }
        bool shifts = at - expression >= 2 && (!strncmp(at - 2, "<<", 2) || !strncmp(at - 2, ">>", 2));
        if (at == expression || !strchr("=!<>", at[-1]) || shifts)
            return true;
    }
    return false;
}

static char *type_of(const struct view *v, int level, const char *quoted)
{
    struct err err;
    int failure;
    json_t *made = gdb_ask(v->gdb, &failure, &err, "-var-create --thread %d --frame %d - * %s", v->thread, level, quoted);
    if (!made)
        return NULL;
    char *type = memory_text(text_of(made, "type"));
    json_decref(gdb_ask(v->gdb, &failure, &err, "-var-delete %s", text_of(made, "name")));
    json_decref(made);
    return type;
}

static json_t *value_of(const struct view *v, int level, const char *quoted, struct err *err)
{
    int failure;
    return gdb_ask(v->gdb, &failure, err, "-data-evaluate-expression --thread %d --frame %d %s", v->thread, level, quoted);
}

/* gdb gives of a C++ reference only the address. */
static json_t *value_behind(const struct view *v, int level, const char *expression)
{
    struct err unused;
    char *behind = prose_make("*&(%s)", expression), *quoted = mi_quote(behind);
    json_t *answer = value_of(v, level, quoted, &unused);
    free(behind);
    free(quoted);
    return answer;
}

static bool is_reference(const char *type) { return *type && type[strlen(type) - 1] == '&'; }

static json_t *evaluate(const struct view *v, int level, const char *expression, struct err *err)
{
    char *quoted = mi_quote(expression);
    json_t *answer = value_of(v, level, quoted, err);
    char *type = answer ? type_of(v, level, quoted) : NULL;
    json_t *behind = type && is_reference(type) ? value_behind(v, level, expression) : NULL;
    if (behind) {
        json_decref(answer);
        answer = behind;
    }
    json_t *all = !answer ? NULL : json_pack("{s:s, s:s, s:s}", "expression", expression, "type", type ? type : "", "value",
                                             text_of(answer, "value"));
    if (answer && !all)
        fail(err, "the expression is not in UTF-8");
    free(type);
    free(quoted);
    json_decref(answer);
    return all;
}

json_t *debug_print(struct debug *d, const struct trace *trace, uint32_t at, int process, int frame, const char *expression,
                    struct err *err)
{
    struct view v;
    if (!expression[strspn(expression, " \t\n")])
        return fail(err, "print what? A C expression, for instance the name of a variable"), NULL;
    if (changes(expression))
        return fail(err, "%s: an expression that changes the program cannot be printed, for then it would not be where the trace "
                    "stands", expression), NULL;
    if (look(d, trace, at, process, &v, err))
        return NULL;
    int level = level_of(&v, process, frame, err);
    json_t *all = level < 0 ? NULL : evaluate(&v, level, expression, err);
    view_fini(&v);
    return all;
}

/* ---- lines ---- */

static void set_inside(struct debug *d, int process, const json_t *frame)
{
    forget_inside(d);
    d->inside = (struct inside){ .process = process, .file = memory_text(text_of(frame, "file")),
                                 .function = memory_text(text_of(frame, "func")), .line = atoi(text_of(frame, "line")) };
}

enum { RAN_STOPPED, RAN_ARRIVED };

/* The program runs: until it stops, or the copy says that its process stands before its next operation. It is held in both cases,
 * unless it has ended. */
static int run(struct debug *d, struct gdb *g, struct err *err)
{
    int rc = gdb_wait(g, live_descriptor(d->live), DEADLINE, err);
    if (rc == GDB_OTHER) {
        rc = await(d, err);
        if (!rc)
            rc = gdb_stop(g, err);
        return rc ? rc : RAN_ARRIVED;
    }
    if (rc == GDB_LATE)
        rc = gdb_stop(g, err);
    if (rc < 0)
        return rc;
    if (gdb_pid(g))
        return RAN_STOPPED;
    rc = await(d, err);              /* it has ended, and the copy will say so */
    return rc ? rc : RAN_ARRIVED;
}

/* Where it is in its own code, wherever it stopped. */
static int settle_inside(struct debug *d, struct view *v, int process, struct err *err)
{
    view_fini(v);
    int rc = find_frames(v, err);
    if (!rc)
        set_inside(d, process, json_array_get(v->frames, 0));
    return rc;
}

/* Into: through code that is not the program's own, where a step leads there, until its own comes; over: out of such code. */
enum foreign { FOREIGN_INTO, FOREIGN_OVER };

static int go_on(struct view *v, bool out, enum stride stride, struct err *err)
{
    if (out && gdb_go(v->gdb, err, "-exec-finish --thread %d", v->thread) == 0)
        return 0;
    return gdb_go(v->gdb, err, "-exec-%s --thread %d", stride == STRIDE_STEP ? "step" : "next", v->thread);
}

static int one_line(struct debug *d, struct view *v, int process, enum stride stride, enum foreign foreign, struct err *err)
{
    bool out = false;
    for (int i = 0; i < FOREIGN_LINES; i++) {
        int rc = go_on(v, out && foreign == FOREIGN_OVER, stride, err);
        if (!rc)
            rc = run(d, v->gdb, err);
        if (rc < 0)
            return rc;
        if (rc == RAN_ARRIVED) {
            forget_inside(d);
            return 0;
        }
        const json_t *stop = gdb_stopped(v->gdb), *frame = json_object_get(stop, "frame");
        if (!strcmp(text_of(stop, "reason"), "signal-received"))
            break;                   /* it took too long */
        out = !is_own(frame);
        if (!out && strcmp(text_of(stop, "reason"), "function-finished")) {
            set_inside(d, process, frame);
            return 0;
        }
    }
    return settle_inside(d, v, process, err);
}

/* Between the beginning of a thread and its own code may be that of std::thread, which is else stepped over. */
static int first_line(struct debug *d, struct view *v, int process, struct err *err)
{
    int failure;
    json_decref(gdb_ask(v->gdb, &failure, err, "-interpreter-exec console \"skip disable\""));
    int rc = one_line(d, v, process, STRIDE_STEP, FOREIGN_INTO, err);
    struct err unused;
    json_decref(gdb_ask(v->gdb, &failure, &unused, "-interpreter-exec console \"skip enable\""));
    json_decref(gdb_ask(v->gdb, &failure, &unused, "-break-delete"));
    return rc;
}

static bool starts_thread(const struct event *event)
{
    return is_process(&event->op, PROCESS_START) && event->op.process > 0;
}

/* Where it comes back to its own code from the operation: behind the call, or where its own code begins. False: unknown. */
static bool break_there(const struct view *v, const struct event *event, int *failure, struct err *err)
{
    static const char ask[] = "-break-insert -t -p %d %s%s";
    struct err unused;
    bool done = false;
    *failure = 0;
    if (json_array_size(v->frames))
        json_decref(gdb_ask(v->gdb, failure, err, ask, v->thread, "*", text_of(json_array_get(v->frames, 0), "addr")));
    else if (!starts_thread(event))
        json_decref(gdb_ask(v->gdb, failure, err, ask, v->thread, "", "main"));
    else {
        json_decref(gdb_ask(v->gdb, failure, &unused, ask, v->thread, "", "std::thread::_State_impl::_M_run"));
        done = !*failure;
        json_decref(gdb_ask(v->gdb, failure, err, ask, v->thread, "", "rt_thread_run"));
    }
    return done || !*failure;
}

/* The event is executed up to where its process comes back to its own code. */
static int enter(struct debug *d, struct view *v, const struct event *event, struct err *err)
{
    int failure;
    if (!break_there(v, event, &failure, err) && failure != -EINVAL)
        return failure;
    int rc = live_tell(d->live, event, 1, err);
    if (!rc)
        rc = gdb_go(v->gdb, err, "-exec-continue");
    if (!rc)
        rc = run(d, v->gdb, err);
    if (rc == RAN_ARRIVED)
        json_decref(gdb_ask(v->gdb, &failure, err, "-break-delete"));
    return rc;
}

/* The call was the last of its line: it is at the beginning of the next one already. */
static bool is_further(const struct view *v)
{
    const json_t *call = json_array_get(v->frames, 0), *now = json_object_get(gdb_stopped(v->gdb), "frame");
    return is_own(now) && (!call || strcmp(text_of(call, "line"), text_of(now, "line")));
}

/* Looks at the process where it is inside, or else where the transition begins. */
static int look_inside(struct debug *d, const struct trace *trace, uint32_t at, int process, struct view *v, bool *inside,
                       struct err *err)
{
    bury_dead(d);
    *inside = d->inside.process == process && live_there(d->live) && live_count(d->live) == at && live_begins(d->live, trace, at);
    int rc = *inside ? look_once(d, trace, at, process, v, err) : -ESRCH;
    if (rc != -ESRCH)
        return rc;
    if (*inside) {
        view_fini(v);
        spoil(d);
    }
    *inside = false;
    rc = debug_leave(d, err);
    return rc ? rc : look(d, trace, at - 1, process, v, err);
}

static int stride(struct debug *d, const struct trace *trace, uint32_t at, int process, enum stride how, struct err *err)
{
    struct view v = { 0 };
    bool inside;
    if (!at || at > trace->count || trace->events[at - 1].op.process != process)
        return fail(err, "process %d is not in a transition here", process + 1);
    int rc = look_inside(d, trace, at, process, &v, &inside, err);
    if (rc)
        goto out;
    rc = inside ? RAN_STOPPED : enter(d, &v, &trace->events[at - 1], err);
    if (rc == RAN_ARRIVED)
        forget_inside(d);
    else if (rc == RAN_STOPPED && !inside && is_further(&v))
        set_inside(d, process, json_object_get(gdb_stopped(v.gdb), "frame"));
    else if (rc == RAN_STOPPED && !inside && !json_array_size(v.frames))
        rc = first_line(d, &v, process, err);
    else if (rc == RAN_STOPPED)
        rc = one_line(d, &v, process, how, FOREIGN_OVER, err);
out:
    view_fini(&v);
    return rc < 0 ? rc : 0;
}

int debug_stride(struct debug *d, const struct trace *trace, uint32_t at, int process, enum stride how, struct inside *inside,
                 struct err *err)
{
    int rc = stride(d, trace, at, process, how, err);
    if (rc && rc != -EINVAL)
        spoil(d);
    *inside = d->inside;
    return rc;
}

/* ---- begin and end ---- */

struct debug *debug_new(const struct job *job)
{
    struct debug *d = memory_get(sizeof *d);
    d->job = job;
    d->live = live_new(job);
    d->inside.process = -1;
    return d;
}

void debug_free(struct debug *d)
{
    if (!d)
        return;
    for (int i = 0; i < MOST_GDBS; i++)
        gdb_free(d->seats[i].gdb);
    live_free(d->live);
    forget_inside(d);
    free(d);
}

const struct inside *debug_inside(const struct debug *d)
{
    return &d->inside;
}

bool debug_possible(void)
{
    return gdb_installed();
}
