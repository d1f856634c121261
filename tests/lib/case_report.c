/* What is looked at in a report, and in the scenarios that it names. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_NUMBER = -1 };

long number(const json_t *report, const char *key)
{
    const json_t *value = json_object_get(report, key);
    return json_is_integer(value) ? (long)json_integer_value(value) : NO_NUMBER;
}

const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

/* A limit of ours: no error, but something found, with its place and a scenario. */
bool is_limit(const struct expect *e) { return !strcmp(e->verdict, "unsupported"); }

bool is_error(const struct expect *e)
{
    return strcmp(e->verdict, "complete") && strcmp(e->verdict, "incomplete") && !is_limit(e);
}

const char *result_of(const struct expect *e)
{
    return is_error(e) ? "errors" : is_limit(e) ? "incomplete" : e->verdict;
}

void check_names(struct test *t, const struct way *w)
{
    if (t->source->posix && !strcmp(w->label, "auto"))
        return;                      /* what is found before a thread is made is found as in any other program */
    if (strcmp(text(t->report, "search"), w->search) || strcmp(text(t->report, "reduction"), w->reduction))
        complain(t, "the report says search %s, reduction %s", text(t->report, "search"), text(t->report, "reduction"));
}

void check_status(struct test *t, const char *result)
{
    int status = !strcmp(result, "complete") ? 0 : !strcmp(result, "errors") ? 1 : 3;
    if (strcmp(text(t->report, "result"), result))
        complain(t, "the result is %s; expected %s", text(t->report, "result"), result);
    if (t->status != status)
        complain(t, "exit status %d; expected %d", t->status, status);
    bool stopped = !json_is_null(json_object_get(t->report, "stopped_by"));
    if (!strcmp(result, "complete") && (stopped || strcmp(text(t->report, "coverage"), "all")))
        complain(t, "complete, but stopped by '%s' with coverage '%s'", text(t->report, "stopped_by"), text(t->report, "coverage"));
}

/* Between the numbers of any report. */
void check_sums(struct test *t, const struct way *w)
{
    long states = number(t->report, "states"), transitions = number(t->report, "transitions");
    bool whole = !strcmp(w->search, "dfs") || !strcmp(w->search, "iterative");
    if (states == 0 && transitions == 0 && !strcmp(t->expect->verdict, "structure"))
        return;                      /* the program is not one that can be searched */
    if (states < 1 || transitions < 0)
        return complain(t, "%ld states, %ld transitions", states, transitions);
    if (whole && states != transitions + 1)
        complain(t, "a tree of %ld states has not %ld transitions", states, transitions);
    if (strcmp(w->search, "random") && strcmp(w->search, "auto") && transitions < states - 1)
        complain(t, "%ld states were entered by %ld transitions", states, transitions);
    if (number(t->report, "max_depth") > transitions)
        complain(t, "depth %ld with %ld transitions", number(t->report, "max_depth"), transitions);
    if (t->expect->native >= 0 && number(t->report, "native_transitions") > t->expect->native)
        complain(t, "the program itself ran %ld transitions; %ld are enough", number(t->report, "native_transitions"),
                 t->expect->native);
}

/* ---- errors ---- */

static bool expected_kind(const struct expect *e, const char *kind)
{
    for (int i = 0; i < e->error_count; i++)
        if (!strcmp(e->errors[i].kind, kind))
            return true;
    return !strcmp(e->verdict, kind);
}

/* Where nothing is marked, nothing may have a place. */
static bool marked(const struct test *t, const char *location)
{
    for (int i = 0; i < t->source->marked_count; i++) {
        char *place = make("%s:%d", t->name, t->source->marked[i]);
        bool same = !strcmp(place, location);
        free(place);
        if (same)
            return true;
    }
    return false;
}

/* The error, and where the processes stand that have a part in it. */
static void check_location(struct test *t, const json_t *error)
{
    size_t i;
    const json_t *step, *location = json_object_get(error, "location");
    if (!json_is_null(location) && !marked(t, text(error, "location")))
        complain(t, "the error is at %s, which is not marked /* ERROR */", text(error, "location"));
    if (json_is_null(location) && t->source->marked_count && strcmp(text(error, "kind"), "deadlock"))
        complain(t, "the error has no location");
    json_array_foreach(json_object_get(error, "steps"), i, step)
        if (json_is_null(json_object_get(step, "step")) && *text(step, "location") && !marked(t, text(step, "location")))
            complain(t, "a process stands at '%s', which is not marked /* ERROR */", text(step, "location"));
}

/* bfs finds a shortest one, the layers one within the layer; nothing finds a shorter one. */
static void check_depth(struct test *t, const struct way *w, long depth)
{
    long least = t->expect->depth;
    bool default_layers = !expect_has(&t->expect->options, "--depth-incr");
    bool layers = !strcmp(w->search, "iterative") && (!strcmp(w->label, "none") || !strcmp(w->label, "sleep"));
    if (least < 0)
        return;
    if (depth < least || (!strcmp(w->label, "bfs") && depth != least))
        complain(t, "an error at depth %ld; the shortest is at %ld", depth, least);
    if (layers && default_layers && depth > (least + 4) / 5 * 5)
        complain(t, "an error at depth %ld; there is one at %ld, in an earlier layer", depth, least);
}

static void check_words(struct test *t, const json_t *error)
{
    for (int i = 0; i < t->expect->messages.count; i++) {
        const char *wanted = t->expect->messages.items[i];
        if (!strstr(text(error, "message"), wanted) && !strstr(text(error, "explanation"), wanted))
            complain(t, "neither message nor explanation says \"%s\": %s\n%s", wanted, text(error, "message"),
                     text(error, "explanation"));
    }
}

/* What VS_print said is in the story and in the file. */
static void check_notes(struct test *t, const json_t *error, const char *scenario)
{
    char *story = json_dumps(json_object_get(error, "steps"), 0);
    for (int i = 0; i < t->expect->notes.count; i++) {
        const char *wanted = t->expect->notes.items[i];
        if (!strstr(story, wanted))
            complain(t, "the story has no note \"%s\"", wanted);
        if (!holds(scenario, wanted))
            complain(t, "%s has no note \"%s\"", scenario, wanted);
    }
    free(story);
}

/* Header, error and a line for each transition. */
void check_scenario(struct test *t, const json_t *error, const char *scenario)
{
    char *all = contents(scenario), *rest = all, *line;
    long steps = 0;
    if (strncmp(all, "verisoft-path 1\n", 16))
        complain(t, "%s does not begin with its version", scenario);
    char *header = make("\nerror: %s at depth %ld: ", text(error, "kind"), number(error, "depth"));
    if (!strstr(all, header))
        complain(t, "%s does not name its error", scenario);
    while ((line = strsep(&rest, "\n")))
        steps += *line >= '1' && *line <= '9';
    if (steps != number(error, "depth"))
        complain(t, "%s has %ld transitions; the error is at depth %ld", scenario, steps, number(error, "depth"));
    free(header);
    free(all);
}

/* The very same command and file, and it ended as it should. */
static bool was_replayed(const struct replays *r, const char *line, const char *file)
{
    for (int i = 0; i < r->count; i++)
        if (!strcmp(r->items[i].line, line) && !strcmp(r->items[i].file, file))
            return true;
    return false;
}

static void replay(struct test *t, const json_t *error, const char *line, const char *file)
{
    struct replays *r = t->replays;
    int before = t->failures, status = shell(line), expected = is_limit(t->expect) ? 3 : 1;
    if (status != expected)
        complain(t, "exit status %d of the replay, expected %d: %s", status, expected, line);
    if (strcmp(text(error, "kind"), "nondeterminism") && !tells("out", text(error, "message")))
        complain(t, "the replay does not say '%s': %s", text(error, "message"), line);
    if (t->failures == before && r->count < MANY)
        r->items[r->count++] = (struct replay){ strdup(line), strdup(file) };
}

/* Types what the report says to type: the same error must come. What is compiled for it is so once; the executable of the same source is
 * replayed with all its flags. */
void check_replay(struct test *t, const struct way *w, const json_t *error)
{
    bool source = w && !strcmp(w->label, "auto"), once = source && t->replays->of_source;
    char *report = contents("out"), *file = contents(text(error, "scenario")), *line = strstr(report, "see it happen:  ");
    if (line) {
        line += strlen("see it happen:  ");
        line[strcspn(line, "\n")] = '\0';
        if (!once && !was_replayed(t->replays, line, file))
            replay(t, error, line, file);
        t->replays->of_source |= source;
    } else {
        complain(t, "the report does not say how to replay the error");
    }
    free(file);
    free(report);
}

void check_error(struct test *t, const struct way *w, const json_t *error)
{
    const struct expect *e = t->expect;
    const char *kind = text(error, "kind"), *scenario = text(error, "scenario");
    if (!expected_kind(e, kind))
        return complain(t, "the error is of kind %s; expected %s", kind, e->verdict);
    check_location(t, error);
    check_scenario(t, error, scenario);
    if (strcmp(kind, e->verdict))
        return;
    check_depth(t, w, number(error, "depth"));
    if (e->process >= 0 && number(error, "process") != e->process)
        complain(t, "the error is of process %ld; expected %ld", number(error, "process"), e->process);
    check_words(t, error);
    check_notes(t, error, scenario);
}

/* No error, and the first limit is the one that is expected. Found by every path that comes there, it is told once. */
void check_limit(struct test *t, const struct way *w)
{
    const json_t *limits = json_object_get(t->report, "unsupported"), *limit = json_array_get(limits, 0), *other;
    size_t i, k;
    if (json_array_size(json_object_get(t->report, "errors")))
        return complain(t, "errors; expected none");
    if (!limit)
        return complain(t, "nothing is unsupported");
    check_location(t, limit);
    check_depth(t, w, number(limit, "depth"));
    check_words(t, limit);
    if (t->expect->process >= 0 && number(limit, "process") != t->expect->process)
        complain(t, "it is process %ld; expected %ld", number(limit, "process"), t->expect->process);
    if (!*text(limit, "function") || number(limit, "paths") < 1)
        complain(t, "the function is '%s', paths %ld", text(limit, "function"), number(limit, "paths"));
    if (strncmp(text(limit, "scenario"), "unsupported", 11))
        complain(t, "the scenario is %s", text(limit, "scenario"));
    json_array_foreach(limits, i, limit)
        json_array_foreach(limits, k, other)
            if (i < k && !strcmp(text(limit, "function"), text(other, "function"))
                && !strcmp(text(limit, "location"), text(other, "location")))
                complain(t, "%s at %s is there twice", text(limit, "function"), text(limit, "location"));
    check_replay(t, w, json_array_get(limits, 0));
}

void check_first(struct test *t, const struct way *w)
{
    const json_t *errors = json_object_get(t->report, "errors");
    if (json_array_size(errors) < 1)
        return complain(t, "no error was found; expected %s", t->expect->verdict);
    check_error(t, w, json_array_get(errors, 0));
    check_replay(t, w, json_array_get(errors, 0));
}

/* ---- of a search to its end ---- */

void check_tally(struct test *t)
{
    const json_t *error;
    size_t i;
    for (int k = 0; k < t->expect->error_count; k++) {
        long found = 0;
        json_array_foreach(json_object_get(t->report, "errors"), i, error)
            found += !strcmp(text(error, "kind"), t->expect->errors[k].kind);
        if (found != t->expect->errors[k].value)
            complain(t, "%ld errors of kind %s; expected %ld", found, t->expect->errors[k].kind, t->expect->errors[k].value);
    }
    json_array_foreach(json_object_get(t->report, "errors"), i, error)
        if (!expected_kind(t->expect, text(error, "kind")))
            complain(t, "an error of kind %s", text(error, "kind"));
}

/* What is stated of stateful is true of bfs too. */
void check_counts(struct test *t, const struct way *w)
{
    for (int i = 0; i < t->expect->count_count; i++) {
        const struct count *c = &t->expect->counts[i];
        bool stated = !strcmp(c->search, w->label) || (!strcmp(c->search, "stateful") && !strcmp(w->label, "bfs"));
        bool layered = !strcmp(w->search, "iterative") && !strcmp(c->what, "depth_cut");
        if (stated && !layered && number(t->report, c->what) != c->value)
            complain(t, "%ld %s; expected %ld", number(t->report, c->what), c->what, c->value);
    }
}

void check_local(struct test *t)
{
    const json_t *local = json_object_get(t->report, "local_states");
    bool same = (int)json_array_size(local) == t->expect->local_count;
    for (int i = 0; same && i < t->expect->local_count; i++)
        same = json_integer_value(json_array_get(local, (size_t)i)) == t->expect->local[i];
    char *are = json_dumps(local, 0);
    if (!same)
        complain(t, "the local states are %s", are);
    free(are);
}

/* No reduction explores more than none. */
void check_reduced(struct test *t, const struct way *w)
{
    long transitions = number(t->report, "transitions");
    if (!strcmp(w->search, "dfs") && !strcmp(w->reduction, "none"))
        t->unreduced = transitions;
    else if (!strcmp(w->search, "dfs") && t->unreduced >= 0 && transitions > t->unreduced)
        complain(t, "%ld transitions; without reduction there are %ld", transitions, t->unreduced);
}

/* ---- the two ways of going back ---- */

static const char *const same[] = { "states", "transitions", "executions", "sleep_cut", "depth_cut", "max_depth", NULL };

static char *kinds_of(const json_t *report)
{
    const json_t *error;
    size_t i;
    char *all = strdup("");
    json_array_foreach(json_object_get(report, "errors"), i, error) {
        char *more = make("%s %s at depth %ld;", all, text(error, "kind"), number(error, "depth"));
        free(all);
        all = more;
    }
    return all;
}

/* Memory that is put back, and a program that is started again, must give the same report. */
void compare_ways(struct test *t, const json_t *put_back)
{
    for (int i = 0; same[i]; i++)
        if (number(put_back, same[i]) != number(t->report, same[i]))
            complain(t, "%ld %s; without --restart %ld", number(t->report, same[i]), same[i], number(put_back, same[i]));
    char *before = kinds_of(put_back), *after = kinds_of(t->report);
    if (strcmp(before, after))
        complain(t, "errors:%s without --restart:%s", after, before);
    if (strcmp(text(put_back, "result"), text(t->report, "result")))
        complain(t, "%s; without --restart %s", text(t->report, "result"), text(put_back, "result"));
    if (number(t->report, "restores") != 0)
        complain(t, "memory was put back %ld times", number(t->report, "restores"));
    free(before);
    free(after);
}
