/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report/judge.h"

#include "base/memory.h"
#include "base/prose.h"
#include "native/outside.h"
#include "objects/types.h"
#include "report/outcome.h"
#include "system/hidden.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Too many steps shut out another one, each of them. */
static void judge_untried(struct outcome *outcome)
{
    uint64_t untried = outcome->search.counts.untried;
    if (!untried)
        return;
    outcome->search.coverage = COVERAGE_PART;
    outcome_warn(outcome, "%llu time%s so many steps kept another one from going that not all ways to put them off were tried; "
                 "--reduction source tries them all", (unsigned long long)untried, untried == 1 ? "" : "s");
}

/* A thread stood before something else than when the same operations were in an equivalent order. */
static void judge_surprises(const struct job *job, struct outcome *outcome)
{
    uint64_t surprises = outcome->search.counts.surprises;
    if (!surprises)
        return;
    outcome->search.coverage = COVERAGE_PART;
    outcome_warn(outcome, "%llu order%s could not be searched: what a thread does there depends on a variable that another one writes "
                 "without synchronisation (a data race, or an atomic variable), which VeriSoft does not see%s",
                 (unsigned long long)surprises, surprises == 1 ? "" : "s", job->native.outside ? "; or on what is outside (--outside)" : "");
}

/* What looks like the program's own doing may come of where it lies. */
static void judge_addresses(const struct run *run, struct outcome *outcome)
{
    bool differs = false;
    for (uint32_t i = 0; i < outcome->finding_count; i++)
        differs |= outcome->findings[i].kind == ERROR_NONDETERMINISM;
    if (differs && run->native && !native_fixed(run->native))
        outcome_warn(outcome, "each start of the program has other addresses, because the system lets none be fixed here (personality is "
                     "refused, as in many containers): what is nondeterministic may depend on an address alone");
}

/* The first process creates them, in their order. */
static void count_by_driver(const struct job *job, struct outcome *outcome)
{
    struct prose words = { 0 };
    const char *name;
    for (uint32_t room = 0, i = 0; (name = job->starter->driver(job->starter->self, i)); i++) {
        struct driven d = { prose_make("%s", name), (int)i + 2, 0 };
        for (uint32_t k = 0; k < outcome->finding_count; k++)
            d.errors += outcome->findings[k].counts_as == COUNTS_AS_ERROR && outcome->findings[k].process == d.process;
        ARRAY_GROW(outcome->drivers, outcome->driver_count, room);
        outcome->drivers[outcome->driver_count++] = d;
        prose_add(&words, "%s %s is process %d%s%s", i ? "," : "Drivers:", name, d.process, d.errors ? ", with an error" : "",
                  d.errors > 1 ? " and more" : "");
    }
    if (words.length)
        outcome_note(outcome, words.text);
    prose_fini(&words);
}

/* What it means that somebody else started the program; and where it did not do the same again, nothing is promised. */
static void judge_starter(const struct job *job, struct outcome *outcome)
{
    struct starter_says s = outcome->says = job->starter->says(job->starter->self);
    count_by_driver(job, outcome);
    outcome_note(outcome, s.promise);
    if (s.untested || s.unheard || s.silent || s.varied)
        outcome->search.coverage = COVERAGE_PART;
    if (s.untested)
        outcome_warn(outcome, "invariants that were never tested: %s", s.untested);
    if (s.unheard)
        outcome_warn(outcome, "ended while processes that they had started could still ask in their place, who were not heard: drivers %s; let a driver wait "
                     "for whom it starts, or close the descriptor VERISOFT_DRIVER there", s.unheard);
    if (s.silent)
        outcome_warn(outcome, "never asked for anything, so nothing of them was under control: drivers %s; does something (sudo, ssh, env -i, a container) keep "
                     "VERISOFT_DRIVER, or the descriptor of that number, from them?", s.silent);
    if (!s.varied)
        return;
    outcome_warn(outcome, "nondeterminism of the black box: %llu time%s in %llu runs the same steps of the drivers led elsewhere than before; "
                 "the first time a driver came to [%s], and when the same steps were run again to [%s]", (unsigned long long)s.varied,
                 s.varied == 1 ? "" : "s", (unsigned long long)s.runs, s.was, s.is);
}

static void judge_timers(const struct job *job, const struct system *s, struct outcome *outcome)
{
    char words[512], more[64] = "";
    uint32_t overruns = job->native.overruns;
    if (!s->timers)
        return;
    if (overruns)
        snprintf(more, sizeof more, "%u time%s more ", overruns, overruns == 1 ? "" : "s");
    const char *late = job->native.timers_late ? " only when nobody else could go on (--timers late)," : "";
    snprintf(words, sizeof words, "timers expired%s in %s order%s%s, and one that repeats %sexpired %sbefore its last expiry was seen (--overruns)",
             late, job->native.timers_any ? "any" : "the", job->native.timers_any ? "" : " of their virtual time (--timers any: in any)",
             s->timed ? ", by one clock with sleeps and the time limits of waiting calls" : "", overruns ? "" : "never ", overruns ? more : "again ");
    outcome_note(outcome, words);
}

static void say_users(struct prose *w, uint64_t processes)
{
    for (uint64_t m = processes; m; m &= m - 1)
        prose_add(w, "%s%d", m == processes ? "" : m & (m - 1) ? ", " : " and ", __builtin_ctzll(m) + 1);
}

/* Does it carry what processes under control say to each other? Then other orders of that were not searched, which may matter. */
static bool carries(const struct outside_use *u, uint64_t controlled, bool awaited)
{
    bool among = __builtin_popcountll(u->outside & controlled) > 1 && (u->named || awaited);
    return u->name && (among || (u->searched & controlled && u->parts_searched & u->parts_outside));
}

static void judge_carriers(const struct outside *o, const struct system *s, struct outcome *outcome)
{
    uint64_t controlled = ~o->processes & ~hidden_outsiders(s);
    for (uint32_t i = 0; i < o->use_count; i++) {
        const struct outside_use *u = &o->uses[i];
        if (!carries(u, controlled, hidden_awaited(s, i)))
            continue;
        struct prose w = { 0 };
        uint64_t users = (u->outside | u->searched) & controlled;
        bool one = !(users & (users - 1));
        prose_add(&w, "%s, which is outside, is used by process%s ", u->name, one ? "" : "es");
        say_users(&w, users);
        prose_add(&w, ", which %s under control%s", one ? "is" : "are", u->searched & controlled ? ", also from what is searched" : "");
        prose_add(&w, ": what is done to others by it was searched in one order only, and errors may be missed by that");
        outcome_warn(outcome, "%s", w.text);
        outcome->search.coverage = COVERAGE_PART;
        prose_fini(&w);
    }
}

static void judge_signalled(const struct outside *o, const struct system *s, struct outcome *outcome)
{
    uint64_t met = o->hiding.signalled & ~o->processes & ~hidden_outsiders(s);
    struct prose w = { 0 };
    if (!met)
        return;
    prose_add(&w, "signals come from outside to process%s ", met & (met - 1) ? "es" : "");
    say_users(&w, met);
    outcome_warn(outcome, "%s, under control: when they come was searched in one order only, and errors may be missed by that", w.text);
    outcome->search.coverage = COVERAGE_PART;
    prose_fini(&w);
}

/* What was not searched because it is outside; and what is not there. */
static void judge_outside(const struct outside *o, struct outcome *outcome)
{
    struct prose w = { 0 };
    for (uint32_t i = 0; i < o->count; i++) {
        bool used = i >= 64 || o->used >> i & 1;
        if (used)
            prose_add(&w, "%s%s", w.text && *w.text ? ", " : "", o->names[i]);
        else
            outcome_warn(outcome, "--outside %s: nothing that the program did is called so", o->names[i]);
    }
    if (w.text && *w.text) {
        char *line = prose_make("outside (--outside): %s. What these do was run within the transitions of the others, in one order; if nothing else depends on that order, nothing was missed by it", w.text);
        outcome_note(outcome, line);
        free(line);
    }
    prose_fini(&w);
}

/* A child that ended by what it did to itself, and whose parent was told how. */
static void note_deaths(const struct run *run, struct outcome *outcome)
{
    for (int p = 1; p < run->system->processes; p++)
        for (uint32_t i = 0; i < run->system->graphs[p].count; i++) {
            const struct op *op = &run->system->graphs[p].nodes[i].op;
            bool seen = !(run->system->graphs[p].nodes[i].flags & NODE_UNSEEN);
            if (!seen || !is_process(op, PROCESS_LEAVE) || !(op->arg[0] & 0x7f))
                continue;
            char *where = run_location(run, op);
            const char *name = sigabbrev_np(op->arg[0] & 0x7f);
            char *line = prose_make("process %d ends by SIG%s%s%s: no error where its parent waits for it and is given its status",
                                    p + 1, name ? name : "RT", where ? " at " : "", where ? where : "");
            outcome_note(outcome, line);
            free(line);
            free(where);
        }
}

/* Of a loop that looks and counts not all rounds were operations (runtime/looks.h): what comes of its count alone may be missed. One of very many
 * rounds was taken to wait for what it looks at; but its count may end it later, also while others could still go on. */
static void judge_loop(const struct visible_loop *loop, uint32_t rounds, const struct run *run, struct outcome *outcome)
{
    static const char no_count[] = "A count that nobody uses is not there if it is compiled with -O1";
    char *where = run_location(run, &(struct op){ .place = loop->place });
    const char *at = where ? " at " : "", *place = where ? where : "";
    if (loop->endless)
        outcome_warn(outcome, "the loop%s%s looks and counts: after millions of rounds it was taken to wait for what it looks at; what it does if its count ends it "
                     "later, and what depends on how often it looked, was not searched. %s", at, place, no_count);
    else
        outcome_warn(outcome, "the loop%s%s looks and counts: nobody came between its rounds from the %u. on, so what depends on how often it looked was not all "
                     "searched; --rounds N searches N of them each by itself. %s", at, place, rounds, no_count);
    if (!outcome->counts)
        outcome->counts = where;
    else
        free(where);
    outcome->search.coverage = COVERAGE_PART;
}

static void judge_counting(const struct native_settings *native, const struct run *run, struct outcome *outcome)
{
    const struct visible *v = native->visible && run->native ? native_visible(run->native) : NULL;
    free(outcome->counts);
    outcome->counts = NULL;
    for (uint32_t i = 0; v && i < v->loop_count; i++)
        judge_loop(&v->loops[i], habits_rounds(native->habits), run, outcome);
}

/* ---- all of it ---- */

void judge_search(const struct job *job, struct outcome *outcome)
{
    judge_untried(outcome);
    judge_surprises(job, outcome);
}

void judge_group(const struct job *job, const struct run *run, struct outcome *outcome)
{
    assert(run_shares(run));
    note_deaths(run, outcome);
    judge_timers(job, run->system, outcome);
    judge_counting(&job->native, run, outcome);
    if (!job->native.outside)
        return;
    judge_outside(job->native.outside, outcome);
    judge_carriers(job->native.outside, run->system, outcome);
    judge_signalled(job->native.outside, run->system, outcome);
}

void judge_start(const struct job *job, const struct run *run, struct outcome *outcome)
{
    judge_addresses(run, outcome);
    if (run->program)
        judge_starter(job, outcome);
}
