/* SPDX-License-Identifier: MIT */
#include "farm/view.h"

#include <stdlib.h>
#include <string.h>

/* A run that is `running` while nobody works does not run. */
#define STATE "CASE WHEN state = 'running' AND NOT ?2 THEN CASE verdict WHEN 'failed' THEN 'failed' WHEN 'verified' THEN 'verified' WHEN 'vacuous' THEN 'verified' ELSE 'pending' END ELSE state END"
/* Of a failure the shortest trail is told, also when others were deleted. */
#define IDENTIFIER "CASE WHEN verdict = 'failed' THEN substr(identifier, 1, 1) || '/' || (SELECT min(length) FROM trail t WHERE t.outcome = status.outcome) ELSE identifier END"

static const char *text_of(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }

static int64_t taken(const struct farm *f) { return farm_is_taken(f); }

static json_t *about(struct farm *f, struct err *err)
{
    json_t *h = store_row(f->store, err, "SELECT file, wrong, about_json FROM harness WHERE id = ?1", "i", f->id);
    if (!h)
        return NULL;
    json_t *all = json_object_get(h, "about");
    json_object_set(h, "counts", json_object_get(all, "counts"));
    json_object_set_new(h, "warnings", json_integer((json_int_t)json_array_size(json_object_get(all, "warnings"))));
    json_object_set(h, "features", json_object_get(all, "features"));
    json_object_set(h, "program", json_object_get(all, "program"));
    json_object_del(h, "about");
    return h;
}

/* How many of each state there are; of each only the first stay, if that is asked for. */
static json_t *count_and_cut(json_t *rows, int most)
{
    json_t *counts = json_pack("{s:i, s:i, s:i, s:i}", "pending", 0, "running", 0, "verified", 0, "failed", 0);
    size_t kept = 0;
    for (size_t i = 0; rows && i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i), *count = json_object_get(counts, text_of(row, "state"));
        json_integer_set(count, json_integer_value(count) + 1);
        if (most <= 0 || json_integer_value(count) <= most)
            json_array_set(rows, kept++, row);
    }
    while (rows && json_array_size(rows) > kept)
        json_array_remove(rows, json_array_size(rows) - 1);
    return counts;
}

json_t *view_list(struct farm *f, const struct view_filter *by, struct err *err)
{
    const char *text = by->text ? by->text : "", *state = by->state ? by->state : "", *feature = by->feature ? by->feature : "";
    json_t *rows = store_rows(f->store, err,
        "SELECT * FROM (SELECT id, name, says, link, formula, violation, fair, symbols_json, features_json, line, verdict, words, trial, ended, trails, running, waiting, position,"
        " text IS NOT NULL AS own, " STATE " AS state, " IDENTIFIER " AS identifier,"
        " (SELECT why FROM run r WHERE r.property = status.id AND r.content = status.content AND r.state = 'lost' AND outcome IS NULL ORDER BY r.id DESC LIMIT 1) AS why"
        " FROM status WHERE harness = ?1)"
        " WHERE (?3 = '' OR state = ?3) AND (?4 = '' OR instr(features_json, '\"+' || ?4 || '\"') OR instr(features_json, '\"-' || ?4 || '\"'))"
        " AND (?5 = '' OR instr(lower(name || ' ' || coalesce(says, '') || ' ' || coalesce(formula, '')), lower(?5))) ORDER BY position", "iittt",
        f->id, taken(f), state, feature, text);
    json_t *counts = count_and_cut(rows, by->most);
    json_t *h = rows ? about(f, err) : NULL;
    if (!h) {
        json_decref(rows);
        json_decref(counts);
        return NULL;
    }
    json_t *version = store_row(f->store, err, "SELECT id, content, seen, revision FROM version WHERE harness = ?1 ORDER BY seen DESC LIMIT 1", "i", f->id);
    return json_pack("{s:o, s:o, s:o, s:b, s:o}", "counts", counts, "harness", h, "version", version ? version : json_null(), "working", farm_is_taken(f), "properties", rows);
}

json_t *view_property(struct farm *f, const char *name, struct err *err)
{
    int64_t id = farm_property(f, name, err);
    json_t *p = id ? store_row(f->store, err, "SELECT id, name, says, link, formula, violation, fair, symbols_json, features_json, line, text, verdict, words, trial, ended, trails,"
                               " running, waiting, outcome, content, automaton_json, " STATE " AS state, " IDENTIFIER " AS identifier FROM status WHERE id = ?1", "ii",
                               id, taken(f)) : NULL;
    if (!json_is_object(p))
        return p;
    json_t *reached = store_row(f->store, err, "SELECT automaton_json, coverage_json FROM outcome WHERE id = ?1", "i", (int64_t)json_integer_value(json_object_get(p, "outcome")));
    if (json_is_object(json_object_get(reached, "automaton")))
        json_object_set(p, "automaton", json_object_get(reached, "automaton"));
    if (json_is_object(json_object_get(reached, "coverage")))
        json_object_set(p, "coverage", json_object_get(reached, "coverage"));
    json_decref(reached);
    json_object_set_new(p, "runs", store_rows(f->store, err, "SELECT r.id, kind, state, bits, tries, why, machine, queued, started, r.ended, states, transitions, depth, memory_kb, seconds,"
                        " errors, finished, identifier, words, r.content = ?2 AS current, v.revision FROM run r LEFT JOIN version v ON v.id = r.version"
                        " WHERE property = ?1 ORDER BY r.id DESC LIMIT 200", "it", id, text_of(p, "content")));
    json_object_set_new(p, "shown", store_rows(f->store, err, "SELECT id, length, cycle FROM trail WHERE outcome = ?1 ORDER BY length, id", "i",
                        (int64_t)json_integer_value(json_object_get(p, "outcome"))));
    return p;
}

json_t *view_trail(struct farm *f, int64_t trail, struct err *err)
{
    json_t *t = store_row(f->store, err, "SELECT t.id, t.length, t.cycle, t.chart, t.svg, t.statements, t.variables, t.steps_json, p.name AS property FROM trail t"
                          " JOIN outcome o ON o.id = t.outcome JOIN property p ON p.id = o.property WHERE t.id = ?1 AND p.harness = ?2", "ii", trail, f->id);
    if (!json_is_null(t))
        return t;
    fail(err, "there is no such counter-example any more");
    return NULL;
}

json_t *view_model(struct farm *f, struct err *err)
{
    json_t *h = store_row(f->store, err, "SELECT wrong, about_json FROM harness WHERE id = ?1", "i", f->id);
    return h;
}

/* In a cell: does the first come before the second; and which properties have both. */
json_t *view_features(struct farm *f, struct err *err)
{
    json_t *h = about(f, err);
    json_t *pairs = h ? store_rows(f->store, err, "SELECT a.value AS first, b.value AS second, s.name, s.state FROM status s, json_each(s.features_json) a, json_each(s.features_json) b"
                                   " WHERE s.harness = ?1 AND substr(a.value, 2) < substr(b.value, 2) ORDER BY s.position", "i", f->id) : NULL;
    json_t *required = pairs ? store_rows(f->store, err, "SELECT first, second, line FROM precedence WHERE harness = ?1", "i", f->id) : NULL;
    json_t *o = required ? json_pack("{s:O, s:O, s:O}", "features", json_object_get(h, "features"), "properties", pairs, "precedences", required) : NULL;
    json_decref(h);
    json_decref(pairs);
    json_decref(required);
    return o;
}

json_t *view_queue(struct farm *f, struct err *err)
{
    static const char columns[] = "SELECT r.id, p.name, r.kind, r.bits, CASE WHEN r.state = 'running' AND NOT ?2 THEN 'queued' ELSE r.state END AS state, r.priority, r.tries, r.why, r.machine,"
                                  " r.queued, r.started, r.ended, r.states, r.seconds, r.memory_kb, r.identifier FROM run r JOIN property p ON p.id = r.property WHERE p.harness = ?1";
    char open[700], done[700];
    snprintf(open, sizeof open, "%s AND r.state IN ('running', 'queued') ORDER BY r.state = 'running' DESC, r.priority DESC, r.rank, r.id LIMIT 500", columns);
    snprintf(done, sizeof done, "%s AND r.state NOT IN ('running', 'queued') ORDER BY r.id DESC LIMIT 100", columns);
    json_t *now = store_rows(f->store, err, open, "ii", f->id, taken(f)), *before = now ? store_rows(f->store, err, done, "ii", f->id, taken(f)) : NULL;
    if (!before) {
        json_decref(now);
        return NULL;
    }
    return json_pack("{s:b, s:o, s:o}", "working", farm_is_taken(f), "open", now, "ended", before);
}

/* Verdicts by content, beside those of the version before. */
json_t *view_history(struct farm *f, struct err *err)
{
    json_t *versions = store_rows(f->store, err, "SELECT id, content, seen, revision, author,"
        " (SELECT count(*) FROM content c JOIN outcome o ON o.property = c.property AND o.content = c.content WHERE c.version = v.id AND o.verdict = 'failed') AS failed,"
        " (SELECT count(*) FROM content c JOIN outcome o ON o.property = c.property AND o.content = c.content WHERE c.version = v.id AND o.verdict IN ('verified', 'vacuous')) AS verified,"
        " (SELECT count(*) FROM content c WHERE c.version = v.id) AS properties FROM version v WHERE harness = ?1 ORDER BY seen DESC LIMIT 50", "i", f->id), *v;
    size_t i;
    json_array_foreach(versions, i, v) {
        json_t *older = json_array_get(versions, i + 1);
        json_object_set_new(v, "changes", !older ? json_array() : store_rows(f->store, err,
            "SELECT p.name, b.verdict AS before, a.verdict AS after FROM content c JOIN property p ON p.id = c.property"
            " JOIN outcome a ON a.property = c.property AND a.content = c.content JOIN content d ON d.version = ?2 AND d.property = c.property"
            " JOIN outcome b ON b.property = d.property AND b.content = d.content WHERE c.version = ?1 AND a.verdict != b.verdict ORDER BY p.position", "ii",
            (int64_t)json_integer_value(json_object_get(v, "id")), (int64_t)json_integer_value(json_object_get(older, "id"))));
    }
    return versions;
}
