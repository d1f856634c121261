/* SPDX-License-Identifier: MIT */
#include "report/ci.h"

#include "base/prose.h"
#include "base/version.h"
#include "report/value.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- JUnit ---- */

/* XML knows no control characters, and value_text has made UTF-8 of it. */
static void put(FILE *out, const char *text)
{
    json_t *value = value_text(text ? text : "");
    for (const char *at = json_string_value(value); at && *at; at++)
        if (prose_entity((unsigned char)*at))
            fputs(prose_entity((unsigned char)*at), out);
        else if ((unsigned char)*at >= ' ' || *at == '\n' || *at == '\t')
            fputc(*at, out);
    json_decref(value);
}

/* Whose error it is; of a program without drivers, and where it is of all, NULL. */
static const char *driver_of(const struct outcome *o, const struct error *e)
{
    for (uint32_t i = 0; i < o->driver_count; i++)
        if (o->drivers[i].process == e->process)
            return o->drivers[i].name;
    return NULL;
}

static uint32_t put_good_drivers(FILE *out, const struct outcome *o)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->driver_count; i++) {
        if (o->drivers[i].errors)
            continue;
        count++;
        if (!out)
            continue;
        fputs("  <testcase name=\"driver\" classname=\"", out);
        put(out, o->drivers[i].name);
        fputs("\"></testcase>\n", out);
    }
    return count;
}

static void put_error(FILE *out, const struct outcome *o, const struct error *e)
{
    fprintf(out, "  <testcase name=\"%s%s", search_error_names[e->kind], e->location ? " at " : "");
    put(out, e->location);
    fputs("\" classname=\"", out);
    put(out, driver_of(o, e) ? driver_of(o, e) : "check");
    fputs("\">\n    <failure type=\"", out);
    fprintf(out, "%s\" message=\"", search_error_names[e->kind]);
    put(out, e->message);
    fputs("\">", out);
    for (uint32_t i = 0; i < e->line_count; i++) {
        const struct story_line *line = &e->lines[i];
        if (line->step)
            fprintf(out, "%4u  process %d  ", line->step, line->process);
        else
            fprintf(out, "   !  process %d  ", line->process);
        put(out, line->text);
        fputs(line->location ? "  " : "", out);
        put(out, line->location);
        fputc('\n', out);
    }
    put(out, e->explanation);
    fputs(e->scenario ? "\nscenario: " : "", out);
    put(out, e->scenario);
    fputs("</failure>\n  </testcase>\n", out);
}

/* Why the search says less than it might; NULL: it does not. Gives. */
static char *shortcoming(const struct ci *ci)
{
    const struct outcome *o = ci->outcome;
    if (ci->failure)
        return prose_make("%s", ci->failure);
    if (o->result != RESULT_INCOMPLETE && o->search.coverage == COVERAGE_ALL && !o->counted[COUNTS_AS_LIMIT] && !o->counted[COUNTS_AS_UNCONFIRMED])
        return NULL;
    if (o->result == RESULT_ERRORS && o->search.stopped_by == STOPPED_STOP_AT_ERROR)
        return NULL;                 /* the error says all */
    for (uint32_t i = 0; i < o->finding_count; i++)
        if (o->findings[i].counts_as != COUNTS_AS_ERROR)
            return prose_make("not everything was searched: %s", o->findings[i].message);
    return prose_make("not everything was searched%s%s", o->search.stopped_by ? ": stopped by " : "",
                      o->search.stopped_by ? search_stop_names[o->search.stopped_by] : "");
}

int ci_junit(const void *arg, FILE *out)
{
    const struct ci *ci = arg;
    uint32_t errors = ci->failure ? 0 : ci->outcome->counted[COUNTS_AS_ERROR];
    char *incomplete = shortcoming(ci);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", out);
    put(out, ci->program);
    fprintf(out, "\" tests=\"%u\" failures=\"%u\" errors=\"%d\">\n", errors + 1 + (ci->failure ? 0 : put_good_drivers(NULL, ci->outcome)),
            errors, incomplete != NULL);
    fprintf(out, "  <testcase name=\"search\" classname=\"check\" time=\"%.3f\">\n", ci->failure ? 0.0 : ci->outcome->seconds);
    if (incomplete) {
        fputs("    <error message=\"", out);
        put(out, incomplete);
        fputs("\"></error>\n", out);
    }
    fputs("  </testcase>\n", out);
    for (uint32_t i = 0; !ci->failure && i < ci->outcome->finding_count; i++)
        if (ci->outcome->findings[i].counts_as == COUNTS_AS_ERROR)
            put_error(out, ci->outcome, &ci->outcome->findings[i]);
    if (!ci->failure)
        put_good_drivers(out, ci->outcome);
    fputs("</testsuite>\n", out);
    free(incomplete);
    return fflush(out) || ferror(out) ? -EIO : 0;
}

/* ---- SARIF ---- */

/* A file's name as a relative reference: what is no letter of such is %20. */
static json_t *reference(const char *file, size_t length)
{
    struct prose out = { 0 };
    for (size_t i = 0; i < length; i++)
        prose_add(&out, isalnum((unsigned char)file[i]) || strchr("/._-~+", file[i]) ? "%c" : "%%%02X", (unsigned char)file[i]);
    json_t *text = json_string(out.text ? out.text : "");
    prose_fini(&out);
    return text;
}

/* "main.c:77"; NULL: it is no place. */
static json_t *place(const char *location, const char *words)
{
    const char *colon = location ? strrchr(location, ':') : NULL;
    int line = colon ? atoi(colon + 1) : 0;
    if (line < 1)
        return NULL;
    return json_pack("{s:{s:{s:o}, s:{s:i}}, s:{s:o}}", "physicalLocation", "artifactLocation", "uri", reference(location, (size_t)(colon - location)),
                     "region", "startLine", line, "message", "text", value_text(words));
}

static json_t *flow(const struct error *e)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < e->line_count; i++) {
        char *words = prose_make("process %d: %s", e->lines[i].process, e->lines[i].text);
        json_t *where = place(e->lines[i].location, words);
        if (where)
            json_array_append_new(all, json_pack("{s:o, s:i}", "location", where, "executionOrder", (int)i + 1));
        free(words);
    }
    return all;
}

/* Services that show results want a place of each: of a deadlock, where the last who waits does so. Gives; NULL: there is none. */
static json_t *place_of(const struct error *e)
{
    json_t *where = place(e->location, e->message);
    for (uint32_t i = e->line_count; !where && i > 0; i--)
        where = place(e->lines[i - 1].location, e->message);
    return where;
}

static json_t *result(const struct error *e)
{
    static const char *const levels[] = { [COUNTS_AS_ERROR] = "error", [COUNTS_AS_LIMIT] = "note", [COUNTS_AS_UNCONFIRMED] = "warning" };
    json_t *where = place_of(e), *steps = flow(e);
    json_t *o = json_pack("{s:s, s:s, s:{s:o}, s:o}", "ruleId", search_error_names[e->kind],
                          "level", levels[e->counts_as], "message", "text", value_text(e->message), "locations", where ? json_pack("[o]", where) : json_array());
    if (json_array_size(steps))
        json_object_set_new(o, "codeFlows", json_pack("[{s:[{s:O}]}]", "threadFlows", "locations", steps));
    json_decref(steps);
    if (e->scenario)
        json_object_set_new(o, "properties", json_pack("{s:o}", "scenario", value_text(e->scenario)));
    return o;
}

static json_t *rules(void)
{
    json_t *list = json_array();
    for (int i = 0; i < ERROR_KIND_COUNT; i++)
        json_array_append_new(list, json_pack("{s:s}", "id", search_error_names[i]));
    return list;
}

int ci_sarif(const void *arg, FILE *out)
{
    const struct ci *ci = arg;
    json_t *results = json_array(), *told = json_array();
    char *incomplete = shortcoming(ci);
    for (uint32_t i = 0; !ci->failure && i < ci->outcome->finding_count; i++)
        json_array_append_new(results, result(&ci->outcome->findings[i]));
    if (incomplete)
        json_array_append_new(told, json_pack("{s:s, s:{s:o}}", "level", ci->failure ? "error" : "warning", "message", "text", value_text(incomplete)));
    json_t *all = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:[{s:b, s:o}], s:o}]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                            "version", "2.1.0", "runs", "tool", "driver", "name", "VeriSoft", "version", VERSION, "rules", rules(),
                            "invocations", "executionSuccessful", ci->failure == NULL, "toolExecutionNotifications", told, "results", results);
    int bad = json_dumpf(all, out, JSON_INDENT(2)) || fputc('\n', out) == EOF || fflush(out);
    json_decref(all);
    free(incomplete);
    return bad ? -EIO : 0;
}
