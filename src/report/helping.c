/* SPDX-License-Identifier: MIT */
#include "report/helping.h"

#include "base/memory.h"
#include "properties/invariant.h"
#include "report/outcome.h"
#include "system/datarace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool missed(const struct run *run) { return run->datarace && datarace_missed(run->datarace); }

static struct habits habits(const struct helping *h)
{
    const struct habits *c = h->collector->job->native.habits;
    return c ? *c : (struct habits){ 0 };
}

static void take_place(void *self, uint32_t place)
{
    struct helping *h = self;
    native_take_place(h->collector->run->native, place, (uint32_t)h->jobs);
}

static int begin(void *self, struct err *err)
{
    struct helping *h = self;
    const struct visible *visible = h->collector->job->native.visible;
    h->collector->deaf = true;
    h->missed = missed(h->collector->run);
    h->habits = habits(h);
    if (visible) {
        h->before = memory_get(sizeof *h->before);
        *h->before = *visible;
    }
    return native_renew(h->collector->run->native, err);
}

static bool end(void *self)
{
    struct helping *h = self;
    const struct visible *visible = h->collector->job->native.visible;
    bool same = !h->collector->heard && missed(h->collector->run) == h->missed && (!visible || !memcmp(visible, h->before, sizeof *visible))
             && habits_alike(h->habits, habits(h));
    assert(habits_stay(h->habits, habits(h)));
    native_stop(h->collector->run->native);
    return same;
}

static uint64_t *work(void *self)
{
    struct helping *h = self;
    return native_numbers(h->collector->run->native);
}

/* NULL: several can. */
static const char *why_alone(const struct collector *c)
{
    const struct search_settings *search = &c->job->search;
    if (search->shuffle)
        return "-j: this process searched alone; with random_seed there is no order in which others could go on";
    if (c->sss || c->job->certificate || (c->job->invariants && invariants_of_transitions(c->job->invariants)))
        return "-j: this process searched alone; who saves the state space, writes a certificate or checks next() is to see each step";
    if (c->job->native.outside)
        return "-j: this process searched alone; who uses what is outside (--outside) it is to see itself";
    return NULL;
}

struct helpers helping_lend(struct helping *h, struct collector *collector, int jobs)
{
    bool copies = run_shares(collector->run) && collector->job->search.reduction == REDUCTION_OPTIMAL;   /* else parts are sent away (dividing.h) */
    const char *alone = jobs > 1 && copies && collector->run->native ? why_alone(collector) : NULL;
    *h = (struct helping){ .collector = collector, .jobs = jobs };
    if (alone)
        outcome_note(collector->outcome, alone);
    return (struct helpers){ .jobs = !copies || alone || !collector->run->native ? 0 : jobs, .self = h, .take_place = take_place, .begin = begin, .end = end, .work = work };
}

void helping_fini(struct helping *h) { free(h->before); }
