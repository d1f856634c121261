/* SPDX-License-Identifier: MIT */
#include "suite/stage.h"

#include "base/memory.h"
#include "suite/theatre.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One who runs the suite along paths: a search, or a follower. */
struct stage {
    struct theatre       *theatre;
    const struct history *history;
    bool                  follows;
    int                   output;
    uint64_t              transitions, starts;           /* of the theatre, when it began */
    struct start          start;
    struct runner         runner;
    struct cues          path;
};

/* ---- along a path ---- */

static const struct op *op_before(const struct stage *s, const struct leg *leg)
{
    return &s->history->graphs[leg->process].nodes[leg->from].op;
}

/* The one who creates the drivers begins and creates each, and each begins: so much is done before the search begins. */
static bool is_beginning(const struct stage *s, const struct leg *path, uint32_t count)
{
    if (count != 1 + 2 * s->theatre->share.suite->driver_count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!is_process(op_before(s, &path[i]), PROCESS_START) && !is_process(op_before(s, &path[i]), PROCESS_CREATE))
            return false;
    return true;
}

static void set_cues(struct cues *m, const struct leg *path, uint32_t count)
{
    m->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        ARRAY_GROW(m->items, m->count, m->room);
        m->items[m->count++] = (struct cue){ path[i].process, path[i].result };
    }
}

static bool leads_there(const struct stage *s, const struct leg *leg, uint64_t digest)
{
    return leg->to != NO_NODE && s->history->graphs[leg->process].nodes[leg->to].fingerprint[1] == digest;
}

static struct arrival arrival_of(const struct chronicled *n)
{
    return (struct arrival){ .op = n->op, .notes = n->notes, .fingerprint = { 0, n->digest } };
}

/* What a lane walked, as far as it is right; and where the next step led. */
static uint32_t compare_walked(const struct stage *s, const struct leg *path, const struct lane *l, struct arrival *a)
{
    uint32_t i = 0;
    while (i < l->walked_count && leads_there(s, &path[i], l->walked[i].arrival.fingerprint[1]))
        i++;
    if (i < l->walked_count)
        *a = l->walked[i].arrival;
    return i;
}

static uint32_t compare_known(const struct stage *s, const struct leg *path, struct arrival *a)
{
    const struct chronicle *r = &s->theatre->share.chronicle;
    uint32_t node = CHRONICLE_ROOT;
    for (uint32_t i = 0; i < s->path.count; i++) {
        node = chronicle_find(r, node, s->path.items[i]);
        if (!leads_there(s, &path[i], r->nodes[node].digest)) {
            *a = arrival_of(&r->nodes[node]);
            return i;
        }
    }
    return s->path.count;
}

static int run_search(struct stage *s, const struct leg *path, uint32_t *right, struct arrival *a, struct err *err)
{
    uint32_t node;
    const struct lane *lost;
    int rc = theatre_learn(s->theatre, &s->path, &node, &lost, err);
    if (rc < 0)
        return rc;
    *right = lost ? compare_walked(s, path, lost, a) : compare_known(s, path, a);
    if (!lost && !s->theatre->begun.count && is_beginning(s, path, s->path.count))
        set_cues(&s->theatre->begun, path, s->path.count);
    return 0;
}

static int run_follower(struct stage *s, const struct leg *path, uint32_t *right, struct arrival *a, struct err *err)
{
    const struct lane *lane;
    int rc = theatre_follow(s->theatre, &s->path, s->output, &lane, err);
    if (rc >= 0)
        *right = compare_walked(s, path, lane, a);
    return rc < 0 ? rc : 0;
}

static int run(void *self, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    struct stage *s = self;
    set_cues(&s->path, path, count);
    return s->follows ? run_follower(s, path, right, a, err) : run_search(s, path, right, a, err);
}

/* Foreseen paths are run one after the other, at once. */
static int run_none(void *self, const struct way *ways, uint32_t count, enum sending how, struct err *err)
{
    (void)self, (void)ways, (void)count, (void)how;
    return fail(err, "a suite cannot be foreseen: use --reduction none, sleep or source");
}

static int await_none(void *self, uint32_t *wrong, uint32_t *right, struct arrival *a, struct err *err)
{
    (void)self, (void)wrong, (void)right, (void)a;
    return fail(err, "a suite cannot be foreseen: use --reduction none, sleep or source");
}

static bool name(void *self, uint32_t object, char *out, size_t room)
{
    const struct suite *suite = ((struct stage *)self)->theatre->share.suite;
    uint32_t i = object - suite->interface_count, semaphores = suite->semaphores.count;
    const char *its = object < suite->interface_count ? suite->interfaces[object]
                    : i < semaphores ? suite->semaphores.items[i].name : suite->queues.items[i - semaphores].name;
    snprintf(out, room, "%s", *its ? its : "box");
    return true;
}

/* ---- the starter ---- */

/* As talk.h numbers them. */
static struct created *objects(const struct suite *suite, uint32_t *count)
{
    uint32_t i = 0;
    *count = suite->interface_count + suite->semaphores.count + suite->queues.count;
    struct created *all = memory_get(*count * sizeof *all);
    for (uint32_t k = 0; k < suite->interface_count; k++)
        all[i++] = (struct created){ .type = TYPE_STEP, .number = k, .index = -1, .host = -1 };
    for (uint32_t k = 0; k < suite->semaphores.count; k++)
        all[i++] = (struct created){ .type = TYPE_COUNTER, .number = k, .index = -1, .host = -1, .arg = { 0, suite->semaphores.items[k].value } };
    for (uint32_t k = 0; k < suite->queues.count; k++)
        all[i++] = (struct created){ .type = TYPE_QUEUE, .number = k, .index = -1, .host = -1, .arg = { suite->queues.items[k].value } };
    for (uint32_t k = 0; k < *count; k++)
        all[k].address = 0x1000 + k;
    return all;
}

/* What is recorded has its words in one table of texts: that of the search, which those that follow have from it. */
static void use_texts(struct theatre *t, struct texts *texts)
{
    if (t->share.texts == texts)
        return;
    for (uint32_t i = 0; i < t->lane_count; i++) {
        lane_free(&t->lanes[i]);
        t->lanes[i].state = LANE_LOST;
    }
    chronicle_fini(&t->share.chronicle);
    chronicle_init(&t->share.chronicle);
    t->share.texts = texts;
    t->begun.count = 0;
    t->serving = t->following = NULL;
}

static void *start_stage(void *self, const struct starting *how, struct start *start, struct err *err)
{
    (void)err;
    struct theatre *t = self;
    struct stage *s = memory_get(sizeof *s);
    use_texts(t, how->texts);
    *s = (struct stage){ .theatre = t, .history = how->history, .follows = how->follows, .output = how->output,
                         .transitions = t->share.transitions, .starts = t->share.starts };
    s->runner = (struct runner){ .self = s, .run = run, .send = run_none, .await = await_none, .name = name };
    s->start = (struct start){ .processes = 1, .group = true, .first[0].op = { .type = TYPE_PROCESS, .code = PROCESS_START, .object = NO_OBJECT } };
    s->start.objects = objects(t->share.suite, &s->start.object_count);
    *start = s->start;
    if (!s->follows)
        t->output = how->output;
    if (!s->follows)
        t->ahead.start = t->ahead.most && t->lane_count > 1 ? &s->start : NULL;
    return s;
}

static void stop_stage(void *program)
{
    struct stage *s = program;
    struct theatre *t = s->theatre;
    if (s->follows)
        theatre_leave(t);
    if (t->ahead.start == &s->start)
        t->ahead.start = NULL;
    free(s->start.objects);
    free(s->path.items);
    free(s);
}

static const struct runner *runner_of(void *program) { return &((struct stage *)program)->runner; }

static struct starter_counts counts_of(void *program)
{
    const struct stage *s = program;
    return (struct starter_counts){ s->theatre->share.transitions - s->transitions, s->theatre->share.starts - s->starts };
}

/* The names of the invariants that no path came to; NULL: there is none. */
static char *untested(const struct lanes_share *t)
{
    struct prose w = { 0 };
    for (uint32_t i = 0; i < t->suite->invariant_count; i++)
        if (!t->tested[i])
            prose_add(&w, "%s%s (%s)", w.length ? ", " : "", t->suite->invariants[i].name, t->suite->invariants[i].at_end
                      ? "no path came to where all drivers had ended" : "no driver made a step");
    return w.length ? prose_take(&w) : NULL;
}

static char *names_of(const struct lanes_share *t, uint64_t drivers)
{
    struct prose w = { 0 };
    for (uint32_t i = 0; i < t->suite->driver_count; i++)
        if (drivers >> i & 1)
            prose_add(&w, "%s%s", w.length ? ", " : "", t->suite->drivers[i].name);
    return w.length ? prose_take(&w) : NULL;
}

static struct starter_says says(void *self)
{
    const struct lanes_share *t = &((struct theatre *)self)->share;
    struct starter_says s = { .runs = t->runs, .varied = t->varied, .was = t->was ? memory_text(t->was) : NULL,
                              .is = t->is ? memory_text(t->is) : NULL, .untested = untested(t),
                              .unheard = names_of(t, t->unheard), .silent = names_of(t, t->ended & ~t->heard) };
    char who[96] = "was the driver: its choices, and the order of its steps";
    if (t->suite->driver_count != 1)
        snprintf(who, sizeof who, "were the %u drivers: their choices, and the order of their steps", t->suite->driver_count);
    s.promise = prose_make("Under control %s. What the black box does by itself (its threads, its clock, its random numbers) was not; it was put back %llu time%s.",
                           who, (unsigned long long)t->runs, t->runs == 1 ? "" : "s");
    return s;
}

static const char *driver(void *self, uint32_t which)
{
    const struct suite *suite = ((struct theatre *)self)->share.suite;
    return which < suite->driver_count ? suite->drivers[which].name : NULL;
}

/* ---- all of it ---- */

static int open_lanes(struct theatre *t, uint32_t count, const struct warden_home *home, struct err *err)
{
    struct warden_home here = *home;
    char *keep = NULL;
    int rc = 0;
    t->lanes = memory_get(count * sizeof *t->lanes);
    while (rc >= 0 && t->lane_count < count) {
        here.copy = (int)t->lane_count + 1;
        here.keep = keep;
        rc = lane_open(&t->lanes[t->lane_count++], &t->share, &here, err);
        if (rc >= 0 && t->lane_count == 1) {
            keep = prose_make("%s/keep", t->lanes[0].box.warden.folder);
            rc = box_prepare(&t->lanes[0].box, t->interrupt, err);
        }
    }
    free(keep);
    return rc;
}

struct theatre *theatre_open(const struct suite *suite, const struct warden_home *home, const struct stage_settings *settings, struct err *err)
{
    struct theatre *t = memory_get(sizeof *t);
    *t = (struct theatre){ .share.suite = suite, .interrupt = settings->interrupt, .ahead.most = settings->everything ? settings->most : 0 };
    t->share.tested = memory_get((suite->invariant_count + 1) * sizeof *t->share.tested);
    chronicle_init(&t->share.chronicle);
    if (open_lanes(t, settings->copies, home, err) >= 0)
        return t;
    theatre_close(t);
    return NULL;
}

void theatre_close(struct theatre *t)
{
    if (!t)
        return;
    while (t->lane_count)                        /* the first has the folder that stays */
        lane_close(&t->lanes[--t->lane_count]);
    chronicle_fini(&t->share.chronicle);
    free(t->lanes);
    free(t->begun.items);
    free(t->next.items);
    free(t->share.was);
    free(t->share.is);
    free(t->share.tested);
    free(t);
}

struct starter theatre_starter(struct theatre *t)
{
    return (struct starter){ .self = t, .start = start_stage, .runner = runner_of, .counts = counts_of, .stop = stop_stage,
                             .says = says, .driver = driver, .goes_on = t->share.suite->variation == VARIATION_GO_ON, .replays = t->share.suite->replays,
                             .shrinks = t->share.suite->shrinks };
}
