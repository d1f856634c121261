/* SPDX-License-Identifier: MIT */
#include "extractor/verify_json.h"

#include "base/file.h"
#include "extractor/receptions.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *runs(const struct checked *c)
{
    json_t *list = json_array();
    for (int i = 0; i < c->run_count; i++) {
        const struct run_of *r = &c->runs[i];
        char letter[2] = { r->letter, '\0' };
        json_array_append_new(list, json_pack("{s:s, s:f, s:f, s:I, s:I, s:I, s:b, s:b, s:b, s:b, s:f, s:i, s:f}",
            "kind", letter, "states", r->found.states, "transitions", r->found.transitions, "errors", (json_int_t)r->found.errors,
            "depth", (json_int_t)r->found.depth, "max_depth", (json_int_t)r->depth, "finished", r->found.finished,
            "depth_cut", r->found.depth_cut, "memory_cut", r->found.memory_cut, "time_cut", r->found.time_cut,
            "seconds", r->found.seconds, "memory_kb", r->found.memory_kb, "hash_factor", r->found.hash_factor));
    }
    return list;
}

json_t *verify_json_steps(const struct trail *t)
{
    json_t *list = json_array();
    for (int i = 0; i < t->count; i++) {
        const struct step *s = &t->steps[i];
        json_t *step = json_pack("{s:s, s:s, s:b}", "process", t->processes[s->process], "statement", s->text, "left_out", s->left_out);
        if (s->place.file)
            json_object_set_new(step, "location", json_sprintf("%s:%d", s->place.file, s->place.line));
        if (s->message)
            json_object_set_new(step, "message", json_string(s->message));
        json_array_append_new(list, step);
    }
    return list;
}

static void put_trial(json_t *o, const struct trail *t)
{
    if (t->trial)
        json_object_set_new(o, "trial", json_string(t->trial));
    if (t->trial_words)
        json_object_set_new(o, "trial_words", json_string(t->trial_words));
    if (t->scenario)
        json_object_set_new(o, "scenario", json_string(t->scenario));
}

static json_t *unspecified(const struct extraction *x, const struct checked *c)
{
    struct receptions all;
    json_t *list = json_array();
    receptions_read(&all, x, c->unmet);
    for (int i = 0; i < all.count; i++) {
        const struct reception *r = &all.items[i];
        const struct place_in *p = &r->origin->function->nodes[r->origin->node].place;
        json_array_append_new(list, json_pack("{s:s, s:s*, s:s*, s:o}", "machine", x->harness.machines.items[r->origin->machine].name, "state",
                                              r->state_name, "event", r->event_name, "location", json_sprintf("%s:%d", p->file, p->line)));
    }
    receptions_fini(&all);
    return list;
}

/* Also those that were not reached, one by one. */
static json_t *coverage(const struct coverage *c)
{
    json_t *missed = json_array();
    for (int i = 0; i < c->count; i++) {
        const struct node *n = &c->items[i].function->nodes[c->items[i].node];
        if (!c->items[i].reached)
            json_array_append_new(missed, json_pack("{s:s, s:s, s:i}", "text", n->text, "file", n->place.file, "line", n->place.line));
    }
    return json_pack("{s:i, s:i, s:o}", "statements", c->count, "reached", c->count - (int)json_array_size(missed), "missed", missed);
}

json_t *verify_json_property(const struct extraction *x, const struct checked *c)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", c->property->name, "verdict", verdict_words[c->verdict],
                          "identifier", c->identifier, "words", c->words, "runs", runs(c));
    if (c->property->says)
        json_object_set_new(o, "says", json_string(c->property->says));
    if (c->property->formula)
        json_object_set_new(o, "formula", json_string(c->property->formula));
    if (c->claim && c->claim->automaton)
        json_object_set_new(o, "automaton", buchi_json(c->claim->automaton, c->property->formula, c->reached));
    if (c->coverage.count)
        json_object_set_new(o, "coverage", coverage(&c->coverage));
    if (c->verdict == VERDICT_FAILED) {
        json_object_set_new(o, "trail", verify_json_steps(&c->trail));
        json_t *others = json_array();
        for (int i = 0; i < c->other_count; i++) {
            json_t *other = json_pack("{s:o, s:i, s:o}", "trail", verify_json_steps(&c->others[i]), "model_steps", c->others[i].model_steps, "cycle",
                                      c->others[i].cycle >= 0 ? json_integer(c->others[i].cycle) : json_null());
            put_trial(other, &c->others[i]);
            json_array_append_new(others, other);
        }
        json_object_set_new(o, "other_trails", others);
        if (c->unmet)
            json_object_set_new(o, "receptions", json_pack("{s:b, s:o}", "all", c->unmet_all, "found", unspecified(x, c)));
        put_trial(o, &c->trail);
        json_object_set_new(o, "cycle", c->trail.cycle >= 0 ? json_integer(c->trail.cycle) : json_null());
    }
    return o;
}

static json_t *statements(const struct extraction *x)
{
    int counts[FATE_COUNT] = { 0 };
    json_t *o = json_object();
    for (int i = 0; i < x->model.account_count; i++)
        counts[x->model.accounts[i].fate]++;
    for (int f = 0; f < FATE_COUNT; f++)
        json_object_set_new(o, fate_words[f], json_integer(counts[f]));
    return o;
}

static int put(const void *report, FILE *out)
{
    return json_dumpf(report, out, JSON_INDENT(2)) || fputc('\n', out) == EOF || fflush(out) ? -EIO : 0;
}

int verify_json(const char *file, const struct extraction *x, const struct verification *v, int status, struct err *err)
{
    static const char *const results[] = { "verified", "failed", "unusable", "incomplete" };
    json_t *list = json_array();
    for (int i = 0; i < v->count; i++)
        json_array_append_new(list, verify_json_property(x, &v->items[i]));
    json_t *report = json_pack("{s:s, s:s, s:o, s:o, s:i, s:f}", "harness", x->harness.file, "result", results[status],
                               "statements", statements(x), "properties", list, "compiled", v->spin.compiled,
                               "compile_seconds", v->spin.compile_seconds);
    int bad = !strcmp(file, "-") ? put(report, stdout) : 0;
    if (bad)
        bad = fail(err, "standard output: the report cannot be written");
    else if (strcmp(file, "-"))
        bad = file_write(file, "the report", put, report, err);
    json_decref(report);
    return bad;
}
