/* SPDX-License-Identifier: MIT */
#include "report/dividing.h"

#include "base/memory.h"
#include "properties/invariant.h"
#include "report/outcome.h"
#include "system/datarace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* NULL: it can be divided. */
static const char *why_alone(const struct collector *c)
{
    const struct job *job = c->job;
    if (!c->run->native || job->search.shuffle)
        return "-j: this process searched alone; with random_seed there is no order in which others could go on";
    if (c->sss || job->certificate || (job->invariants && invariants_of_transitions(job->invariants)))
        return "-j: this process searched alone; who saves the state space, writes a certificate or checks next() is to see each step";
    if (job->native.outside)
        return "-j: this process searched alone; who uses what is outside (--outside) it is to see itself";
    return search_refuses_dispatch(job->search.strategy, job->search.reduction)
         ? "-j: this process searched alone; several search with --search dfs or iterative only, and not with --reduction persistent" : NULL;
}

struct dispatch dividing_lend(struct collector *c)
{
    struct dispatch d = c->job->search.dispatch;
    const char *alone = d.tasks ? why_alone(c) : NULL;
    if (alone) {
        outcome_note(c->outcome, alone);
        return (struct dispatch){ 0 };
    }
    d.stops = c->job->stop_at_error != 0;
    d.work = c->run->native ? native_numbers(c->run->native) : NULL;
    return d;
}

/* ---- for another ---- */

/* The answer is kept back until it is known that there is nothing else to tell. */
struct kept_answer { const struct commission *commission; uint64_t *words; uint32_t count; };

static void keep(void *self, const uint64_t *words, uint32_t count)
{
    struct kept_answer *k = self;
    k->words = memory_get(count * sizeof *words);
    k->count = count;
    memcpy(k->words, words, count * sizeof *words);
}

static bool is_late(void *self)
{
    const struct commission *c = ((struct kept_answer *)self)->commission;
    return c->late(c->self);
}

/* What was seen of the program beside what the search tells: of one that sees more, nothing is told. */
struct sighting { struct visible visible; struct habits habits; };

static void look(const struct collector *c, struct sighting *to)
{
    const struct native_settings *n = &c->job->native;
    memset(to, 0, sizeof *to);
    if (n->visible)
        memcpy(&to->visible, n->visible, sizeof to->visible);
    if (n->habits)
        memcpy(&to->habits, n->habits, sizeof to->habits);
}

static bool sees_no_more(const struct collector *c, const struct sighting *before)
{
    struct sighting *now = memory_get(sizeof *now);
    look(c, now);
    assert(habits_stay(before->habits, now->habits));
    bool same = !memcmp(now, before, sizeof *now) && !c->heard && !(c->run->datarace && datarace_missed(c->run->datarace));
    free(now);
    return same;
}

int dividing_serve(struct collector *c, struct search_result *result, struct err *err)
{
    const struct job *job = c->job;
    struct search_settings settings = job->search;
    struct kept_answer kept = { .commission = &job->search.commission };
    struct sighting *before = memory_get(sizeof *before);
    struct watcher nobody = { 0 };
    look(c, before);
    assert(job->search.commission.words && !c->deaf);
    c->deaf = true;
    settings.commission.self = &kept;
    settings.commission.late = is_late;
    settings.commission.answer = keep;
    settings.commission.work = native_numbers(c->run->native);
    int rc = search_run(c->run->system, &settings, &nobody, result, err);
    if (rc >= 0 && kept.words && sees_no_more(c, before))
        job->search.commission.answer(job->search.commission.self, kept.words, kept.count);
    free(kept.words);
    free(before);
    return rc;
}
