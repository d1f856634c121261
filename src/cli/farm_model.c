/* SPDX-License-Identifier: MIT */
#include "cli/farm_model.h"

#include "base/memory.h"
#include "base/prose.h"
#include "cli/signals.h"
#include "extractor/claim.h"
#include "extractor/describe.h"
#include "extractor/spin.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <verisoft-live.h>

static int make(struct extraction *x, const char *harness, const struct workshop *w, struct err *err)
{
    char *const from[] = { (char *)harness }, *const none[] = { NULL };
    int bad = extract_read(x, from, 1, none, err);
    if (!bad)
        bad = extract_stage_one(x, w, err);
    return bad ? bad : extract_stage_two(x, err);
}

static json_t *describe_harness(void *arg, const char *harness, struct err *err)
{
    struct farm_model *m = arg;
    struct extraction x = { 0 };
    json_t *about = make(&x, harness, &m->shop.workshop, err) ? NULL : describe(&x, err);
    if (!about) {
        extract_fini(&x);
        return NULL;
    }
    if (m->any)
        extract_fini(&m->now);
    m->now = x;
    m->any = true;
    assert(m->now.stage_one && m->now.model.text);
    return about;
}

/* Spin reads all properties at once: one that it refuses would keep it from all others. */
static int ask_spin(const struct farm_model *m, struct extraction *x, struct err *err)
{
    struct spin spin = { .shop = &m->shop.workshop, .made = m->shop.workshop.folder, .memory = 16, .c = x->model.c, .header = x->model.header,
                         .options = x->harness.options.items, .option_count = x->harness.options.count };
    struct claims claims = { 0 };
    int bad = claims_make(&claims, &x->machines, &x->harness, &x->model, err);
    char *model = bad ? NULL : prose_make("%s%s", x->model.text, claims.text);
    if (!bad)
        bad = spin_translate(&spin, model, err);
    free(model);
    claims_fini(&claims);
    return bad;
}

static json_t *try_text(void *arg, const char *text, bool whole, struct err *err)
{
    struct farm_model *m = arg;
    struct extraction x = { 0 };
    if (!m->any) {
        fail(err, "there is no model in which it could be tried, because harness or sources are wrong");
        return NULL;
    }
    int bad = extract_again(&x, &m->now, text, err);
    json_t *about = bad ? NULL : describe(&x, err);
    if (about && whole && ask_spin(m, &x, err)) {
        json_decref(about);
        about = NULL;
    }
    extract_fini(&x);
    return about;
}

static const struct property *property_of(const struct farm_model *m, const char *name)
{
    for (int i = 0; m->any && i < m->now.harness.properties.count; i++)
        if (!strcmp(m->now.harness.properties.items[i].name, name))
            return &m->now.harness.properties.items[i];
    return NULL;
}

static json_t *retell(void *arg, const char *name, const char *replay, struct err *err)
{
    const struct farm_model *m = arg;
    const struct property *p = property_of(m, name);
    if (p)
        return describe_trails(&m->now, p, replay, err);
    fail(err, "there is no property %s", name);
    return NULL;
}

static bool read_live(struct vs_live *live, const char *file)
{
    FILE *in = fopen(file, "re");
    bool whole = in && fread(live, sizeof *live, 1, in) == 1;
    if (in)
        fclose(in);
    return whole && live->seconds > 0 && live->count <= VS_LIVE_ROOM;
}

static json_t *automaton(const struct farm_model *m, const struct property *p, const struct vs_live *live)
{
    struct claims claims = { 0 };
    struct err ignored;
    json_t *told = NULL;
    int bad = claims_make(&claims, &m->now.machines, &m->now.harness, &m->now.model, &ignored);
    const struct claim *c = bad ? NULL : claims_find(&claims, p);
    if (c && c->automaton && live->count) {
        assert(live->count <= VS_LIVE_ROOM);
        bool *reached = claim_reached_live(c, live);
        told = buchi_json(c->automaton, p->formula, reached);
        free(reached);
    }
    claims_fini(&claims);
    return told ? told : json_null();
}

static json_t *live(void *arg, const char *name, const char *file)
{
    const struct farm_model *m = arg;
    const struct property *p = property_of(m, name);
    struct vs_live *live = memory_get(sizeof *live);
    json_t *o = NULL;
    if (p && read_live(live, file))
        o = json_pack("{s:f, s:f, s:I, s:I, s:f, s:o}", "states", live->states, "transitions", live->transitions, "depth", (json_int_t)live->depth, "memory_kb",
                      (json_int_t)(live->memory / 1024), "seconds", live->seconds, "automaton", automaton(m, p, live));
    free(live);
    return o;
}

static json_t *draw(void *arg, const char *name, const json_t *automaton)
{
    const struct farm_model *m = arg;
    const struct property *p = property_of(m, name);
    struct claims claims = { 0 };
    struct err ignored;
    json_t *states = json_object_get(automaton, "states"), *svg = NULL;
    const struct claim *c = !p || claims_make(&claims, &m->now.machines, &m->now.harness, &m->now.model, &ignored) ? NULL : claims_find(&claims, p);
    if (c && c->automaton && json_array_size(states) == c->automaton->state_count) {
        bool *reached = memory_get(c->automaton->state_count + 1), known = !json_is_null(json_object_get(json_array_get(states, 0), "reached"));
        for (uint32_t s = 0; s < c->automaton->state_count; s++)
            reached[s] = json_is_true(json_object_get(json_array_get(states, s), "reached"));
        char *text = buchi_svg(c->automaton, p->formula, known ? reached : NULL, &ignored);
        svg = text ? json_string(text) : NULL;
        free(text);
        free(reached);
    }
    claims_fini(&claims);
    return svg;
}

int farm_model_open(struct farm_model *m, struct err *err)
{
    *m = (struct farm_model){ .shop.scratch.socket = -1 };
    int bad = shop_open(&m->shop, err);
    if (!bad && readlink("/proc/self/exe", m->self, sizeof m->self - 1) < 0)
        bad = fail_errno(err, "/proc/self/exe: cannot see where this command lives; is /proc mounted?");
    m->lent = (struct farm_lent){ describe_harness, try_text, retell, live, draw, m->self, m->shop.scratch.folder, signals_interrupt(), m };
    return bad;
}

void farm_model_close(struct farm_model *m)
{
    if (m->any)
        extract_fini(&m->now);
    shop_close(&m->shop);
}
