/* SPDX-License-Identifier: MIT */
#include "extractor/describe.h"

#include "base/memory.h"
#include "base/prose.h"
#include "base/sha256.h"
#include "base/version.h"
#include "extractor/tell.h"
#include "extractor/verify_json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

/* With its length, so that two texts are not taken for one. */
static void add_text(struct sha256 *sum, const char *text)
{
    uint64_t length = text ? strlen(text) + 1 : 0;
    sha256_add(sum, &length, sizeof length);
    if (text)
        sha256_add(sum, text, strlen(text));
}

static void add_model(struct sha256 *sum, const struct extraction *x)
{
    add_text(sum, VERSION);
    add_text(sum, x->model.text);
    add_text(sum, x->model.c);
    add_text(sum, x->model.header);
    for (int i = 0; x->model.c && i < x->harness.options.count; i++)
        add_text(sum, x->harness.options.items[i]);
}

/* Not its name nor its prose, unless its name says which of the default checks it is. */
struct sha256_text describe_key(const struct extraction *x, const struct property *p)
{
    struct sha256 sum;
    sha256_init(&sum);
    add_model(&sum, x);
    add_text(&sum, p->formula);
    add_text(&sum, p->formula ? p->idle : p->name);
    add_text(&sum, p->violation ? "violation" : "holds");
    add_text(&sum, p->fair ? "fair" : "");
    for (int i = 0; i < p->symbol_count; i++) {
        add_text(&sum, p->symbols[i].name);
        add_text(&sum, p->symbols[i].expression);
    }
    for (int i = 0; i < x->harness.features.count; i++) {
        char chosen = '?';
        for (int k = 0; k < p->feature_count; k++)
            if (!strcmp(p->features[k] + 1, x->harness.features.items[i].name))
                chosen = p->features[k][0];
        sha256_add(&sum, &chosen, 1);
    }
    return sha256_end(&sum);
}

static json_t *version_of(const struct extraction *x)
{
    struct sha256 sum;
    sha256_init(&sum);
    add_model(&sum, x);
    add_text(&sum, x->stage_one);
    for (int i = 0; i < x->harness.properties.count; i++) {
        add_text(&sum, x->harness.properties.items[i].name);
        add_text(&sum, describe_key(x, &x->harness.properties.items[i]).text);
    }
    return json_string(sha256_end(&sum).text);
}

/* Of all that check this model: whoever has the same may share what Spin made of it. */
static json_t *model_key(const struct extraction *x, const struct claims *claims)
{
    struct sha256 sum;
    sha256_init(&sum);
    add_model(&sum, x);
    add_text(&sum, claims->text);
    return json_string(sha256_end(&sum).text);
}

/* ---- properties ---- */

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *symbols(const struct property *p)
{
    json_t *list = json_array();
    for (int i = 0; i < p->symbol_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", p->symbols[i].name, "expression", p->symbols[i].expression));
    return list;
}

static json_t *words(char *const *items, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_string(items[i]));
    return list;
}

/* Files by whose change the model may change; of a folder in which headers are looked for, the folder. */
static json_t *watched(const struct harness *h)
{
    json_t *list = words(h->sources.items, h->sources.count), *maps = words(h->map_files.items, h->map_files.count);
    json_array_extend(list, maps);
    json_decref(maps);
    for (int i = 0; i < h->options.count; i++) {
        const char *option = h->options.items[i], *folder = strncmp(option, "-I", 2) ? NULL : option[2] ? option + 2 : i + 1 < h->options.count ? h->options.items[i + 1] : NULL;
        if (folder)
            json_array_append_new(list, json_sprintf("%s/.", folder));
    }
    return list;
}

static json_t *property(const struct extraction *x, const struct claims *claims, const struct property *p)
{
    const struct claim *c = claims_find(claims, p);
    json_t *o = json_pack("{s:s, s:i, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:s}", "name", p->name, "line", p->line, "says", text_or_null(p->says),
                          "link", text_or_null(p->link), "formula", text_or_null(p->formula), "violation", p->violation, "fair", p->fair,
                          "symbols", symbols(p), "features", words(p->features, p->feature_count), "key", describe_key(x, p).text);
    json_object_set_new(o, "automaton", c && c->automaton ? buchi_json(c->automaton, p->formula, NULL) : json_null());
    json_t *lines = json_array();
    for (uint32_t s = 0; c && c->automaton && s < c->automaton->state_count; s++)
        json_array_append_new(lines, json_integer(c->lines[s]));
    json_object_set_new(o, "lines", lines);
    return o;
}

/* ---- the model ---- */

static json_t *statements(const struct extraction *x)
{
    json_t *list = json_array();
    for (int i = 0; i < x->model.account_count; i++) {
        const struct account *a = &x->model.accounts[i];
        const struct node *n = &a->function->nodes[a->node];
        if (n->text && (a->fate == FATE_LEFT_OUT || a->fate == FATE_MAPPED))
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:i, s:b, s:o}", "fate", fate_words[a->fate], "text", n->text, "file",
                                                  n->place.file, "line", n->place.line, "condition", n->kind == NODE_IF, "how", text_or_null(a->how)));
    }
    return list;
}

static json_t *counts(const struct extraction *x)
{
    json_t *o = json_object();
    int fates[FATE_COUNT] = { 0 };
    for (int i = 0; i < x->model.account_count; i++)
        fates[x->model.accounts[i].fate]++;
    for (int f = 0; f < FATE_COUNT; f++)
        json_object_set_new(o, fate_words[f], json_integer(fates[f]));
    return o;
}

static json_t *warnings(const struct extraction *x)
{
    json_t *list = json_array();
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return list;
    extract_warn(x, out);
    fclose(out);
    for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1)
        if (end[1])                  /* the last line counts statements */
            json_array_append_new(list, json_stringn(at, (size_t)(end - at)));
    free(text);
    return list;
}

static json_t *features(const struct harness *h)
{
    json_t *list = json_array();
    for (int i = 0; i < h->features.count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", h->features.items[i].name, "condition", h->features.items[i].condition));
    return list;
}

static json_t *precedences(const struct harness *h)
{
    json_t *list = json_array();
    for (int i = 0; i < h->precedences.count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:i}", "first", h->precedences.items[i].first, "second", h->precedences.items[i].second,
                                              "line", h->precedences.items[i].line));
    return list;
}

json_t *describe(const struct extraction *x, struct err *err)
{
    struct claims claims = { 0 };
    const struct harness *h = &x->harness;
    if (claims_make(&claims, &x->machines, h, &x->model, err)) {
        claims_fini(&claims);
        return NULL;
    }
    json_t *list = json_array();
    for (int i = 0; i < h->properties.count; i++)
        json_array_append_new(list, property(x, &claims, &h->properties.items[i]));
    json_t *o = json_pack("{s:s, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "harness", h->file, "version", version_of(x), "model",
                          model_key(x, &claims), "program", h->program, "watched", watched(h), "counts", counts(x), "statements",
                          statements(x), "warnings", warnings(x), "features", features(h), "precedences", precedences(h), "properties", list);
    claims_fini(&claims);
    return o;
}

/* ---- what came of it ---- */

static char *told(const struct trail *t, void (*tell)(const struct trail *, FILE *))
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out) {
        tell(t, out);
        fclose(out);
    }
    return text;
}

static void put_svg(const struct trail *t, FILE *out)
{
    tell_svg(t, t->property->name, out);
}

static json_t *forms(const struct trail *t, const char *replay)
{
    static const struct { const char *name; void (*tell)(const struct trail *, FILE *); } all[] = {
        { "chart", tell_chart }, { "svg", put_svg }, { "statements", tell_statements }, { "variables", tell_variables } };
    json_t *o = json_pack("{s:i, s:o, s:o, s:s}", "length", t->model_steps, "cycle", t->cycle >= 0 ? json_integer(t->cycle) : json_null(),
                          "steps", verify_json_steps(t), "replay", replay);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *text = told(t, all[i].tell);
        json_t *value = text ? json_string(text) : NULL;
        json_object_set_new(o, all[i].name, value ? value : json_string(""));
        free(text);
    }
    return o;
}

json_t *describe_trails(const struct extraction *x, const struct property *p, const char *replay, struct err *err)
{
    json_t *list = json_array();
    for (const char *at = replay, *end; at; at = end) {
        struct trail t = { 0 };
        size_t length = strcspn(at, "\f");
        char *one = prose_make("%.*s", (int)length, at);
        int bad = trail_read(&t, x, p, one, err);
        if (!bad)
            json_array_append_new(list, forms(&t, one));
        end = at[length] ? at + length + 1 : NULL;
        free(one);
        trail_fini(&t);
        if (bad) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

json_t *describe_checked(const struct extraction *x, const struct checked *c)
{
    struct err err;
    json_t *o = verify_json_property(x, c), *trails = c->replay ? describe_trails(x, c->property, c->replay, &err) : json_array();
    json_object_set_new(o, "key", json_string(describe_key(x, c->property).text));
    json_object_set_new(o, "trails", trails ? trails : json_array());
    json_object_del(o, "trail");
    json_object_del(o, "other_trails");
    return o;
}
