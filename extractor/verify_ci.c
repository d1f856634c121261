/* SPDX-License-Identifier: MIT */
#include "extractor/verify_ci.h"

#include "base/file.h"
#include "base/prose.h"
#include "base/version.h"
#include "extractor/tell.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- JUnit ---- */

struct report { const struct extraction *x; const struct verification *v; };

static void escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        if (prose_entity((unsigned char)*text))
            fputs(prose_entity((unsigned char)*text), out);
        else if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
            fputc(*text, out);
}

static double seconds_of(const struct checked *c)
{
    double seconds = 0;
    for (int i = 0; i < c->run_count; i++)
        seconds += c->runs[i].found.seconds;
    return seconds;
}

static void put_trail(const struct trail *t, FILE *out)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return;
    tell_statements(t, memory);
    fclose(memory);
    escaped(out, text);
    free(text);
}

static void put_case(const struct checked *c, FILE *out)
{
    fputs("  <testcase name=\"", out);
    escaped(out, c->property->name);
    fprintf(out, "\" classname=\"verify\" time=\"%.3f\">\n", seconds_of(c));
    const char *kind = c->verdict == VERDICT_FAILED ? "failure" : c->verdict == VERDICT_UNFINISHED ? "error" : NULL;
    if (kind) {
        fprintf(out, "    <%s message=\"%s ", kind, c->identifier);
        escaped(out, c->words);
        fputs("\">", out);
        if (c->verdict == VERDICT_FAILED)
            put_trail(&c->trail, out);
        fprintf(out, "</%s>\n", kind);
    }
    fputs("  </testcase>\n", out);
}

static int put_junit(const void *arg, FILE *out)
{
    const struct report *r = arg;
    int failed = 0, unfinished = 0;
    for (int i = 0; i < r->v->count; i++) {
        failed += r->v->items[i].verdict == VERDICT_FAILED;
        unfinished += r->v->items[i].verdict == VERDICT_UNFINISHED;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", out);
    escaped(out, r->x->harness.file);
    fprintf(out, "\" tests=\"%d\" failures=\"%d\" errors=\"%d\">\n", r->v->count, failed, unfinished);
    for (int i = 0; i < r->v->count; i++)
        put_case(&r->v->items[i], out);
    fputs("</testsuite>\n", out);
    return ferror(out) ? -EIO : 0;
}

int verify_junit(const char *file, const struct extraction *x, const struct verification *v, struct err *err)
{
    struct report r = { x, v };
    return file_write(file, "the JUnit report", put_junit, &r, err);
}

/* ---- SARIF ---- */

static json_t *location(const struct step *s)
{
    return json_pack("{s:{s:{s:s}, s:{s:i, s:i}}, s:{s:s}}", "physicalLocation", "artifactLocation", "uri", s->place.file,
                     "region", "startLine", s->place.line, "startColumn", s->place.column, "message", "text", s->text);
}

static json_t *result(const struct checked *c)
{
    json_t *flow = json_array(), *where = json_array();
    const struct step *last = NULL;
    for (int i = 0; i < c->trail.count; i++)
        if (c->trail.steps[i].place.file) {
            last = &c->trail.steps[i];
            json_array_append_new(flow, json_pack("{s:o}", "location", location(last)));
        }
    if (last)
        json_array_append_new(where, location(last));
    json_t *message = json_sprintf("%s: %s (%s)", c->property->says ? c->property->says : c->property->name, c->words, c->identifier);
    return json_pack("{s:s, s:s, s:{s:o}, s:o, s:[{s:[{s:o}]}]}", "ruleId", c->property->name, "level", "error", "message", "text", message,
                     "locations", where, "codeFlows", "threadFlows", "locations", flow);
}

static json_t *rules(const struct verification *v)
{
    json_t *list = json_array();
    for (int i = 0; i < v->count; i++) {
        const struct property *p = v->items[i].property;
        json_array_append_new(list, json_pack("{s:s, s:{s:s}}", "id", p->name, "shortDescription", "text", p->says ? p->says : p->name));
    }
    return list;
}

static int put_sarif(const void *arg, FILE *out)
{
    return json_dumpf(arg, out, JSON_INDENT(2)) || fputc('\n', out) == EOF ? -EIO : 0;
}

int verify_sarif(const char *file, const struct verification *v, struct err *err)
{
    json_t *results = json_array();
    for (int i = 0; i < v->count; i++)
        if (v->items[i].verdict == VERDICT_FAILED)
            json_array_append_new(results, result(&v->items[i]));
    json_t *all = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:o}]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                            "version", "2.1.0", "runs", "tool", "driver", "name", "VeriSoft", "version", VERSION, "rules", rules(v),
                            "results", results);
    int bad = file_write(file, "the SARIF report", put_sarif, all, err);
    json_decref(all);
    return bad;
}
