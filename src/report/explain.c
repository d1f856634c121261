/* SPDX-License-Identifier: MIT */
#include "report/explain.h"

#include "objects/types.h"
#include "report/naming.h"
#include "report/waiting.h"
#include "base/prose.h"
#include "system/declared.h"

#include <stdlib.h>
#include <string.h>

static const char *const headings[] = {
    [ERROR_DEADLOCK]       = "deadlock",
    [ERROR_LIVELOCK]       = "livelock",
    [ERROR_DIVERGENCE]     = "divergence",
    [ERROR_ASSERTION]      = "assertion violated",
    [ERROR_INVARIANT]      = "invariant violated",
    [ERROR_CRASH]          = "crash",
    [ERROR_NONDETERMINISM] = "nondeterminism",
    [ERROR_STRUCTURE]      = "structure violated",
    [ERROR_UNSUPPORTED]    = "not controlled",
    [ERROR_RACE]           = "data race",
};

_Static_assert(sizeof headings / sizeof *headings == ERROR_KIND_COUNT, "each kind has its heading");

const char *explain_heading(enum error_kind kind)
{
    return headings[kind];
}

const char explain_nondeterminism[] =
    "A process that is given the same results must do the same. It depends on something that VeriSoft does not control: say, a "
    "file that changes, memory that was never written, or the time.";

static char *own_words(const struct run *run, const struct op *op)
{
    char *text = prose_make("%s", texts_string(run->system->texts, op->text));
    prose_one_line(text);
    return text;
}

/* ---- the line ---- */

static void say_deadlock(const struct run *run, struct prose *w)
{
    int ended = 0, left = 0;
    for (int p = 0; p < run->system->processes; p++) {
        const struct node *node = system_pending(run->system, p);
        bool none = is_process(&node->op, PROCESS_NONE);
        ended += !none && node->flags & NODE_END;
        left += !(node->flags & NODE_END);
    }
    if (left == 1)
        prose_add(w, "the %s process waits for ever", ended ? "last" : "only");
    else if (left == 2)
        prose_add(w, "%s processes wait, and neither can ever go on", ended ? "the last two" : "both");
    else
        prose_add(w, "%s %d processes wait, and none can ever go on", ended ? "the last" : "all", left);
}

static void say_structure(const struct run *run, const struct trace *trace, const struct op *op, int process, struct prose *w)
{
    char *text = about_processes(op) ? own_words(run, op) : run_operation(run, trace, op);
    if (about_processes(op))
        prose_add(w, "process %d: %s", process + 1, text);
    else
        prose_add(w, "process %d does %s, which the declared structure does not allow", process + 1, text);
    free(text);
}

/* What native says of an end is a verb and more: "spins in f(), main.c:3"; of a crash it is the signal. */
static void say_end(const struct run *run, const struct op *op, enum error_kind kind, int process, struct prose *w)
{
    char *text = own_words(run, op);
    prose_add(w, "process %d %s%s", process + 1, kind == ERROR_CRASH ? "died: " : "", text);
    free(text);
}

/* Drivers have names. */
static void say_assertion(const struct run *run, const struct trace *trace, const struct op *op, struct prose *w)
{
    char *does = run_operation(run, trace, op), *who = naming_process(run, run->program ? trace : NULL, op->process);
    prose_add(w, "%s is false in %s", does, who);
    free(does);
    free(who);
}

static char *say_invariant(const struct run *run, const struct trace *trace)
{
    struct prose w = { 0 };
    struct invariant_view view;
    struct breach breach;
    if (!condition_breach(run->system, trace, &view, &breach))
        return prose_make("an invariant is false");
    char *values = invariants_values(run->system->invariants, &view, breach);
    prose_add(&w, "the invariant %s is false", invariants_text(run->system->invariants, breach.invariant));
    if (breach.process >= 0)
        prose_add(&w, " in process %d", breach.process + 1);
    prose_add(&w, ": %s", values);
    free(values);
    return prose_take(&w);
}

/* Somebody waits for ever before what is outside, and nobody can go on. */
static bool is_hidden(const struct op *op, struct condition c) { return c.kind == ERROR_DIVERGENCE && !types_mishap(op); }

static char *message(const struct run *run, const struct trace *trace, struct condition c)
{
    struct prose w = { 0 };
    if (c.kind == ERROR_INVARIANT)
        return say_invariant(run, trace);
    if (c.kind == ERROR_DEADLOCK) {
        say_deadlock(run, &w);
        return prose_take(&w);
    }
    const struct op *op = &system_pending(run->system, c.process)->op;
    if (is_hidden(op, c)) {
        char *does = run_operation(run, trace, op);
        prose_add(&w, "process %d waits for ever in %s, which is outside (--outside)", c.process + 1, does);
        free(does);
        return prose_take(&w);
    }
    switch (c.kind) {
    case ERROR_ASSERTION:
        say_assertion(run, trace, op, &w);
        break;
    case ERROR_LIVELOCK:
        prose_add(&w, "process %d was blocked during the last %u transitions, while others went on", c.process + 1,
                  trace_blocked(trace, run->system, c.process));
        break;
    case ERROR_STRUCTURE:
        say_structure(run, trace, op, c.process, &w);
        break;
    default:
        say_end(run, op, c.kind, c.process, &w);
        break;
    }
    return prose_take(&w);
}

/* ---- the explanation ---- */

static void allowed_processes(uint64_t allowed, struct prose *w)
{
    if (!allowed)
        prose_add(w, "no process at all");
    for (uint64_t m = allowed; m; m &= m - 1)
        prose_add(w, "%sprocess %d", m == allowed ? "" : ", ", __builtin_ctzll(m) + 1);
}

static void explain_structure(const struct run *run, const struct op *op, struct prose *w)
{
    const struct declaration *declared = about_processes(op) ? NULL : declaration_of(run->system, op);
    if (!declared) {
        prose_add(w, run->program ? "A driver makes one request at a time, and each is one of those that doc/drivers.md has."
                     : run_shares(run) ? "POSIX does not say what happens then: it may seem to work most of the time."
                                      : "VeriSoft can only promise to search everything when the program keeps to this rule.");
        return;
    }
    prose_add(w, "Line %d of the configuration says who may do this: ", declared->line);
    allowed_processes(declared->allowed, w);
    prose_add(w, ". The search left things out because of that declaration; correct it, or the program.");
}

static void explain_livelock(const struct run *run, const struct trace *trace, int process, struct prose *w)
{
    waiting_why(run, trace, process, -1, w);
    prose_add(w, "\nPerhaps others can go on like this for ever and never let it run; perhaps it only has to wait long. If that is "
              "right, raise --livelock-limit, or set it to 0 to look for no livelocks.");
}

/* What can be done about it depends on what there is: sources, or only the program. */
static void explain_limit(const struct run *run, const struct op *op, struct prose *w)
{
    if (op->code == PROCESS_DIVERGENCE)
        prose_add(w, "It may wait until another thread or process, which could go on, changes memory that they share. VeriSoft does not "
                  "see such memory, so it cannot tell this from a loop without end. If it is only slow, raise --divergence-limit; a "
                  "loop that waits on a mutex, a semaphore or a condition variable is seen.");
    else if (op->arg[1] == REFUSED_ROOM || op->arg[1] == REFUSED_SIZE)
        prose_add(w, "VeriSoft has no room for that. Check the program with fewer: most errors show in a small case.");
    else if (run->compiled)
        prose_add(w, "This depends on the world outside the program, which cannot be put back and run again. Leave it out of what is "
                  "checked (#ifndef VERIFY: it is defined when VeriSoft compiles), or put VS_toss in its place.");
    else
        prose_add(w, "This depends on the world outside the program, which cannot be put back and run again. Check the program where it "
                  "does not come here: with other arguments or options, or without this part of it.");
}

static char *function_of(const struct run *run, const struct op *op)
{
    return op->code == PROCESS_UNSUPPORTED ? prose_make("%s", texts_string(run->system->texts, (uint32_t)op->arg[0]))
                                           : run_function(run, op);
}

/* A watchdog is there for the case that nothing else goes on. */
static void explain_crash(const struct run *run, const struct trace *trace, struct prose *w)
{
    const struct op *last = trace->count ? &trace->events[trace->count - 1].op : NULL;
    bool expires = last && about_processes(last) && last->code == PROCESS_EXPIRE;
    if (expires && last->arg[2] & EXPIRE_LATE) {
        prose_add(w, "When the timer expired nobody else could go on:\n");
        waiting_all(run, trace, w);
        return;
    }
    prose_add(w, "It would die in the same way outside VeriSoft whenever the processes take these steps in this order.");
    if (expires)
        prose_add(w, " A timer may expire as soon as it is set, for nothing says how long the others take. Is it a watchdog? With --timers late one expires only when nobody else "
                  "can go on.");
}

static char *explanation(const struct run *run, const struct trace *trace, struct condition c)
{
    struct prose w = { 0 };
    switch (c.kind) {
    case ERROR_DEADLOCK:
        waiting_all(run, trace, &w);
        break;
    case ERROR_LIVELOCK:
        explain_livelock(run, trace, c.process, &w);
        break;
    case ERROR_STRUCTURE:
        explain_structure(run, &system_pending(run->system, c.process)->op, &w);
        break;
    case ERROR_ASSERTION:
        prose_add(&w, "The program says that this must be true whenever a process comes here. When the processes take these "
                  "steps, in this order, it is not.");
        break;
    case ERROR_INVARIANT:
        prose_add(&w, "It must be true in every state, or of every transition if it has next(). When the processes take these steps, in this "
                  "order, it is not.");
        break;
    case ERROR_DIVERGENCE:
        if (is_hidden(&system_pending(run->system, c.process)->op, c)) {
            waiting_all(run, trace, &w);
            break;
        }
        prose_add(&w, "It computes without end, or waits for something that VeriSoft does not see. If it is only slow, raise %s.",
                  system_pending(run->system, c.process)->op.arg[0] == DIVERGENCE_ALONE ? "timeout in the suite" : "divergence_limit");
        break;
    case ERROR_CRASH:
        explain_crash(run, trace, &w);
        break;
    case ERROR_UNSUPPORTED:
        explain_limit(run, &system_pending(run->system, c.process)->op, &w);
        break;
    case ERROR_NONDETERMINISM:
        prose_add(&w, "%s", explain_nondeterminism);
        break;
    default:
        break;
    }
    return prose_take(&w);
}

void explain(const struct run *run, const struct trace *trace, struct condition c, struct error *error)
{
    error->kind = c.kind;
    error->process = c.process + 1;
    error->depth = trace->count;
    error->location = c.process < 0 ? NULL : run_location(run, &system_pending(run->system, c.process)->op);
    error->message = message(run, trace, c);
    error->explanation = explanation(run, trace, c);
    if (c.kind == ERROR_UNSUPPORTED)
        error->function = function_of(run, &system_pending(run->system, c.process)->op);
}
