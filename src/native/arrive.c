/* How a process comes to its next operation, or to its end (end.c): what it asks on its way is answered.
 * Invariant: who is told of stands before an operation of its own.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/internal.h"
#include "base/limits.h"
#include "native/group.h"
#include "objects/timers.h"
#include "objects/types.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LOOK_EVERY = 20 };                                /* milliseconds without news, then the process is looked at */
enum { NEWS_DEAD = 100, NEWS_SPINNING, NEWS_BLOCKED, NEWS_SPOILT };      /* beside the events of the wire */

struct news { uint32_t kind; int status; struct watch watch; };

static uint32_t event_in(struct native *n, uint32_t slot)
{
    uint32_t event = line_event(&n->line, slot);
    return event <= EVENT_FAILED ? event : NEWS_SPOILT;
}

/* An event that was set counts even if the process died right after: it will be missed when it is next needed. */
static uint32_t event_or_death(struct native *n, uint32_t slot, int *status)
{
    uint32_t event = event_in(n, slot);
    if (event || !member_gone(n, slot, status))
        return event;
    event = event_in(n, slot);
    return event ? event : NEWS_DEAD;
}

/* What the slot says, once: from now on nobody changes it. */
static void take_slot(struct native *n, uint32_t slot)
{
    const struct wire_slot *s = &n->line.wire->slots[slot];
    struct wire_slot *told = &n->told;
    memcpy(told, s, offsetof(struct wire_slot, text));
    size_t length = strnlen(s->text, MAX_MESSAGE);
    memcpy(told->text, s->text, length);
    told->text[length] = 0;
    if (told->notes_length > MAX_NOTES)
        told->notes_length = MAX_NOTES;
    memcpy(told->notes, s->notes, told->notes_length);
}

static int await(struct native *n, uint32_t slot, struct news *news, struct err *err)
{
    watch_begin(&news->watch, n->members[slot].pid);
    for (;;) {
        uint32_t bell = line_bell(&n->line);
        news->kind = event_or_death(n, slot, &news->status);
        if (news->kind)
            return 0;
        if (n->settings.interrupt && *n->settings.interrupt) {
            fail(err, "interrupted");
            return -EINTR;
        }
        if (line_wait(&n->line, bell, LOOK_EVERY))
            continue;
        enum finding found = watch_look(&news->watch, n->settings.divergence_limit);
        if (found == FOUND_NOTHING)
            continue;
        news->kind = found == FOUND_SPINNING ? NEWS_SPINNING : NEWS_BLOCKED;
        return 0;
    }
}

void arrive_notes(struct native *n, struct arrival *a)
{
    const struct wire_slot *s = &n->told;
    uint32_t length = s->notes_length <= MAX_NOTES ? s->notes_length : MAX_NOTES;
    a->notes = length ? texts_number_of(n->texts, s->notes, length - 1) : 0;     /* without the last line's end */
}

/* ---- operations ---- */

static void stand_before(struct native *n, uint32_t slot, struct arrival *a)
{
    const struct wire_slot *s = &n->told;
    char text[MAX_RULE];
    *a = (struct arrival){.mergeable = !s->kernel_state && !n->settings.threads, .memory = {s->memory[0], s->memory[1]}};
    const char *wrong = !rules_known(n, s)  ? rules_spoilt
                      : n->settings.group ? group_operation(n, slot, &a->op, text) : rules_operation(n, slot, &a->op, text);
    if (wrong == rules_spoilt) {
        end_spoilt(n, slot, a);
        return;
    }
    if (wrong) {
        end_by_rule(n, slot, wrong, a);
        return;
    }
    a->op.text = texts_number(n->texts, n->settings.group ? group_text(n, slot, text) : s->text);
    memcpy(a->fingerprint, s->fingerprint, sizeof a->fingerprint);
    if (n->settings.group)
        a->fingerprint[1] = s->digest;
    arrive_notes(n, a);
    assert(a->op.process == n->members[slot].process);
    n->members[slot].op = a->op;
}

static void operation(struct native *n, uint32_t slot, struct arrival *a)
{
    const struct wire_slot *s = &n->told;
    const struct op op = slot_op(s);
    if (is_process(&op, PROCESS_EXIT) && !n->settings.group)
        end_so(n, slot, PROCESS_EXIT, s->arg[0], s->place, "", a);
    else
        stand_before(n, slot, a);
}

/* ---- requests ---- */

static void answer(struct native *n, uint32_t slot, uint32_t result)
{
    n->line.wire->slots[slot].result = result;
    n->line.wire->slots[slot].has_reply = 0;
    line_command(&n->line, slot, COMMAND_RUN);
}

/* The child waits for its first command; the parent goes on. The kernel puts the child's process id into its slot before the
 * parent runs on, so it is there when the parent next says something. */
static const char *fork_off(struct native *n, uint32_t slot, char *text)
{
    const char *wrong = rules_fork(n, slot, text);
    if (wrong)
        return wrong;
    uint32_t child = (uint32_t)n->start.processes++;
    line_clear(&n->line, child);
    n->line.wire->slots[child].process = (int32_t)child;
    n->line.wire->slots[slot].target = (int32_t)child;
    line_command(&n->line, slot, COMMAND_FORK);
    return NULL;
}

static int needs_group(const char *function, struct err *err)
{
    fail(err, "the program calls %s%s", function, strchr(function, '(') ? "" : "()");
    return -EXDEV;
}

/* 1: answered; 0: the process broke a rule by it. A program that does not use what only VeriSoft has never heard of the rule: as a
 * group it may do what it does. */
static int request(struct native *n, uint32_t slot, uint32_t event, struct arrival *a, struct err *err)
{
    char text[MAX_RULE];
    uint32_t result = 0;
    const char *wrong = event == EVENT_FORK   ? fork_off(n, slot, text)
                      : event == EVENT_CREATE ? rules_create(n, slot, &result, text)
                      : event == EVENT_SET    ? rules_set(n, slot, text)
                      : event == EVENT_SEGMENT ? rules_segment(n, slot, &result, text)
                                              : rules_size(n, &result, text);
    if (wrong && !n->told.manual)
        return needs_group(event == EVENT_FORK ? "fork" : "semget", err);
    if (wrong)
        end_by_rule(n, slot, wrong, a);
    else if (event != EVENT_FORK)
        answer(n, slot, result);
    return !wrong;
}

static int no_process(const struct native *n, struct err *err)
{
    errno = n->told.outcome < 0 ? -n->told.outcome : EAGAIN;
    return fail_errno(err, "no new process for the program");
}

/* The runtime gave up; it always says why. */
static int runtime_failed(const struct native *n, struct err *err)
{
    const char *why = *n->told.text ? n->told.text : "it says that VeriSoft gave up, which it did not: the program wrote into memory that is not its own";
    fail(err, "%s: %.*s", n->settings.executable, MAX_MESSAGE, why);
    limits_of_start(err);
    return -ENOMEM;
}

static int arrive_somewhere(struct native *n, uint32_t slot, struct arrival *a, struct err *err)
{
    for (;;) {
        struct news news = {0};
        int result = await(n, slot, &news, err);
        if (result < 0)
            return result;
        take_slot(n, slot);
        n->line.own.launched |= news.kind < NEWS_DEAD ? LAUNCH_CONNECTED : 0;        /* whoever talks is there */
        if (!line_intact(&n->line)) {
            end_spoilt(n, slot, a);
            return 0;
        }
        switch (news.kind) {
        case EVENT_OPERATION: operation(n, slot, a); return 0;
        case EVENT_CRASH:     end_by_crash(n, slot, a); return 0;
        case EVENT_REFUSE:    end_refused(n, slot, a); return 0;
        case EVENT_COPIED:    return no_process(n, err);
        case EVENT_FAILED:    return runtime_failed(n, err);
        case EVENT_GROUP:     return needs_group(n->told.text, err);
        case NEWS_SPOILT:     end_spoilt(n, slot, a); return 0;
        case NEWS_SPINNING:   end_spinning(n, slot, a); return 0;
        case NEWS_BLOCKED:    end_blocked(n, slot, &news.watch, a); return 0;
        case NEWS_DEAD:
            if (!line_taken(&n->line, slot))
                return -ESRCH;
            end_by_death(n, slot, news.status, a);
            return 0;
        default:
            result = request(n, slot, news.kind, a, err);
            if (result <= 0)
                return result;
        }
    }
}

int arrive_note(struct native *n, uint32_t slot, struct arrival *a, struct err *err)
{
    const struct noter *noter = &n->settings.noter;
    if (!noter->self)
        return 0;
    if (n->moved && noter->must)
        return fail(err, "the program has to start again, and its variables are elsewhere then, because the system fixes no addresses "
                    "(personality or ptrace is refused); leave out --invariant");
    struct where *where = native_where(n);
    if (!where && noter->must)
        return fail(err, "%s: its debugging information cannot be read, and without it no variable is known", n->settings.executable);
    seen_resolve(n);
    n->memory.pid = n->members[slot].pid;
    n->memory.begin = 0;
    return noter->note(noter->self, where, &n->memory, &a->noted, &a->noted_count, err);
}

int arrive(struct native *n, uint32_t slot, struct arrival *a, struct err *err)
{
    int result = arrive_somewhere(n, slot, a, err);
    return result < 0 ? result : arrive_note(n, slot, a, err);
}

int arrive_copied(struct native *n, uint32_t slot, struct err *err)
{
    struct news news = {0};
    int result = await(n, slot, &news, err);
    if (result < 0)
        return result;
    int outcome = n->line.wire->slots[slot].outcome;
    return news.kind == EVENT_COPIED && outcome <= 0 ? outcome : -ESRCH;
}

/* ---- in a group ---- */

static uint32_t steps_done(const struct native *n)
{
    return __atomic_load_n(&line_batch(&n->line)->at, __ATOMIC_RELAXED);
}

/* The slot of whom an event is there; -1: none. */
static int event_of_any(struct native *n, uint32_t *event)
{
    for (uint32_t h = 0; h < MAX_PROCESSES; h++)
        if (n->members[h].pid && (*event = event_in(n, h)) != EVENT_NONE)
            return (int)h;
    const struct batch_plan *plan = &n->group.plan;
    for (uint32_t i = 0, at = steps_done(n); i < plan->count && i <= at; i++) {      /* one that was forked in this batch */
        uint32_t h = plan->steps[i].host;
        if (!n->members[h].pid && (*event = event_in(n, h)) != EVENT_NONE)
            return (int)h;
    }
    return -1;
}

static uint32_t whose_turn(const struct native *n)
{
    const struct batch_plan *plan = &n->group.plan;
    uint32_t at = steps_done(n);
    return plan->steps[at < plan->count ? at : plan->count - 1].host;
}

/* Who was forked in this batch is no member yet, but it may be its turn. */
static void join_newborn(struct native *n, uint32_t host)
{
    if (n->members[host].pid)
        return;
    pid_t pid = member_pid(n, host);
    if (pid != NOBODY)
        n->members[host] = (struct member){.pid = pid, .process = (int)host, .node = NO_NODE, .from = NO_NODE};
}

static int await_group(struct native *n, uint32_t *slot, struct news *news, struct err *err)
{
    uint32_t turn = whose_turn(n);
    watch_begin(&news->watch, n->members[turn].pid);
    for (bool again = false; ; again = true) {
        uint32_t bell = line_bell(&n->line);
        int found = event_of_any(n, &news->kind);
        if (found >= 0) {
            *slot = (uint32_t)found;
            return 0;
        }
        if (!again) {                /* mostly that is all: the rest costs more than most batches */
            line_wait(&n->line, bell, LOOK_EVERY);
            continue;
        }
        if (whose_turn(n) != turn || !n->members[turn].pid) {
            turn = whose_turn(n);
            join_newborn(n, turn);
            watch_begin(&news->watch, n->members[turn].pid);
        }
        *slot = turn;
        if (n->members[turn].pid && member_gone(n, turn, &news->status) && event_of_any(n, &news->kind) < 0) {
            news->kind = NEWS_DEAD;
            return 0;
        }
        if (n->settings.interrupt && *n->settings.interrupt) {
            fail(err, "interrupted");
            return -EINTR;
        }
        if (line_wait(&n->line, bell, LOOK_EVERY) || !n->members[turn].pid)
            continue;
        enum finding finding = watch_look(&news->watch, n->settings.divergence_limit);
        if (finding == FOUND_NOTHING)
            continue;
        news->kind = finding == FOUND_SPINNING ? NEWS_SPINNING : NEWS_BLOCKED;
        return 0;
    }
}

static bool is_intact(const struct native *n)
{
    const struct batch_plan *plan = &n->group.plan;
    const struct wire_batch *batch = line_batch(&n->line);
    return line_intact(&n->line) && n->group.done && n->group.done <= plan->count && batch->count == plan->count
        && !memcmp(batch->steps, plan->steps, plan->count * sizeof *plan->steps);
}

/* Who does not listen to commands any more cannot go back: the next time all start again. The step it is in counts as done. False: it is
 * not known which step it is about, because somebody wrote into the wire, or died while memory was put back. */
static bool count_steps(struct native *n, struct news *news)
{
    struct group_run *g = &n->group;
    g->done = steps_done(n) + (news->kind >= NEWS_DEAD);
    if (!is_intact(n))
        news->kind = NEWS_SPOILT;
    if (news->kind >= NEWS_DEAD)
        g->alive = false;
    if (news->kind != NEWS_SPOILT)
        return g->plan.steps[g->done - 1].process < MAX_PROCESSES;
    g->done = 1;
    g->single = true;
    return g->plan.count == 1;
}

/* The program comes to a variable that has to be seen otherwise than it is. False: that is not so; it never says so of itself. */
static bool look_otherwise(struct visible *v, const struct wire_slot *s)
{
    uint64_t size = s->arg[0] > 0 ? (uint64_t)s->arg[0] : 0;
    switch (s->arg[1]) {
    case VISIBLE_ADD:     return size && s->object < WIRE_TOP && !visible_has(v, s->object, size) && visible_add(v, s->object, size);
    case VISIBLE_JOIN:    return visible_join(v, s->object, s->argument, false);
    case VISIBLE_WELD:    return visible_join(v, s->object, s->argument, true);
    case VISIBLE_UNKNOWN: return visible_unknown(v, s->object);
    case VISIBLE_ENDLESS: return visible_loop(v, s->object, true);
    default:              return false;
    }
}

/* -ERESTART, or 0: it is nothing that the runtime says. */
static int wants_visible(struct native *n, uint32_t slot, struct arrival *a, struct err *err)
{
    struct visible *v = n->settings.visible;
    if (v && v->count == MAX_VISIBLE)
        return fail(err, "more than %d variables that processes share without a lock", MAX_VISIBLE);
    seen_resolve(n);
    if (v && n->settings.demand && look_otherwise(v, &n->told)) {
        fail(err, "a variable is shared without a lock");
        return -ERESTART;
    }
    end_spoilt(n, slot, a);
    return 0;
}

/* Timers, and waits with time limits: is this the first time that both are seen? Then they have to go by one clock. */
static bool needs_clock(struct native *n, const struct op *op)
{
    struct habits *h = n->settings.habits;
    struct op without;
    if (!h || !n->settings.demand || n->settings.timers_any || h->timed)
        return false;
    h->timers |= is_process(op, PROCESS_CREATE) && op->arg[1] & CREATE_TIMER;
    h->waits |= types_limit(op, &without);
    return h->timed = h->timers && h->waits;
}

/* Is this the first time that a thread cancels another one? Then what is nothing but a cancellation point has to be an operation. */
static bool needs_points(struct native *n, const struct op *op)
{
    struct habits *h = n->settings.habits;
    if (!h || !n->settings.demand || h->cancels)
        return false;
    return h->cancels = is_process(op, PROCESS_CANCEL) && op->arg[0] != op->process;
}

/* Is this the first time that one looks at a file that another changes? Until then the runtime tells of no access. */
static bool needs_files(struct native *n, const struct op *op)
{
    struct habits *h = n->settings.habits;
    if (!h || !n->settings.demand || h->files)
        return false;
    return h->files = is_of_file(op);
}

static int operation_of_group(struct native *n, uint32_t slot, struct arrival *a, struct err *err)
{
    operation(n, slot, a);
    bool clock = needs_clock(n, &a->op), points = needs_points(n, &a->op), files = needs_files(n, &a->op);
    if (!clock && !points && !files)
        return 0;
    fail(err, clock ? "the program has timers, and waits with time limits"
              : points ? "threads of the program cancel each other" : "processes of the program act on each other by a file");
    return -ERESTART;
}

int arrive_group(struct native *n, uint32_t *slot, struct arrival *a, struct err *err)
{
    struct news news = {0};
    int result = await_group(n, slot, &news, err);
    if (result < 0)
        return result;
    if (news.kind == NEWS_DEAD && steps_done(n) == 0 && !line_taken(&n->line, *slot))
        return -ESRCH;
    take_slot(n, *slot);
    if (news.kind == EVENT_FAILED)
        return runtime_failed(n, err);
    if (!count_steps(n, &news)) {
        line_repair(&n->line);
        return -ESRCH;
    }
    join_newborn(n, *slot);
    n->members[*slot].process = n->group.plan.steps[n->group.done - 1].process;
    switch (news.kind) {
    case EVENT_OPERATION: return operation_of_group(n, *slot, a, err);
    case EVENT_CRASH:     end_by_crash(n, *slot, a); return 0;
    case EVENT_REFUSE:    end_refused(n, *slot, a); return 0;
    case NEWS_SPINNING:   end_spinning(n, *slot, a); return 0;
    case NEWS_BLOCKED:    end_blocked(n, *slot, &news.watch, a); return 0;
    case NEWS_DEAD:       end_by_death(n, *slot, news.status, a); return 0;
    case NEWS_SPOILT:     end_spoilt(n, *slot, a); return 0;
    case EVENT_COPIED:    return no_process(n, err);
    case EVENT_VISIBLE:   return wants_visible(n, *slot, a, err);
    case EVENT_GROUP:
        end_spoilt(n, *slot, a);
        return 0;
    default:
        end_by_rule(n, *slot, "an operation that only processes with memory of their own can do: see doc/posix.md", a);
        return 0;
    }
}
