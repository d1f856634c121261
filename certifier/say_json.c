/* SPDX-License-Identifier: MIT */
#include "certifier/say.h"

#include "properties/invariant.h"
#include "report/value.h"

#include <errno.h>

static json_t *number(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *error(const struct certify_report *r)
{
    const struct certification *c = r->certification;
    json_t *o = json_object();
    json_object_set_new(o, "kind", value_text(wrong_names[c->kind]));
    json_object_set_new(o, "depth", number(c->path.count));
    json_object_set_new(o, "process", json_integer(c->process));
    json_object_set_new(o, r->tree ? "execution" : "state", number(r->tree ? c->entry : c->state));
    json_object_set_new(o, "message", value_text(c->message));
    json_object_set_new(o, "scenario", value_text(r->scenario));
    return o;
}

static json_t *veracity(const struct certify_report *r)
{
    const struct certification *c = r->certification;
    json_t *o = json_object();
    if (c->result != CERTIFY_REJECTED) {
        json_decref(o);
        return json_null();
    }
    json_object_set_new(o, r->tree ? "execution" : "entry", c->entry ? number(c->entry) : json_null());
    if (!r->tree)
        json_object_set_new(o, "state", c->entry ? number(c->state) : json_null());
    json_object_set_new(o, "message", value_text(c->message));
    json_object_set_new(o, "scenario", value_text(r->scenario));
    return o;
}

static json_t *header(const struct fields *f)
{
    json_t *all = json_array();
    for (uint32_t i = 0; f && i < f->count; i++) {
        json_t *o = json_object();
        json_object_set_new(o, "name", value_text(f->all[i].name));
        json_object_set_new(o, "value", value_text(f->all[i].value));
        json_array_append_new(all, o);
    }
    return all;
}

int say_json(FILE *out, const struct certify_report *r)
{
    const struct certification *c = r->certification;
    json_t *o = json_object(), *errors = json_array();
    if (c->result == CERTIFY_ERRORS)
        json_array_append_new(errors, error(r));
    json_object_set_new(o, "program", value_text(r->program));
    json_object_set_new(o, "certificate", value_text(r->certificate));
    json_object_set_new(o, "result", value_text(certify_results[c->result]));
    json_t *invariants = json_array();
    for (uint32_t i = 0; r->invariants && i < invariants_count(r->invariants); i++)
        json_array_append_new(invariants, value_text(invariants_text(r->invariants, i)));
    json_object_set_new(o, "invariants", invariants);
    json_object_set_new(o, "trustful", json_boolean(r->trustful));
    json_object_set_new(o, "shared_variables", json_integer(r->variables));
    json_object_set_new(o, "errors", errors);
    json_object_set_new(o, "veracity_error", veracity(r));
    json_object_set_new(o, "stopped_by", value_text(r->stopped_by));
    json_object_set_new(o, "processes", json_integer(c->processes));
    json_object_set_new(o, "states", number(c->states));
    json_object_set_new(o, "transitions", number(c->transitions));
    json_object_set_new(o, "max_depth", number(c->depth));
    if (r->tree) {
        json_object_set_new(o, "executions", number(c->executions));
        json_object_set_new(o, "sleep_cut", number(c->sleep_cut));
        json_object_set_new(o, "races", number(c->races));
    } else {
        json_object_set_new(o, "entries", number(c->entries));
        json_object_set_new(o, "fingerprints_kept", number(c->kept));
    }
    json_object_set_new(o, "parts", json_integer(c->parts));
    json_object_set_new(o, "native_transitions", number(c->native.transitions));
    json_object_set_new(o, "native_starts", number(c->native.starts));
    json_object_set_new(o, "seconds", json_real(c->seconds));
    json_object_set_new(o, "memory_kb", number(r->memory_kb));
    json_object_set_new(o, "header", header(r->fields));
    errno = 0;
    int bad = json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    json_decref(o);
    bad |= fputc('\n', out) == EOF;
    return bad || fflush(out) ? -(errno ? errno : EIO) : 0;
}
