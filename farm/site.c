/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "farm/site.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "farm/edit.h"
#include "farm/queue.h"
#include "farm/view.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct farm_site {
    struct farm  *farm;
    struct work  *work;
    struct daemon *watch;
    uint64_t      seq;
    bool          over;
    json_t       *live;              /* as it was told last */
    char         *said;              /* what is wrong with the work, as it was told last */
};

struct asked { struct farm_site *site; const json_t *request; struct err err; };

/* ---- what a request says ---- */

static const char *text_of(const struct asked *a, const char *key)
{
    return json_string_value(json_object_get(a->request, key));
}

static const char *needed(struct asked *a, const char *key)
{
    const char *text = text_of(a, key);
    if (!text)
        fail(&a->err, "the request lacks %s", key);
    return text;
}

static int64_t property_of(struct asked *a)
{
    const char *name = needed(a, "name");
    return name ? farm_property(a->site->farm, name, &a->err) : 0;
}

/* ---- each request: gives what its reply has under "value"; NULL with err ---- */

static json_t *do_list(struct asked *a)
{
    const struct view_filter by = { text_of(a, "state"), text_of(a, "feature"), text_of(a, "text"), (int)json_integer_value(json_object_get(a->request, "most")) };
    return view_list(a->site->farm, &by, &a->err);
}

static json_t *do_property(struct asked *a)
{
    const char *name = needed(a, "name");
    return name ? view_property(a->site->farm, name, &a->err) : NULL;
}

static json_t *do_trail(struct asked *a)    { return view_trail(a->site->farm, json_integer_value(json_object_get(a->request, "id")), &a->err); }
static json_t *do_model(struct asked *a)    { return view_model(a->site->farm, &a->err); }
static json_t *do_features(struct asked *a) { return view_features(a->site->farm, &a->err); }
static json_t *do_queue(struct asked *a)    { return view_queue(a->site->farm, &a->err); }
static json_t *do_history(struct asked *a)  { return view_history(a->site->farm, &a->err); }
static json_t *do_live(struct asked *a)     { return json_incref(a->site->live); }

static json_t *counted(struct asked *a, int bad, int count)
{
    a->site->seq++;
    return bad ? NULL : json_integer(count);
}

static json_t *do_start(struct asked *a)
{
    int n = 0, bad;
    int64_t id = json_is_true(json_object_get(a->request, "all")) ? -1 : property_of(a);
    if (!id)
        return NULL;
    bad = id < 0 ? queue_start_all(a->site->farm, QUEUE_AS_A_WHOLE, &n, &a->err) : queue_start(a->site->farm, id, QUEUE_BY_HAND, &n, &a->err);
    return counted(a, bad, n);
}

static json_t *do_abort(struct asked *a)
{
    int n = 0, bad;
    bool all = json_is_true(json_object_get(a->request, "all"));
    int64_t id = all ? 0 : property_of(a);
    if (!all && !id)
        return NULL;
    bad = queue_abort(a->site->farm, id, &n, &a->err);
    return counted(a, bad, n);
}

static json_t *do_delete(struct asked *a)
{
    int n = 0, bad;
    int64_t id = property_of(a);
    if (!id)
        return NULL;
    bad = queue_delete(a->site->farm, id, &n, &a->err);
    return counted(a, bad, n);
}

/* With the states that a search has reached: while one runs by what it tells, else by the last that came to its end. */
static json_t *do_automaton(struct asked *a)
{
    struct farm *f = a->site->farm;
    const char *name = needed(a, "name");
    json_t *p = name ? view_property(f, name, &a->err) : NULL, *known = json_object_get(p, "automaton"), *one;
    size_t i;
    json_array_foreach(a->site->live, i, one)
        if (p && !strcmp(json_string_value(json_object_get(one, "property")), name) && json_is_object(json_object_get(one, "automaton")))
            known = json_object_get(one, "automaton");
    json_t *drawn = json_is_object(known) ? f->lent->draw(f->lent->arg, name, known) : NULL;
    json_t *value = p ? json_pack("{s:o, s:O}", "svg", drawn ? drawn : json_null(), "automaton", known ? known : json_null()) : NULL;
    json_decref(p);
    return value;
}

static json_t *do_try(struct asked *a)
{
    const char *name = needed(a, "name"), *text = name ? needed(a, "text") : NULL;
    return text ? edit_try(a->site->farm, name, text, &a->err) : NULL;
}

/* A conflict is an answer: both texts, and nothing was written. */
static json_t *do_put(struct asked *a)
{
    const char *name = needed(a, "name");
    json_t *conflict;
    if (!name)
        return NULL;
    int bad = edit_put(a->site->farm, name, text_of(a, "text"), text_of(a, "before"), &conflict, &a->err);
    a->site->seq++;
    return conflict ? json_pack("{s:o}", "conflict", conflict) : bad ? NULL : json_object();
}

static json_t *do_map(struct asked *a)
{
    const char *left = needed(a, "left"), *right = left ? needed(a, "right") : NULL;
    int bad = right ? edit_map(a->site->farm, left, right, &a->err) : -EINVAL;
    a->site->seq++;
    return bad ? NULL : json_object();
}

static json_t *do_look(struct asked *a)
{
    bool changed;
    int bad = farm_look(a->site->farm, &changed, &a->err);
    a->site->seq++;
    return bad ? NULL : json_boolean(changed);
}

/* Only a file that the model names: statements and steps have their places there. */
static bool is_named(struct farm *f, const char *file)
{
    return store_number(f->store, "SELECT count(*) FROM harness h, json_each(h.about_json, '$.statements') s WHERE h.id = ?1 AND json_extract(s.value, '$.file') = ?2", "it", f->id, file)
        || store_number(f->store, "SELECT count(*) FROM trail t JOIN outcome o ON o.id = t.outcome JOIN property p ON p.id = o.property, json_each(t.steps_json) s"
                        " WHERE p.harness = ?1 AND substr(json_extract(s.value, '$.location'), 1, length(?2) + 1) = ?2 || ':'", "it", f->id, file);
}

static json_t *do_source(struct asked *a)
{
    const char *file = needed(a, "file");
    if (!file)
        return NULL;
    if (!is_named(a->site->farm, file)) {
        fail(&a->err, "the model has nothing of a file %.100s", file);
        return NULL;
    }
    char *text = file_text(file, "the source", &a->err);
    json_t *value = text ? json_string(text) : NULL;
    if (text && !value)
        fail(&a->err, "%s: the source is not UTF-8", file);
    free(text);
    return value;
}

static json_t *do_quit(struct asked *a)
{
    a->site->over = true;
    a->site->seq++;
    return json_true();
}

static json_t *do_requests(struct asked *a);

/* Who may only read can do what READS. To try a text out has the model's tools read it: that is for editors. */
enum effect { READS, WRITES };
static const struct { const char *name; json_t *(*act)(struct asked *); enum effect effect; } requests[] = {
    { "list", do_list, READS },           { "property", do_property, READS },     { "trail", do_trail, READS },       { "model", do_model, READS },
    { "features", do_features, READS },   { "queue", do_queue, READS },           { "history", do_history, READS },   { "live", do_live, READS },
    { "start", do_start, WRITES },        { "abort", do_abort, WRITES },          { "delete", do_delete, WRITES },    { "try", do_try, WRITES },
    { "put", do_put, WRITES },            { "map", do_map, WRITES },              { "look", do_look, WRITES },        { "source", do_source, READS },
    { "automaton", do_automaton, READS }, { "requests", do_requests, READS },     { "quit", do_quit, WRITES },
};
enum { REQUESTS = sizeof requests / sizeof *requests };

/* This table. */
static json_t *do_requests(struct asked *a)
{
    json_t *all = json_array();
    (void)a;
    for (size_t i = 0; i < REQUESTS; i++)
        json_array_append_new(all, json_pack("{s:s, s:b}", "name", requests[i].name, "writes", requests[i].effect == WRITES));
    return all;
}

/* What is not in the table does nothing, and is refused in words. */
static bool reads(void *self, const json_t *request)
{
    const char *what = json_string_value(json_object_get(request, "do"));
    (void)self;
    for (size_t i = 0; what && i < REQUESTS; i++)
        if (!strcmp(requests[i].name, what))
            return requests[i].effect == READS;
    return true;
}

static json_t *handle(void *self, json_t *request)
{
    struct asked a = { self, request, { "" , 0 } };
    const char *what = json_string_value(json_object_get(request, "do"));
    for (size_t i = 0; what && i < REQUESTS; i++)
        if (!strcmp(requests[i].name, what)) {
            json_t *value = requests[i].act(&a);
            return value ? json_pack("{s:b, s:I, s:o}", "ok", 1, "seq", (json_int_t)a.site->seq, "value", value)
                         : json_pack("{s:b, s:o}", "ok", 0, "error", json_string(a.err.text) ?: json_string("it failed, with words that are not UTF-8"));
        }
    return json_pack("{s:b, s:s}", "ok", 0, "error", "there is no such request");
}

/* ---- beside ---- */

static uint64_t seq(void *self) { return ((struct farm_site *)self)->seq; }
static bool over(void *self) { return ((struct farm_site *)self)->over; }

static void opened(void *self, const char *address)
{
    farm_say_address(((struct farm_site *)self)->farm, address);
}

static void note_live(struct farm_site *s)
{
    json_t *now = work_live(s->work);
    if (!json_equal(now, s->live))
        s->seq++;
    json_decref(s->live);
    s->live = now;
}

/* Once, until it is something else. */
static void say(struct farm_site *s, const char *wrong)
{
    if (s->said && !strcmp(s->said, wrong))
        return;
    free(s->said);
    s->said = memory_text(wrong);
    if (*wrong)
        fprintf(stderr, "verisoft: %s\n", wrong);
}

static int64_t tick(void *self)
{
    enum { OFTEN = 50, SELDOM = 250 };           /* milliseconds */
    struct farm_site *s = self;
    struct err err;
    bool news = false, looked = false;
    if (s->watch)
        watch_step(s->watch, s->farm, &looked);
    int bad = work_step(s->work, 0, &news, &err);
    say(s, bad ? err.text : "");
    if (news || looked || store_changed(s->farm->store))
        s->seq++;
    note_live(s);
    return json_array_size(s->live) ? OFTEN : SELDOM;
}

struct farm_site *farm_site_new(struct farm *f, struct work *w, struct daemon *watch)
{
    struct farm_site *s = memory_get(sizeof *s);
    *s = (struct farm_site){ .farm = f, .work = w, .watch = watch, .seq = 1, .live = json_array() };
    return s;
}

void farm_site_free(struct farm_site *s)
{
    json_decref(s->live);
    free(s->said);
    free(s);
}

struct site farm_site(struct farm_site *s)
{
    return (struct site){ .name = "the farm", .title = "VeriSoft farm", .page = "farm/", .without = "verisoft farm HARNESS --once needs none", .handle = handle, .reads = reads, .seq = seq,
                          .over = over, .tick = tick, .opened = opened, .self = s };
}
