/* SPDX-License-Identifier: MIT */
#include "cli/outpost.h"

#include "base/memory.h"
#include "base/prose.h"
#include "cli/commands.h"
#include "search/parcel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_EVERY = 50, SHORTEST_LIFE = 100 };   /* milliseconds between two looks at the files; that one has, whoever waits for it */

struct outpost {
    const char *file;
    uint64_t    begun, looked, seconds;
    bool        hurried, answered;
    int         failed;
    struct err *err;
};

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1000 * (uint64_t)t.tv_sec + (uint64_t)t.tv_nsec / 1000000;
}

/* ---- the file ---- */

enum { VISIBLE_WORDS = (sizeof(struct visible) + 7) / 8 };

int outpost_write(const char *file, const struct outpost_order *order, const uint64_t *words, uint32_t count, struct err *err)
{
    uint64_t *visible = memory_get(VISIBLE_WORDS * sizeof *visible);
    struct parcel out = { 0 };
    memcpy(visible, order->visible, sizeof *order->visible);
    parcel_put(&out, order->group);
    parcel_put(&out, (uint64_t)(order->habits.timers + 2 * order->habits.waits + 4 * order->habits.timed + 8 * order->habits.cancels
                                + 16 * order->habits.patient + 32 * order->habits.files));
    parcel_put(&out, order->seconds);
    for (uint32_t i = 0; i < VISIBLE_WORDS; i++)
        parcel_put(&out, visible[i]);
    parcel_put(&out, count);
    for (uint32_t i = 0; i < count; i++)
        parcel_put(&out, words[i]);
    parcel_seal(&out);
    int bad = parcel_store(file, out.words, out.count, err);
    parcel_fini(&out);
    free(visible);
    return bad;
}

/* The words of the mission stay in `in`. */
static int read_order(struct outpost *o, struct plan *p, struct parcel *in, struct err *err)
{
    if (!parcel_load(o->file, in) || !parcel_open(in))
        return fail(err, "--mission %s: is no mission of this version of VeriSoft", o->file);
    uint64_t *visible = memory_get(VISIBLE_WORDS * sizeof *visible);
    p->job.native.group |= parcel_get(in) != 0;
    uint64_t habits = parcel_get(in);
    p->habits = (struct habits){ habits & 1, habits & 2, habits & 4, habits & 8, .files = habits & 32, .patient = habits & 16, .rounds = p->habits.rounds };
    o->seconds = parcel_get(in);
    for (uint32_t i = 0; i < VISIBLE_WORDS; i++)
        visible[i] = parcel_get(in);
    memcpy(p->visible, visible, sizeof *p->visible);
    free(visible);
    uint32_t count = parcel_count(in);
    struct commission c = { .words = in->words + in->at, .count = count };
    p->job.search.commission = p->job.group_search.commission = c;
    return in->torn || !count ? fail(err, "--mission %s: ends too early", o->file) : 0;
}

/* ---- while it goes on ---- */

static bool is_there(const char *file, const char *ending)
{
    char *name = prose_make("%s%s", file, ending);
    bool there = !access(name, F_OK);
    free(name);
    return there;
}

static bool is_late(void *self)
{
    struct outpost *o = self;
    uint64_t time = now();
    if (time - o->looked < LOOK_EVERY)
        return false;
    o->looked = time;
    o->hurried = o->hurried || is_there(o->file, ".hurry");
    uint64_t life = time - o->begun;
    return (o->hurried && life >= SHORTEST_LIFE) || (o->seconds && life >= 1000 * o->seconds) || !is_there(o->file, "");
}

static void answer(void *self, const uint64_t *words, uint32_t count)
{
    struct outpost *o = self;
    char *name = prose_make("%s.told", o->file);
    o->failed = parcel_store(name, words, count, o->err);
    o->answered = !o->failed;
    free(name);
}

/* ---- all ---- */

int outpost_serve(struct plan *p, const char *file)
{
    struct err err = { .text = "" };
    struct outpost o = { .file = file, .begun = now(), .err = &err };
    struct parcel in = { 0 };
    struct outcome outcome = { 0 };
    int failed = read_order(&o, p, &in, &err);
    if (!failed) {
        struct commission *both[] = { &p->job.search.commission, &p->job.group_search.commission };
        for (int i = 0; i < 2; i++) {
            both[i]->self = &o;
            both[i]->late = is_late;
            both[i]->answer = answer;
        }
        failed = job_run(&p->job, &outcome, &err);
        outcome_fini(&outcome);
    }
    parcel_fini(&in);
    failed = failed ? failed : o.failed;
    if (!failed && !o.answered)
        failed = fail(&err, "--mission %s: something was found of which only who asked can tell", file);
    return failed ? command_failed(failed, &err) : EXIT_COMPLETE;
}
