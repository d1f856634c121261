/* SPDX-License-Identifier: MIT */
#include "simulator/debug_internal.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEADLINE = 20000 };           /* milliseconds for one line of the program: then it is stopped where it is */
enum { FOREIGN_LINES = 500 };        /* lines of other people's headers that are passed before a step is given up */

static void set_inside(struct debug *d, int process, const json_t *frame)
{
    debug_forget_inside(d);
    d->inside = (struct inside){ .process = process, .file = memory_text(debug_text(frame, "file")),
                                 .function = memory_text(debug_text(frame, "func")), .line = atoi(debug_text(frame, "line")) };
}

enum { RAN_STOPPED, RAN_ARRIVED };

/* The program runs: until it stops, or the copy says that its process stands before its next operation. It is held in both cases,
 * unless it has ended. */
static int run(struct debug *d, struct gdb *g, struct err *err)
{
    int rc = gdb_wait(g, live_descriptor(d->live), DEADLINE, err);
    if (rc == GDB_OTHER) {
        rc = debug_await(d, err);
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
    rc = debug_await(d, err);              /* it has ended, and the copy will say so */
    return rc ? rc : RAN_ARRIVED;
}

/* Where it is in its own code, wherever it stopped. */
static int stand_inside(struct debug *d, struct debug_view *v, int process, struct err *err)
{
    debug_view_fini(v);
    int rc = debug_find_frames(v, err);
    if (!rc)
        set_inside(d, process, json_array_get(v->frames, 0));
    return rc;
}

/* Into: through code that is not the program's own, where a step leads there, until its own comes; over: out of such code. */
enum foreign { FOREIGN_INTO, FOREIGN_OVER };

static int go_on(struct debug_view *v, bool out, enum stride stride, struct err *err)
{
    if (out && gdb_go(v->gdb, err, "-exec-finish --thread %d", v->thread) == 0)
        return 0;
    return gdb_go(v->gdb, err, "-exec-%s --thread %d", stride == STRIDE_STEP ? "step" : "next", v->thread);
}

static int one_line(struct debug *d, struct debug_view *v, int process, enum stride stride, enum foreign foreign, struct err *err)
{
    bool out = false;
    for (int i = 0; i < FOREIGN_LINES; i++) {
        int rc = go_on(v, out && foreign == FOREIGN_OVER, stride, err);
        if (!rc)
            rc = run(d, v->gdb, err);
        if (rc < 0)
            return rc;
        if (rc == RAN_ARRIVED) {
            debug_forget_inside(d);
            return 0;
        }
        const json_t *stop = gdb_stopped(v->gdb), *frame = json_object_get(stop, "frame");
        if (!strcmp(debug_text(stop, "reason"), "signal-received"))
            break;                   /* it took too long */
        out = !debug_is_own(frame);
        if (!out && strcmp(debug_text(stop, "reason"), "function-finished")) {
            set_inside(d, process, frame);
            return 0;
        }
    }
    return stand_inside(d, v, process, err);
}

/* Between the beginning of a thread and its own code may be that of std::thread, which is else stepped over. */
static int first_line(struct debug *d, struct debug_view *v, int process, struct err *err)
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
static bool break_there(const struct debug_view *v, const struct event *event, int *failure, struct err *err)
{
    static const char ask[] = "-break-insert -t -p %d %s%s";
    struct err unused;
    bool done = false;
    *failure = 0;
    if (json_array_size(v->frames))
        json_decref(gdb_ask(v->gdb, failure, err, ask, v->thread, "*", debug_text(json_array_get(v->frames, 0), "addr")));
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
static int enter(struct debug *d, struct debug_view *v, const struct event *event, struct err *err)
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
static bool is_further(const struct debug_view *v)
{
    const json_t *call = json_array_get(v->frames, 0), *now = json_object_get(gdb_stopped(v->gdb), "frame");
    return debug_is_own(now) && (!call || strcmp(debug_text(call, "line"), debug_text(now, "line")));
}

/* Looks at the process where it is inside, or else where the transition begins. */
static int look_inside(struct debug *d, const struct trace *trace, uint32_t at, int process, struct debug_view *v, bool *inside,
                       struct err *err)
{
    debug_bury_dead(d);
    *inside = d->inside.process == process && live_there(d->live) && live_count(d->live) == at && live_begins(d->live, trace, at);
    int rc = *inside ? debug_look_once(d, trace, at, process, v, err) : -ESRCH;
    if (rc != -ESRCH)
        return rc;
    if (*inside) {
        debug_view_fini(v);
        debug_spoil(d);
    }
    *inside = false;
    rc = debug_leave(d, err);
    return rc ? rc : debug_look(d, trace, at - 1, process, v, err);
}

static int stride(struct debug *d, const struct trace *trace, uint32_t at, int process, enum stride how, struct err *err)
{
    struct debug_view v = { 0 };
    bool inside;
    if (!at || at > trace->count || trace->events[at - 1].op.process != process)
        return fail(err, "process %d is not in a transition here", process + 1);
    int rc = look_inside(d, trace, at, process, &v, &inside, err);
    if (rc)
        goto out;
    rc = inside ? RAN_STOPPED : enter(d, &v, &trace->events[at - 1], err);
    if (rc == RAN_ARRIVED)
        debug_forget_inside(d);
    else if (rc == RAN_STOPPED && !inside && is_further(&v))
        set_inside(d, process, json_object_get(gdb_stopped(v.gdb), "frame"));
    else if (rc == RAN_STOPPED && !inside && !json_array_size(v.frames))
        rc = first_line(d, &v, process, err);
    else if (rc == RAN_STOPPED)
        rc = one_line(d, &v, process, how, FOREIGN_OVER, err);
out:
    debug_view_fini(&v);
    return rc < 0 ? rc : 0;
}

int debug_stride(struct debug *d, const struct trace *trace, uint32_t at, int process, enum stride how, struct inside *inside,
                 struct err *err)
{
    int rc = stride(d, trace, at, process, how, err);
    if (rc && rc != -EINVAL)
        debug_spoil(d);
    *inside = d->inside;
    return rc;
}
