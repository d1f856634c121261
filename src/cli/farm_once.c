/* All that is pending, verified now: for continuous integration. SPDX-License-Identifier: MIT */
#include "cli/farm_actions.h"

#include "base/memory.h"
#include "base/prose.h"
#include "cli/commands.h"
#include "extractor/verify_ci.h"
#include "farm/queue.h"
#include "farm/work.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

/* ---- the work ---- */

/* A source that changes in the middle is looked at again; what was begun for it before is worth nothing. */
static int work_through(struct farm_context *c, struct work *w, struct err *err)
{
    enum { LOOK_EVERY = 200 };       /* milliseconds */
    int bad = 0, started = 1;
    while (!bad && started) {
        bool news, changed;
        bad = farm_look(&c->farm, &changed, err) ?: queue_start_all(&c->farm, QUEUE_AS_A_WHOLE, &started, err);
        while (!bad && !work_is_done(w))
            bad = *c->model.lent.interrupt ? -EINTR : work_step(w, LOOK_EVERY, &news, err);
        if (!bad && !store_number(c->farm.store, "SELECT count(*) FROM run WHERE state = 'dropped' AND why = 'the source has changed' AND version = ?1", "i", c->farm.version))
            break;
    }
    return bad;
}

/* ---- the reports ---- */

static enum verdict verdict_of(const json_t *p)
{
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (!strcmp(verdict_words[v], text_of(p, "verdict")))
            return (enum verdict)v;
    return VERDICT_UNFINISHED;
}

static char *replays(struct farm_context *c, int64_t property)
{
    struct err ignored;
    struct prose all = { 0 };
    json_t *trails = store_rows(c->farm.store, &ignored, "SELECT t.replay FROM trail t JOIN status s ON t.outcome = s.outcome WHERE s.id = ?1 ORDER BY t.length, t.id", "i", property), *t;
    size_t i;
    json_array_foreach(trails, i, t)
        prose_add(&all, "%s%s", i ? "\f" : "", text_of(t, "replay"));
    json_decref(trails);
    return prose_take(&all);
}

/* As if verify had come to it now. */
static int remember(struct farm_context *c, const json_t *row, struct checked *to, struct err *err)
{
    const struct harness *h = &c->model.now.harness;
    *to = (struct checked){ .verdict = verdict_of(row), .identifier = memory_text(text_of(row, "identifier")), .run_count = 1, .run_room = 1, .runs = memory_get(sizeof *to->runs),
                            .words = memory_text(*text_of(row, "words") ? text_of(row, "words") : *text_of(row, "why") ? text_of(row, "why") : "it was not checked") };
    for (int i = 0; i < h->properties.count; i++)
        if (!strcmp(h->properties.items[i].name, text_of(row, "name")))
            to->property = &h->properties.items[i];
    assert(to->property);            /* the list was made of this harness, under our lock */
    int64_t id = json_integer_value(json_object_get(row, "id"));
    to->runs[0].letter = *to->identifier ? *to->identifier : '-';
    to->runs[0].found.seconds = (double)store_number(c->farm.store, "SELECT sum(seconds) * 1000 FROM run r JOIN property p ON p.id = r.property WHERE p.id = ?1 AND r.content = p.content", "i", id) / 1000;
    if (to->verdict != VERDICT_FAILED)
        return 0;
    to->replay = replays(c, id);
    return verify_trails(to, &c->model.now, err);
}

static int write_reports(struct farm_context *c, const json_t *list, struct err *err)
{
    struct verification v = { 0 };
    json_t *row;
    size_t i;
    int bad = 0;
    json_array_foreach(json_object_get(list, "properties"), i, row) {
        ARRAY_GROW(v.items, v.count, v.room);
        if (!bad)
            bad = remember(c, row, &v.items[v.count++], err);
    }
    if (!bad && c->request->junit)
        bad = verify_junit(c->request->junit, &c->model.now, &v, err);
    if (!bad && c->request->sarif)
        bad = verify_sarif(c->request->sarif, &v, err);
    verify_fini(&v);
    return bad;
}

static int tell(const json_t *list)
{
    json_t *p;
    size_t i;
    int failed = 0, unfinished = 0;
    json_array_foreach(json_object_get(list, "properties"), i, p) {
        failed += !strcmp(text_of(p, "state"), "failed");
        unfinished += !strcmp(text_of(p, "state"), "pending") || !strcmp(text_of(p, "state"), "running");
    }
    return failed ? EXIT_ERRORS : unfinished ? EXIT_INCOMPLETE : EXIT_COMPLETE;
}

int farm_once(struct farm_context *c, int *status, struct err *err)
{
    const struct farm_request *r = c->request;
    const struct work_settings settings = { (int)r->memory, r->seconds, (int)r->trails };
    const struct view_filter any = { 0 };
    int bad = farm_take(&c->farm, err);
    if (bad)
        return bad;
    assert(c->farm.lock >= 0);
    struct crew *crew = farm_crew(c, err);
    if (!crew)
        return -EINVAL;
    struct work *w = work_new(&c->farm, crew, &settings);
    bad = work_through(c, w, err);
    work_free(w);
    json_t *list = bad ? NULL : view_list(&c->farm, &any, err);
    if (!bad && !list)
        bad = -EINVAL;
    if (list)
        *status = tell(list);
    if (list && r->json)
        bad = farm_print(r, list, err);
    if (list && (!r->json || strcmp(r->json, "-")))
        farm_say(c, list);
    if (!bad && (r->junit || r->sarif))
        bad = write_reports(c, list, err);
    json_decref(list);
    return bad;
}
