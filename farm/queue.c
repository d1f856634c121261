/* SPDX-License-Identifier: MIT */
#include "farm/queue.h"

#include "base/prose.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LAST_RANK = 50 };             /* of an exhaustive search */

static const char *text_of(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }
static int64_t number_of(const json_t *o, const char *key) { return (int64_t)json_number_value(json_object_get(o, key)); }

/* ---- into it and out of it ---- */

static int add(struct farm *f, int64_t property, int bits, int rank, const char *kind, int64_t priority, struct err *err)
{
    return store_run(f->store, err, "INSERT INTO run (property, content, version, bits, rank, priority, state, queued, kind)"
                     " SELECT id, content, ?2, ?3, ?4, ?5, 'queued', ?6, ?7 FROM property WHERE id = ?1", "iiiiirt",
                     property, f->version, (int64_t)bits, (int64_t)rank, priority, farm_now(), kind);
}

static int start(struct farm *f, int64_t property, enum queue_priority priority, int *started, struct err *err)
{
    if (store_number(f->store, "SELECT count(*) FROM status WHERE id = ?1 AND verdict IN ('verified', 'vacuous', 'failed')", "i", property))
        return 0;
    if (store_number(f->store, "SELECT count(*) FROM run WHERE property = ?1 AND state IN ('queued', 'running')", "i", property))
        return store_run(f->store, err, "UPDATE run SET priority = max(priority, ?2) WHERE property = ?1 AND state = 'queued'", "ii", property, (int64_t)priority);
    int bad = store_run(f->store, err, "DELETE FROM outcome WHERE property = ?1 AND content = (SELECT content FROM property WHERE id = ?1)", "i", property);
    if (!bad)
        bad = add(f, property, QUEUE_FIRST, 0, "A", priority, err);
    if (!bad)
        bad = add(f, property, 0, LAST_RANK, "E", priority, err);
    *started += !bad;
    return bad;
}

int queue_start(struct farm *f, int64_t property, enum queue_priority priority, int *started, struct err *err)
{
    *started = 0;
    int bad = store_begin(f->store, err);
    return bad ? bad : store_end(f->store, start(f, property, priority, started, err), err);
}

int queue_start_all(struct farm *f, enum queue_priority priority, int *started, struct err *err)
{
    json_t *all = store_rows(f->store, err, "SELECT id FROM status WHERE harness = ?1 AND state = 'pending' ORDER BY position", "i", f->id), *p;
    size_t i;
    int bad = all ? store_begin(f->store, err) : -EINVAL;
    *started = 0;
    if (bad) {
        json_decref(all);
        return bad;
    }
    json_array_foreach(all, i, p)
        if (!bad)
            bad = start(f, number_of(p, "id"), priority, started, err);
    json_decref(all);
    return store_end(f->store, bad, err);
}

int queue_abort(struct farm *f, int64_t property, int *aborted, struct err *err)
{
    int bad = store_run(f->store, err, "UPDATE run SET state = 'aborted', why = 'somebody asked for it', ended = ?3 WHERE state IN ('queued', 'running') AND property IN"
                        " (SELECT id FROM property WHERE harness = ?1 AND (?2 = 0 OR id = ?2))", "iir", f->id, property, farm_now());
    *aborted = bad ? 0 : (int)store_changes(f->store);
    return bad;
}

static int remove_one(struct farm *f, const json_t *p, int *deleted, struct err *err)
{
    static const char shortest[] = "SELECT length FROM trail WHERE outcome = ?1 ORDER BY length, id LIMIT 1";
    int64_t outcome = number_of(p, "outcome"), length = store_number(f->store, shortest, "i", outcome);
    int bad = store_run(f->store, err, "DELETE FROM trail WHERE id = (SELECT id FROM trail WHERE outcome = ?1 ORDER BY length, id LIMIT 1)", "i", outcome);
    if (bad || !outcome)
        return bad;
    (*deleted)++;
    bad = store_run(f->store, err, "UPDATE outcome SET words = replace(words, 'in ' || ?2 || ' steps', 'in ' || ?3 || ' steps') WHERE id = ?1", "iii", outcome, length,
                    store_number(f->store, shortest, "i", outcome));
    if (bad)
        return bad;
    return store_run(f->store, err, "DELETE FROM outcome WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM trail WHERE outcome = ?1)", "i", outcome);
}

int queue_delete(struct farm *f, int64_t property, int *deleted, struct err *err)
{
    *deleted = 0;
    json_t *p = store_row(f->store, err, "SELECT outcome, verdict FROM status WHERE id = ?1", "i", property);
    int bad = p ? store_begin(f->store, err) : -EINVAL;
    if (!bad)
        bad = store_end(f->store, json_is_object(p) ? remove_one(f, p, deleted, err) : 0, err);
    json_decref(p);
    return bad;
}

json_t *queue_next(struct farm *f, struct err *err)
{
    return store_row(f->store, err, "SELECT r.id, r.bits, r.kind, r.content, r.property, p.name FROM run r JOIN property p ON p.id = r.property"
                     " WHERE r.state = 'queued' AND p.harness = ?1 ORDER BY r.priority DESC, r.rank, r.id LIMIT 1", "i", f->id);
}

int queue_began(struct farm *f, int64_t run, const char *machine, struct err *err)
{
    return store_run(f->store, err, "UPDATE run SET state = 'running', started = ?2, machine = ?3, tries = tries + 1 WHERE id = ?1 AND state = 'queued'", "irt",
                     run, farm_now(), machine);
}

bool queue_wants(struct farm *f, int64_t run)
{
    return store_number(f->store, "SELECT count(*) FROM run WHERE id = ?1 AND state = 'running'", "i", run);
}

/* ---- what came of a run ---- */

struct ended { struct farm *farm; const json_t *run, *result; int64_t id, property; const char *content; struct err *err; };

/* Numbers of the last search of its own kind: others look for shorter trails, and for triggers. */
static const json_t *search_of(const json_t *result, const char *kind)
{
    const json_t *found = NULL;
    json_t *r;
    size_t i;
    json_array_foreach(json_object_get(result, "runs"), i, r)
        if (!strcmp(text_of(r, "kind"), kind) && !(found && json_integer_value(json_object_get(found, "errors"))))
            found = r;
    return found ? found : json_array_get(json_object_get(result, "runs"), 0);
}

static double seconds_of(const json_t *result)
{
    double seconds = 0;
    json_t *r;
    size_t i;
    json_array_foreach(json_object_get(result, "runs"), i, r)
        seconds += json_number_value(json_object_get(r, "seconds"));
    return seconds;
}

static bool is_dense(const json_t *search)
{
    enum { ROOMY = 100 };            /* as in extractor/verify.c: bits for each state */
    return json_number_value(json_object_get(search, "hash_factor")) < ROOMY;
}

static int put_run(const struct ended *e)
{
    const json_t *s = search_of(e->result, text_of(e->run, "kind"));
    return store_run(e->farm->store, e->err, "UPDATE run SET state = 'done', ended = ?2, states = ?3, transitions = ?4, depth = ?5, memory_kb = ?6, seconds = ?7, errors = ?8,"
                     " finished = ?9, dense = ?10, memory_cut = ?11, identifier = ?12, words = ?13, automaton_json = ?14, why = NULL WHERE id = ?1", "irrriiriiiittj", e->id,
                     farm_now(), json_number_value(json_object_get(s, "states")), json_number_value(json_object_get(s, "transitions")), number_of(s, "depth"),
                     number_of(s, "memory_kb"), seconds_of(e->result), number_of(s, "errors"), (int64_t)json_is_true(json_object_get(s, "finished")),
                     (int64_t)is_dense(s), (int64_t)json_is_true(json_object_get(s, "memory_cut")), text_of(e->result, "identifier"),
                     text_of(e->result, "words"), json_object_get(e->result, "automaton"));
}

static int put_trails(const struct ended *e, int64_t outcome)
{
    json_t *t;
    size_t i;
    int bad = 0;
    json_array_foreach(json_object_get(e->result, "trails"), i, t) {
        json_t *cycle = json_object_get(t, "cycle");
        if (!bad)
            bad = store_run(e->farm->store, e->err, "INSERT INTO trail (outcome, length, cycle, replay, chart, svg, statements, variables, steps_json, version)"
                            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", "iijtttttji", outcome, number_of(t, "length"), cycle, text_of(t, "replay"), text_of(t, "chart"),
                            text_of(t, "svg"), text_of(t, "statements"), text_of(t, "variables"), json_object_get(t, "steps"), e->farm->version);
    }
    return bad;
}

static int put_outcome(const struct ended *e)
{
    struct store *s = e->farm->store;
    int bad = store_run(s, e->err, "DELETE FROM outcome WHERE property = ?1 AND content = ?2", "it", e->property, e->content);
    if (!bad)
        bad = store_run(s, e->err, "INSERT INTO outcome (property, content, version, verdict, identifier, words, automaton_json, trial, ended, coverage_json) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                        "itittt" "jtrj", e->property, e->content, e->farm->version, text_of(e->result, "verdict"), text_of(e->result, "identifier"), text_of(e->result, "words"),
                        json_object_get(e->result, "automaton"), text_of(e->result, "trial"), farm_now(), json_object_get(e->result, "coverage"));
    return bad ? bad : put_trails(e, store_last(s));
}

static int drop_others(const struct ended *e, const char *why, int64_t above)
{
    return store_run(e->farm->store, e->err, "UPDATE run SET state = 'dropped', why = ?4, ended = ?5 WHERE property = ?1 AND content = ?2 AND state IN ('queued', 'running')"
                     " AND bits > ?3", "ititr", e->property, e->content, above, why, farm_now());
}

static int add_larger(const struct ended *e, int largest)
{
    int bad = 0;
    for (int bits = QUEUE_FIRST + 1; !bad && bits <= largest; bits++)
        bad = add(e->farm, e->property, bits, bits - QUEUE_FIRST, bits == largest ? "M" : "B", number_of(e->run, "priority"), e->err);
    return bad;
}

/* Nobody found anything, and not all was searched: the exhaustive one tells why, unless it had no memory and a search with bits came to an end. */
static int give_up(const struct ended *e)
{
    struct store *s = e->farm->store;
    if (store_number(s, "SELECT count(*) FROM run WHERE property = ?1 AND content = ?2 AND state IN ('queued', 'running')", "it", e->property, e->content))
        return 0;
    json_t *best = store_row(s, e->err, "SELECT identifier, words, automaton_json FROM run WHERE property = ?1 AND content = ?2 AND state = 'done'"
                             " ORDER BY (kind = 'E' AND NOT memory_cut) DESC, finished DESC, bits DESC LIMIT 1", "it", e->property, e->content);
    if (!json_is_object(best)) {
        json_decref(best);
        return best ? 0 : -EINVAL;
    }
    json_object_set_new(best, "verdict", json_string("not finished"));
    struct ended as = *e;
    as.result = best;
    int bad = put_outcome(&as);
    json_decref(best);
    return bad;
}

static int conclude(const struct ended *e, int largest)
{
    const char *verdict = text_of(e->result, "verdict");
    const json_t *search = search_of(e->result, text_of(e->run, "kind"));
    int64_t bits = number_of(e->run, "bits");
    int bad = 0;
    if (strcmp(verdict, "not finished"))
        return put_outcome(e) ?: drop_others(e, !strcmp(verdict, "failed") ? "another level has found a counter-example" : "an exhaustive search is complete", -1);
    if (bits && !is_dense(search))
        bad = drop_others(e, "a smaller table had room enough", bits);
    else if (bits == QUEUE_FIRST)
        bad = add_larger(e, largest);
    return bad ? bad : give_up(e);
}

int queue_ended(struct farm *f, int64_t id, const json_t *result, int largest, struct err *err)
{
    json_t *run = store_row(f->store, err, "SELECT * FROM run WHERE id = ?1 AND state = 'running'", "i", id);
    if (!json_is_object(run)) {      /* it was aborted, or is needed no more, and that is so */
        json_decref(run);
        return run ? 0 : -EINVAL;
    }
    struct ended e = { f, run, result, id, number_of(run, "property"), text_of(run, "content"), err };
    assert(!strcmp(e.content, text_of(result, "key")));
    int bad = store_begin(f->store, err);
    if (!bad)
        bad = store_end(f->store, put_run(&e) ?: conclude(&e, largest), err);
    json_decref(run);
    return bad;
}

int queue_died(struct farm *f, int64_t run, const char *why, bool again, struct err *err)
{
    return store_run(f->store, err, "UPDATE run SET state = CASE WHEN ?4 AND tries < ?3 THEN 'queued' ELSE 'lost' END, why = ?2, ended = ?5 WHERE id = ?1 AND state = 'running'",
                     "itiir", run, why, (int64_t)QUEUE_TRIES, (int64_t)again, farm_now());
}
