/* SPDX-License-Identifier: MIT */
#include "report/shrink.h"

#include "base/memory.h"
#include "wire.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct turn { int process; uint32_t choice; bool kept; };        /* kept: processes begin there; it stays */
struct schedule { struct turn *turns; uint32_t count; };

struct shrinking {
    const struct job    *job;
    struct confirmation *best;
    struct condition     wrong;
    struct op            op;             /* before which the one who is wrong stands; of an error of all: before which nobody does */
    uint32_t             tries, most;
};

static struct schedule schedule_of(const struct trace *t)
{
    struct schedule s = { memory_get((t->count + 1) * sizeof *s.turns), t->count };
    for (uint32_t i = 0; i < t->count; i++) {
        const struct op *op = &t->events[i].op;
        s.turns[i] = (struct turn){ op->process, t->events[i].choice, is_process(op, PROCESS_START) || is_process(op, PROCESS_CREATE) };
    }
    return s;
}

static bool same_place(const struct op *a, const struct op *b)
{
    return a->type == b->type && a->code == b->code && a->place == b->place && (about_processes(a) || a->text == b->text);
}

static bool is_wrong(const struct shrinking *k, const struct run *run, const struct trace *t)
{
    int p = k->wrong.process;
    if (p >= run->system->processes || (p >= 0 && system_unborn(run->system) >> p & 1))
        return false;
    if (!condition_holds(k->wrong, run->system, t, k->job->search.livelock_limit))
        return false;
    return p < 0 || same_place(&system_pending(run->system, p)->op, &k->op);
}

/* Turns of one who cannot go are left out. True: it comes to the error. */
static bool perform(const struct shrinking *k, const struct schedule *s, struct run *run, struct trace *t)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct turn *turn = &s->turns[i];
        bool there = turn->process < run->system->processes && run->system->enabled >> turn->process & 1;
        if (!there || turn->choice >= system_choices(run->system, turn->process))
            continue;
        if (trace_execute(t, run->system, turn->process, turn->choice, NULL) < 0)
            return false;
        if (is_wrong(k, run, t))
            return true;
    }
    return false;
}

static uint64_t weight(const struct trace *t)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < t->count; i++)
        all += t->events[i].choice;
    return (uint64_t)t->count << 32 | (all < UINT32_MAX ? all : UINT32_MAX);
}

/* Is it shorter, and the same error? Then it is the best so far. */
static bool try(struct shrinking *k, const struct schedule *s)
{
    struct run run;
    struct trace t;
    struct err err;
    if (k->tries == k->most || search_stopped_by(k->job->interrupt))
        return false;
    k->tries++;
    if (run_start(&run, k->job, RUN_FOLLOW, -1, k->best->run.system->texts, &err) < 0)
        return false;
    trace_init(&t);
    bool better = perform(k, s, &run, &t) && weight(&t) < weight(&k->best->trace);
    if (better) {
        assert(is_wrong(k, &run, &t));
        run_stop(&k->best->run);
        trace_fini(&k->best->trace);
        k->best->run = run;
        k->best->trace = t;
    } else {
        run_stop(&run);
        trace_fini(&t);
    }
    return better;
}

/* The best one without some turns of a process: all from `first` of them on. */
static bool without(struct shrinking *k, int process, uint32_t first)
{
    struct schedule s = schedule_of(&k->best->trace);
    uint32_t left = 0, seen = 0;
    for (uint32_t i = 0; i < s.count; i++)
        if (s.turns[i].process != process || s.turns[i].kept || seen++ < first)
            s.turns[left++] = s.turns[i];
    bool some = left < s.count;
    s.count = left;
    some = some && try(k, &s);
    free(s.turns);
    return some;
}

static uint32_t turns_of(const struct trace *t, int process)
{
    struct schedule s = schedule_of(t);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s.count; i++)
        count += s.turns[i].process == process && !s.turns[i].kept;
    free(s.turns);
    return count;
}

static void shorten(struct shrinking *k, int process)
{
    uint32_t count;
    if (process == k->wrong.process || without(k, process, 0))
        return;
    while ((count = turns_of(&k->best->trace, process)) > 1 && without(k, process, count - 1))
        ;
}

static bool with_choice(struct shrinking *k, uint32_t event, uint32_t choice)
{
    struct schedule s = schedule_of(&k->best->trace);
    s.turns[event].choice = choice;
    bool better = try(k, &s);
    free(s.turns);
    return better;
}

static void lessen(struct shrinking *k, uint32_t event)
{
    uint32_t choice;
    while (event < k->best->trace.count && (choice = k->best->trace.events[event].choice))
        if (!with_choice(k, event, 0) && !(choice > 2 && with_choice(k, event, choice / 2)) && !(choice > 1 && with_choice(k, event, choice - 1)))
            return;
}

uint32_t shrink(const struct job *job, struct confirmation *c, struct condition wrong, uint32_t most)
{
    assert(c->verdict == CONFIRM_SAME);
    struct shrinking k = { .job = job, .best = c, .wrong = wrong, .most = most };
    if (wrong.process >= 0)
        k.op = system_pending(c->run.system, wrong.process)->op;
    for (int p = 0; p < MAX_PROCESSES; p++)
        if (turns_of(&c->trace, p))
            shorten(&k, p);
    for (uint32_t i = 0; i < c->trace.count; i++)
        lessen(&k, i);
    return k.tries;
}
