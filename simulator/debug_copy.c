/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/debug_internal.h"

#include "base/file.h"
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEEPEST = 500 };              /* frames that are looked at */

/* ---- the copy ---- */

void debug_forget_inside(struct debug *d)
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

void debug_spoil(struct debug *d)
{
    detach_all(d);
    live_stop(d->live);
    debug_forget_inside(d);
}

void debug_bury_dead(struct debug *d)
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
        debug_spoil(d);
}

int debug_await(struct debug *d, struct err *err)
{
    int rc;
    while ((rc = live_wait(d->live, 200, err)) == 0)
        if (d->job->interrupt && *d->job->interrupt) {
            debug_spoil(d);
            return fail(err, "interrupted"), -EINTR;
        }
    return rc < 0 ? rc : 0;
}

int debug_leave(struct debug *d, struct err *err)
{
    debug_bury_dead(d);
    bool inside = d->inside.process >= 0 && live_there(d->live);
    debug_forget_inside(d);
    if (!inside)
        return 0;
    let_all_run(d);
    int rc = debug_await(d, err);
    if (rc != -ESRCH)
        return rc;
    debug_spoil(d);                        /* the next question starts it again, where the trace stands then */
    return 0;
}

/* To behind the first `at` events. Whoever is inside there stays where it is. */
static int bring(struct debug *d, const struct trace *trace, uint32_t at, struct err *err)
{
    assert(!d->job->starter);
    debug_bury_dead(d);
    bool fits = live_there(d->live) && live_begins(d->live, trace, at);
    if (fits && live_count(d->live) == at)
        return 0;
    if (!fits)
        debug_spoil(d);
    int rc = debug_leave(d, err);
    let_all_run(d);
    if (!rc && !live_there(d->live))
        rc = live_start(d->live, err);
    uint32_t done = live_count(d->live);
    if (!rc && at > done)
        rc = live_tell(d->live, trace->events + done, at - done, err);
    return rc ? rc : debug_await(d, err);
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

const char *debug_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

bool debug_is_own(const json_t *frame)
{
    const char *path = debug_text(frame, "fullname");
    return *debug_text(frame, "file") && atoi(debug_text(frame, "line")) > 0 && !file_is_of_the_system(path);
}

int debug_find_frames(struct debug_view *v, struct err *err)
{
    int failure;
    size_t i;
    json_t *all = gdb_ask(v->gdb, &failure, err, "-stack-list-frames --thread %d 0 %d", v->thread, DEEPEST), *frame;
    v->frames = json_array();
    v->cut = json_array_size(json_object_get(all, "stack")) > DEEPEST;
    json_array_foreach(json_object_get(all, "stack"), i, frame)
        if (i < DEEPEST && debug_is_own(frame))
            json_array_append(v->frames, frame);
    json_decref(all);
    return failure;
}

void debug_view_fini(struct debug_view *v)
{
    json_decref(v->frames);
    v->frames = NULL;
}

int debug_look_once(struct debug *d, const struct trace *trace, uint32_t at, int process, struct debug_view *v, struct err *err)
{
    *v = (struct debug_view){ 0 };
    int rc = bring(d, trace, at, err);
    if (!rc)
        rc = hold(d, process, &v->gdb, err);
    if (!rc)
        rc = find_thread(v->gdb, process, &v->thread, err);
    return rc ? rc : debug_find_frames(v, err);
}

int debug_look(struct debug *d, const struct trace *trace, uint32_t at, int process, struct debug_view *v, struct err *err)
{
    int rc = debug_look_once(d, trace, at, process, v, err);
    if (rc == -ESRCH) {
        debug_view_fini(v);
        debug_spoil(d);
        rc = debug_look_once(d, trace, at, process, v, err);
    }
    if (rc == -ESRCH)
        debug_spoil(d);
    if (rc)
        debug_view_fini(v);
    return rc;
}
