/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report/waiting.h"

#include "base/memory.h"
#include "system/declared.h"

#include "objects/process.h"
#include "objects/types.h"
#include "report/circle.h"
#include "report/naming.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BIT(p) (UINT64_C(1) << (p))

static bool ended(const struct run *run, int process)
{
    return system_pending(run->system, process)->flags & NODE_END;
}

/* What each process did to one object: when, and how much of it it still holds. */
struct use {
    uint32_t last[MAX_PROCESSES];    /* step of its last operation with that code; 0: it never did it */
    uint32_t since[MAX_PROCESSES];   /* step in which it began to hold some; 0: it holds none */
    int64_t  held[MAX_PROCESSES];
};

/* Of an object that is several, the one that the operation is on; -1: it is on several, or the object is one. */
static int32_t part_of(const struct op *op)
{
    const struct parts *parts = types_get(op->type)->parts;
    struct op as;
    int32_t index;
    return parts && parts->operation(op, &as, &index) ? index : -1;
}

/* How much of the object its process holds more by this operation. */
static int64_t taken_by(const struct op *op, uint32_t result)
{
    const struct object_type *type = types_get(op->type);
    return type->taken ? type->taken(op, result) : 0;
}

static void note_holding(struct use *use, const struct event *event, uint32_t step)
{
    int p = event->op.process;
    use->held[p] += IS_RESULT_SIGNAL(event->result) ? 0 : taken_by(&event->op, event->result);
    if (use->held[p] < 0)
        use->held[p] = 0;
    if (!use->held[p])
        use->since[p] = 0;
    else if (!use->since[p])
        use->since[p] = step;
}

/* The same object, and of one that is several the same part. */
static bool on_the_same(const struct op *a, const struct op *b)
{
    return a->object == b->object && (part_of(a) < 0 || part_of(a) == part_of(b));
}

/* What was done to the object of `to`. `code`: whose last step is wanted; -1: any operation. */
static void look_back(const struct trace *trace, const struct op *to, int code, struct use *use)
{
    *use = (struct use){ 0 };
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct op *op = &trace->events[i].op;
        if (!on_the_same(to, op))
            continue;
        if (code < 0 || op->code == code)
            use->last[op->process] = i + 1;
        note_holding(use, &trace->events[i], i + 1);
    }
}

static uint64_t nonzero(const uint32_t steps[MAX_PROCESSES])
{
    uint64_t mask = 0;
    for (int p = 0; p < MAX_PROCESSES; p++)
        mask |= steps[p] ? BIT(p) : 0;
    return mask;
}

/* "process 2 (step 3) and process 4 (step 7)" */
static void list(const struct run *run, uint64_t processes, const uint32_t *steps, int self, struct prose *w)
{
    int left = __builtin_popcountll(processes);
    for (uint64_t m = processes; m; m &= m - 1, left--) {
        int p = __builtin_ctzll(m);
        prose_add(w, "process %d%s", p + 1, p == self ? " itself" : "");
        if (steps)
            prose_add(w, " (step %u%s)", steps[p], ended(run, p) ? "; it has ended" : "");
        prose_add(w, "%s", left > 2 ? ", " : left == 2 ? " and " : "");
    }
}

/* ---- semaphores ---- */

/* What each process took of a semaphore and gave to it since it was made, or last set. */
struct flow {
    int64_t  initial;
    uint32_t takes[MAX_PROCESSES], gives[MAX_PROCESSES];
    uint32_t last_take[MAX_PROCESSES], last_give[MAX_PROCESSES];         /* steps; 0: never */
    uint64_t given_untaken;          /* processes that once gave more than they had taken */
};

static void flow_event(struct flow *f, const struct event *e, uint32_t step)
{
    int p = e->op.process;
    int64_t taken = taken_by(&e->op, e->result);
    if (taken > 0) {
        f->takes[p] += (uint32_t)taken;
        f->last_take[p] = step;
    } else if (taken < 0) {
        f->gives[p] += (uint32_t)-taken;
        f->last_give[p] = step;
        f->given_untaken |= f->gives[p] > f->takes[p] ? BIT(p) : 0;
    }
}

/* As the program made it. */
static uint32_t first_value(const struct run *run, const struct op *op)
{
    const struct object *object = &run->system->objects[op->object];
    uint32_t *state = memory_get(object->words * sizeof *state);
    object->type->init(object->created->arg, state);
    uint32_t value = object->type->units->left(state, op);
    free(state);
    return value;
}

static struct flow flow_of(const struct run *run, const struct trace *trace, const struct op *op)
{
    const struct units *units = types_get(op->type)->units;
    assert(units && units->left);    /* who awaits units says how many there are (objects/types.c) */
    struct flow f = { .initial = first_value(run, op) };
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct event *e = &trace->events[i];
        uint32_t value;
        if (e->op.object != op->object || IS_RESULT_SIGNAL(e->result))
            continue;
        if (units->sets && units->sets(&e->op, op, &value))
            f = (struct flow){ .initial = value };
        if (on_the_same(op, &e->op))
            flow_event(&f, e, i + 1);
    }
    return f;
}

static uint32_t value_of(const struct run *run, const struct op *op)
{
    const struct object *object = &run->system->objects[op->object];
    return object->type->units->left(run->system->words + object->state, op);
}

/* "process 1 took it 2 times (last in step 9)" */
static void tell_flow(const struct run *run, const uint32_t count[MAX_PROCESSES], const uint32_t last[MAX_PROCESSES], const char *verb,
                      int self, struct prose *w)
{
    bool first = true;
    for (int p = 0; p < run->system->processes; p++) {
        if (!count[p])
            continue;
        prose_add(w, "%sprocess %d%s %s it", first ? "" : ", ", p + 1, p == self ? " itself" : "", verb);
        if (count[p] > 1)
            prose_add(w, " %u times, last", count[p]);
        prose_add(w, " in step %u", last[p]);
        first = false;
    }
}

/* A semaphore by which one tells others something: those who give to it are not those who take. */
static uint64_t why_signal(const struct run *run, const struct flow *f, const struct op *op, struct prose *w)
{
    const char *gave = types_get(op->type)->units->gave;
    uint64_t givers = nonzero(f->last_give);
    prose_add(w, "the semaphore is %u. It began with %lld, ", value_of(run, op), (long long)f->initial);
    if (givers)
        tell_flow(run, f->gives, f->last_give, gave, op->process, w);
    else
        prose_add(w, "and nobody has %s it", gave);
    if (nonzero(f->last_take)) {
        prose_add(w, ", and ");
        tell_flow(run, f->takes, f->last_take, "took", op->process, w);
    }
    return givers & ~BIT(op->process);
}

static uint64_t why_semaphore(const struct run *run, const struct trace *trace, const struct op *op, struct prose *w)
{
    struct use use;
    struct flow f = flow_of(run, trace, op);
    look_back(trace, op, -1, &use);
    uint64_t holders = nonzero(use.since);
    int64_t needed = taken_by(op, 0);
    if (needed > 1)
        prose_add(w, "%lld are needed, the semaphore has %u; ", (long long)needed, value_of(run, op));
    if (!holders || f.given_untaken || !f.initial)
        return why_signal(run, &f, op, w);
    list(run, holders, use.since, op->process, w);
    prose_add(w, " took that semaphore and %s not given it back", __builtin_popcountll(holders) == 1 ? "has" : "have");
    return holders;
}

static uint8_t partner_of(const struct op *op) { return op->code == QUEUE_RECEIVE ? QUEUE_SEND : QUEUE_RECEIVE; }

static uint64_t why_queue(const struct run *run, const struct trace *trace, const struct op *op, struct prose *w)
{
    bool receives = op->code == QUEUE_RECEIVE;
    uint8_t other = partner_of(op);
    const char *verb = receives ? "sent to" : "received from";
    struct use use;
    look_back(trace, op, other, &use);
    uint64_t users = nonzero(use.last), allowed = declared_allowed(run->system, op, other);
    prose_add(w, "the queue is %s; so far ", receives ? "empty" : "full");
    if (users)
        list(run, users, use.last, op->process, w);
    else
        prose_add(w, "no process");
    prose_add(w, " %s it", verb);
    if (allowed == UINT64_MAX)
        return users & ~BIT(op->process);
    prose_add(w, "; declared to do so: ");
    if (allowed)
        list(run, allowed, NULL, -1, w);
    else
        prose_add(w, "no process");
    return allowed & ~BIT(op->process);
}

/* Does the operating system know it as its child? Where memory is not shared, process 1 is the parent of all others. */
static bool is_child(const struct run *run, int child, int parent)
{
    const struct system *s = run->system;
    const uint32_t *table = s->words + s->objects[s->table].state;
    return run_shares(run) ? process_parent(table, child) == process_host(table, parent) : parent == 0;
}

/* Who still lives of a child: when its first thread has ended, its other threads. */
static uint64_t living_of(const struct run *run, int child)
{
    const struct system *s = run->system;
    uint64_t living = 0;
    uint64_t family = run_shares(run) ? process_family(s->words + s->objects[s->table].state, child) : BIT(child);
    if (!ended(run, child))
        return BIT(child);
    for (uint64_t m = family; m; m &= m - 1)
        if (!ended(run, __builtin_ctzll(m)))
            living |= BIT(__builtin_ctzll(m));
    return living;
}

static uint64_t why_wait(const struct run *run, const struct op *op, struct prose *w)
{
    uint64_t living = 0;
    for (int p = 1; p < run->system->processes; p++)
        if (is_child(run, p, op->process) && (op->arg[0] < 0 || op->arg[0] == p))
            living |= living_of(run, p);
    prose_add(w, "it waits for a child to exit, and ");
    list(run, living, NULL, -1, w);
    prose_add(w, " still %s", __builtin_popcountll(living) == 1 ? "lives" : "live");
    return living;
}

/* ---- threads ---- */

/* "process 2 has held it since step 3 (main.c:10)" */
/* What its type has to say; 0: nothing. */
static uint64_t why_by_type(const struct run *run, const struct op *op, struct prose *w)
{
    const struct object *object = &run->system->objects[op->object];
    char text[512] = "";
    uint64_t whom = object->type->why ? object->type->why(run->system->words + object->state, op, text, sizeof text) : 0;
    prose_add(w, "%s", text);
    return whom;
}

static uint64_t why_lock(const struct run *run, const struct trace *trace, const struct op *op, struct prose *w)
{
    struct use use;
    uint64_t first = why_by_type(run, op, w);
    if (first)
        return first;
    look_back(trace, op, -1, &use);
    uint64_t holders = nonzero(use.since);
    for (uint64_t m = holders; m; m &= m - 1) {
        int p = __builtin_ctzll(m);
        char *where = run_location(run, &trace->events[use.since[p] - 1].op);
        prose_add(w, "%sprocess %d%s has held it since step %u%s%s%s%s", m == holders ? "" : ", ", p + 1,
                  p == op->process ? " itself" : "", use.since[p], where ? " (" : "", where ? where : "", where ? ")" : "",
                  ended(run, p) ? " and has ended" : "");
        free(where);
    }
    if (!holders)
        prose_add(w, "nobody holds it, and nobody can ever give it free");
    return holders;
}

static enum awaits awaits_of(const struct op *op) { return types_get(op->type)->operations[op->code].awaits; }

static uint64_t why_join(const struct run *run, const struct trace *trace, const struct op *op, int inside, struct prose *w)
{
    if (op->arg[0] == inside) {
        prose_add(w, "process %d has not ended, it is inside its code", inside + 1);
        return BIT(inside);
    }
    const struct op *its = &system_pending(run->system, op->arg[0])->op;
    char *does = run_waits_in(run, trace, its), *where = run_location(run, its);
    prose_add(w, "process %d has not ended, it %s%s%s%s", op->arg[0] + 1, awaits_of(its) == AWAITS_CHANGE ? "" : "stands before ", does,
              where ? " at " : "", where ? where : "");
    free(does);
    free(where);
    return BIT(op->arg[0]);
}

/* The signals of a condition variable, as far as they matter to one that waits for it. */
struct signals {
    uint32_t began;                  /* step since which it waits */
    uint32_t last, since;            /* step of the last signal, 0: none; how many came after it began to wait */
    int      who;                    /* sent the last one */
    uint64_t woke;                   /* whom the last one woke; 0: nobody waited */
};

/* Follows who waits, as each operation left it. */
static void signal_event(struct signals *s, uint64_t *waiting, const struct event *e, uint32_t step, int process)
{
    uint64_t woke = e->op.code == COND_BROADCAST ? *waiting : e->op.code == COND_SIGNAL && e->result ? BIT(e->result - 1) : 0;
    switch (e->op.code) {
    case COND_ENTER:
        *waiting |= BIT(e->op.process);
        if (e->op.process == process)
            *s = (struct signals){ .began = step, .last = s->last, .who = s->who, .woke = s->woke };
        break;
    case COND_WAKE:
        *waiting &= ~BIT(e->op.process);
        break;
    case COND_SIGNAL:
    case COND_BROADCAST:
        *waiting &= ~woke;
        *s = (struct signals){ s->began, step, s->since + 1, e->op.process, woke };
        break;
    default:
        break;
    }
}

static void tell_woken(const struct signals *s, int process, struct prose *w)
{
    uint64_t others = s->woke & ~BIT(process);
    if (!s->woke) {
        prose_add(w, ": nobody waited then, so it was lost");
        return;
    }
    prose_add(w, ", and woke ");
    if (s->woke & BIT(process))
        prose_add(w, "it that time%s", others ? ", and " : "");
    for (uint64_t m = others; m; m &= m - 1)
        prose_add(w, "%sprocess %d", m == others ? "" : m & (m - 1) ? ", " : " and ", __builtin_ctzll(m) + 1);
}

static uint64_t why_condition(const struct trace *trace, const struct op *op, struct prose *w)
{
    struct signals s = { 0 };
    uint64_t waiting = 0;
    for (uint32_t i = 0; i < trace->count; i++)
        if (trace->events[i].op.object == op->object)
            signal_event(&s, &waiting, &trace->events[i], i + 1, op->process);
    prose_add(w, "it has waited since step %u, ", s.began);
    if (!s.last) {
        prose_add(w, "and nobody ever signalled it");
        return 0;
    }
    if (!s.since)
        prose_add(w, "and nobody has signalled it since; the last signal came before, from process %d in step %u", s.who + 1, s.last);
    else if (s.since == 1)
        prose_add(w, "and the only signal since then came from process %d in step %u", s.who + 1, s.last);
    else
        prose_add(w, "and none of the %u signals since then was for it; the last came from process %d in step %u", s.since, s.who + 1,
                  s.last);
    tell_woken(&s, op->process, w);
    return 0;
}

static bool same_process(const struct run *run, int a, int b)
{
    const uint32_t *table = run->system->words + run->system->objects[run->system->table].state;
    return process_host(table, a) == process_host(table, b);
}

/* Only one thread of a UNIX process exits. */
static uint64_t why_exit(const struct run *run, const struct trace *trace, const struct op *op, struct prose *w)
{
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct op *o = &trace->events[i].op;
        if (!is_process(o, PROCESS_EXITING) || !same_process(run, o->process, op->process))
            continue;
        prose_add(w, "process %d called exit before it, in step %u, and has not come to its end", o->process + 1, i + 1);
        return BIT(o->process);
    }
    prose_add(w, "it ends the program when no other thread can go on");
    return 0;
}

/* "process 1 spins until flag changes at main.c:40, and nobody is left to change it: value 0" */
static uint64_t why_spins(const struct run *run, const struct op *op, struct prose *w)
{
    const struct object *object = &run->system->objects[op->object];
    char state[128] = "";
    object->type->print(run->system->words + object->state, system_object_text, run->system->texts, state, sizeof state);
    prose_add(w, "%s%s%s", run->system->enabled ? "" : ", and nobody is left to change it", *state ? ": " : "", state);
    if (op->arg[1] == LOCATION_COUNTS)
        prose_add(w, "; it counts, too, and was taken to wait after many millions of rounds");
    return 0;
}

static uint64_t why_other(const struct run *run, const struct trace *trace, const struct op *op, struct prose *w)
{
    const struct object *object = &run->system->objects[op->object];
    char state[512] = "";
    if (object->type->why)
        return why_by_type(run, op, w);
    if (object->type->print)
        object->type->print(run->system->words + object->state, system_object_text, run->system->texts, state, sizeof state);
    prose_one_line(state);
    prose_add(w, "the %s: %s", object->type->name, *state ? state : "not ready");
    struct use use;
    look_back(trace, op, -1, &use);
    uint64_t users = nonzero(use.last) & ~BIT(op->process);
    if (users) {
        prose_add(w, "; it was last used by ");
        list(run, users, use.last, -1, w);
    }
    return users;
}

static uint64_t why(const struct run *run, const struct trace *trace, const struct op *op, int inside, struct prose *w)
{
    if (awaits_of(op) < AWAITS_CHILD && op->object == NO_OBJECT) {
        prose_add(w, op->outside ? "it is outside (--outside), and would only look again" : "it can never go on from there");
        return 0;
    }
    switch (awaits_of(op)) {
    case AWAITS_UNITS:   return why_semaphore(run, trace, op, w);
    case AWAITS_LOCK:    return why_lock(run, trace, op, w);
    case AWAITS_WAKING:  return why_condition(trace, op, w);
    case AWAITS_MESSAGE:
    case AWAITS_ROOM:    return why_queue(run, trace, op, w);
    case AWAITS_CHILD:   return why_wait(run, op, w);
    case AWAITS_THREAD:  return why_join(run, trace, op, inside, w);
    case AWAITS_EXIT:    return why_exit(run, trace, op, w);
    case AWAITS_SIGNAL:  prose_add(w, "no signal comes"); return 0;
    case AWAITS_TIME:    prose_add(w, "it is not armed, or nobody has seen its last expiry"); return 0;
    case AWAITS_CHANGE:  return why_spins(run, op, w);
    case AWAITS_OTHER:   break;
    }
    return why_other(run, trace, op, w);
}

uint64_t waiting_why(const struct run *run, const struct trace *trace, int process, int inside, struct prose *w)
{
    const struct op *op = &system_pending(run->system, process)->op;
    char *does = run_waits_in(run, trace, op), *where = run_location(run, op);
    char *who = naming_process(run, trace, process);
    bool spins = awaits_of(op) == AWAITS_CHANGE;
    prose_add(w, "%s %s%s%s%s%s", who, spins ? "" : "waits in ", does, where ? " at " : "", where ? where : "", spins ? "" : ": ");
    uint64_t whom = why(run, trace, op, inside, w);
    prose_add(w, ".");
    free(who);
    free(does);
    free(where);
    return whom;
}

/* ---- all of them ---- */

/* Of those who could let it go on: the ones for whom it really waits, for nobody else can give it what it waits for. */
static uint64_t really_waits_for(const struct run *run, int process, uint64_t could)
{
    const struct op *op = &system_pending(run->system, process)->op;
    uint64_t only = __builtin_popcountll(could) == 1 ? could : 0;
    switch (awaits_of(op)) {
    case AWAITS_CHILD:
    case AWAITS_THREAD:
    case AWAITS_EXIT:
    case AWAITS_LOCK:    return could;                                   /* each of them */
    case AWAITS_UNITS:   return only;
    case AWAITS_OTHER:   return types_get(op->type)->why ? only : 0;
    case AWAITS_MESSAGE:
    case AWAITS_ROOM:    return declared_allowed(run->system, op, partner_of(op)) != UINT64_MAX ? only : 0;
    case AWAITS_WAKING:
    case AWAITS_CHANGE:
    case AWAITS_SIGNAL:
    case AWAITS_TIME:    break;
    }
    return 0;
}

/* The last event in which this process ended, or another ended it; NULL: unknown. */
static const struct event *end_of(const struct trace *trace, int process)
{
    for (uint32_t i = trace->count; i-- > 0;) {
        const struct op *op = &trace->events[i].op;
        bool own = op->process == process && (op->code == PROCESS_FINISH || op->code == PROCESS_LEAVE);
        if (about_processes(op) && own)
            return &trace->events[i];
    }
    return NULL;
}

char *waiting_end(const struct trace *trace, int process, bool brief, const struct event **at)
{
    static const char *const finished[][2] = {
        [FINISH_RETURN] = { "has returned", "returned" }, [FINISH_EXIT] = { "ended itself by pthread_exit", "pthread_exit" },
        [FINISH_CANCELLED] = { "was cancelled, and ended", "cancelled" } };
    const struct event *end = *at = end_of(trace, process);
    int32_t how = !end ? 0 : end->op.code == PROCESS_FINISH ? end->op.arg[1] : end->op.arg[0];
    if (!end)
        return prose_make("%s", brief ? "with its UNIX process" : "was ended together with its UNIX process");
    if (end->op.code == PROCESS_FINISH)
        return prose_make("%s", finished[how >= 0 && how <= FINISH_CANCELLED ? how : 0][brief]);
    const char *name = how & 0x7f ? sigabbrev_np(how & 0x7f) : NULL;
    if (how & 0x7f)
        return prose_make("%s SIG%s", brief ? "by" : "was ended by", name ? name : "RT");
    return prose_make(brief ? "exit(%d)" : "has ended with exit status %d", how >> 8 & 0xff);
}

static void tell_end_in_group(const struct run *run, const struct trace *trace, int process, struct prose *w)
{
    const struct event *end;
    char *how = waiting_end(trace, process, false, &end);
    prose_add(w, "%s", how);
    free(how);
    char *where = end ? run_location(run, &end->op) : NULL;
    if (end)
        prose_add(w, " in step %u%s%s%s", (unsigned)(end - trace->events) + 1, where ? " (" : "", where ? where : "", where ? ")" : "");
    free(where);
}

static void tell_end(const struct run *run, const struct trace *trace, int process, struct prose *w)
{
    char *who = naming_process(run, trace, process);
    prose_add(w, "%s ", who);
    free(who);
    if (run_shares(run)) {
        tell_end_in_group(run, trace, process, w);
    } else {
        char *does = run_operation(run, trace, &system_pending(run->system, process)->op);
        prose_add(w, "has ended: %s", does);
        free(does);
    }
    prose_add(w, ".");
}

static bool was_created(const struct run *run, int process)
{
    const struct op *op = &system_pending(run->system, process)->op;
    return !is_process(op, PROCESS_NONE);
}

/* Threads that have returned, if there are so many that nobody wants a line about each. */
static uint64_t not_worth_a_line(const struct run *run, const struct trace *trace)
{
    enum { MOST_LINES = 8 };
    uint64_t returned = 0;
    for (int p = 0; p < run->system->processes; p++) {
        const struct event *end = was_created(run, p) && ended(run, p) && run_shares(run) ? end_of(trace, p) : NULL;
        if (end && end->op.code == PROCESS_FINISH && end->op.arg[1] == FINISH_RETURN)
            returned |= BIT(p);
    }
    return __builtin_popcountll(returned) > MOST_LINES ? returned : 0;
}

void waiting_all(const struct run *run, const struct trace *trace, struct prose *w)
{
    uint64_t waits_for[MAX_PROCESSES] = { 0 }, silent = not_worth_a_line(run, trace);
    for (int p = 0; p < run->system->processes; p++) {
        if (!was_created(run, p) || silent & BIT(p))
            continue;
        if (p)
            prose_add(w, "\n");
        if (ended(run, p))
            tell_end(run, trace, p, w);
        else
            waits_for[p] = really_waits_for(run, p, waiting_why(run, trace, p, -1, w));
    }
    if (silent)
        prose_add(w, "\n%d other threads have returned.", __builtin_popcountll(silent));
    circle_tell(waits_for, run->system->processes, w);
}
