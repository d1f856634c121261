/* SPDX-License-Identifier: MIT */
#include "cli/farm_actions.h"

#include "base/file.h"
#include "base/prose.h"
#include "base/sha256.h"
#include "cli/commands.h"
#include "cli/offline.h"
#include "farm/queue.h"
#include "tasks/slurm.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

static int64_t number_of(const json_t *o, const char *key) { return (int64_t)json_number_value(json_object_get(o, key)); }

/* ---- what is printed ---- */

static int put_json(const void *report, FILE *out)
{
    return json_dumpf(report, out, JSON_INDENT(2)) || fputc('\n', out) == EOF || fflush(out) ? -EIO : 0;
}

int farm_print(const struct farm_request *r, const json_t *told, struct err *err)
{
    if (!strcmp(r->json, "-"))
        return put_json(told, stdout) ? fail(err, "standard output: the report cannot be written") : 0;
    return file_write(r->json, "the report", put_json, told, err);
}

/* With --json to there, else in words. Takes; NULL is a failure. */
static int show(struct farm_context *c, json_t *told, void (*in_words)(const struct farm_context *, const json_t *), struct err *err)
{
    int bad = told ? 0 : -EINVAL;
    assert(told || *err->text);
    if (told && c->request->json)
        bad = farm_print(c->request, told, err);
    else if (told)
        in_words(c, told);
    json_decref(told);
    return bad;
}

static char *moment(double when)
{
    char text[40] = "";
    time_t seconds = (time_t)when;
    struct tm local;
    if (when > 0 && localtime_r(&seconds, &local))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
    return prose_make("%s", text);
}

void farm_say(const struct farm_context *c, const json_t *told)
{
    static const char *const states[] = { "pending", "running", "verified", "failed" };
    json_t *p;
    size_t i;
    int counts[4] = { 0 };
    (void)c;
    json_array_foreach(json_object_get(told, "properties"), i, p) {
        const char *words = *text_of(p, "words") ? text_of(p, "words") : *text_of(p, "why") ? text_of(p, "why") : text_of(p, "says");
        bool waits = number_of(p, "waiting") && strcmp(text_of(p, "state"), "running");
        printf("%-20s %-9s %-10s %s%s%s\n", text_of(p, "name"), text_of(p, "state"), text_of(p, "identifier"), waits ? "(queued) " : "",
               !strcmp(text_of(p, "verdict"), "vacuous") ? "vacuous: " : "", words);
        for (int s = 0; s < 4; s++)
            counts[s] += !strcmp(states[s], text_of(p, "state"));
    }
    printf("\n%d pending, %d running, %d verified, %d failed\n", counts[0], counts[1], counts[2], counts[3]);
    if (*text_of(json_object_get(told, "harness"), "wrong"))
        printf("the harness cannot be used now: %s\n", text_of(json_object_get(told, "harness"), "wrong"));
}

static int act_list(struct farm_context *c, int *status, struct err *err)
{
    (void)status;
    return show(c, view_list(&c->farm, &c->request->filter, err), farm_say, err);
}

static void say_trail(const struct farm_context *c, const json_t *p)
{
    struct err err;
    json_t *first = json_array_get(json_object_get(p, "shown"), 0);
    json_t *t = first ? view_trail((struct farm *)&c->farm, number_of(first, "id"), &err) : NULL;
    if (t)
        printf("\n%s", text_of(t, c->request->form));
    if (t && number_of(p, "trails") > 1)
        printf("\n%lld more, which are longer: delete shows the next\n", (long long)number_of(p, "trails") - 1);
    json_decref(t);
}

static void say_property(const struct farm_context *c, const json_t *p)
{
    json_t *r;
    size_t i;
    printf("%s", *text_of(p, "text") ? text_of(p, "text") : text_of(p, "says"));
    printf("%s%s %s: %s\n", *text_of(p, "text") ? "" : "\n", text_of(p, "state"), text_of(p, "identifier"), text_of(p, "words"));
    json_array_foreach(json_object_get(p, "runs"), i, r) {
        char *when = moment(json_number_value(json_object_get(r, "started")));
        printf("  %s  %-8s %-19s %10.0f states %8.2f s  %s%s%s\n", text_of(r, "kind"), text_of(r, "state"), when, json_number_value(json_object_get(r, "states")),
               json_number_value(json_object_get(r, "seconds")), text_of(r, "identifier"), *text_of(r, "why") ? " " : "", text_of(r, "why"));
        free(when);
    }
    if (!strcmp(text_of(p, "state"), "failed"))
        say_trail(c, p);
}

static int act_show(struct farm_context *c, int *status, struct err *err)
{
    static const char *const forms[] = { "chart", "statements", "variables", "svg" };
    bool known = false;
    (void)status;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        known |= !strcmp(c->request->form, forms[i]);
    return known ? show(c, view_property(&c->farm, c->request->names.items[0], err), say_property, err)
                 : fail(err, "--form %s: there are chart, statements, variables, svg", words_shown(c->request->form).text);
}

static void say_json(const struct farm_context *c, const json_t *told)
{
    (void)c;
    put_json(told, stdout);
}

static void say_queue(const struct farm_context *c, const json_t *told)
{
    json_t *r;
    size_t i;
    (void)c;
    json_array_foreach(json_object_get(told, "open"), i, r)
        printf("%-20s %s  %-8s %s\n", text_of(r, "name"), text_of(r, "kind"), text_of(r, "state"), text_of(r, "why"));
    printf("%zu runs; %s\n", json_array_size(json_object_get(told, "open")), json_is_true(json_object_get(told, "working")) ? "a farm works on them"
           : "nobody works on them: verisoft farm HARNESS, or with --once");
}

static void say_history(const struct farm_context *c, const json_t *told)
{
    json_t *v, *p;
    size_t i, k;
    (void)c;
    json_array_foreach(told, i, v) {
        char *when = moment(json_number_value(json_object_get(v, "seen")));
        printf("%s  %.12s  %s: %lld verified, %lld failed of %lld\n", when, text_of(v, "content"), *text_of(v, "revision") ? text_of(v, "revision") : "no revision",
               (long long)number_of(v, "verified"), (long long)number_of(v, "failed"), (long long)number_of(v, "properties"));
        json_array_foreach(json_object_get(v, "changes"), k, p)
            printf("    %-20s %s -> %s\n", text_of(p, "name"), text_of(p, "before"), text_of(p, "after"));
        free(when);
    }
}

static void say_model(const struct farm_context *c, const json_t *told)
{
    json_t *w;
    size_t i;
    (void)c;
    json_array_foreach(json_object_get(json_object_get(told, "about"), "warnings"), i, w)
        puts(json_string_value(w));
}

static int act_queue(struct farm_context *c, int *s, struct err *err)    { (void)s; return show(c, view_queue(&c->farm, err), say_queue, err); }
static int act_history(struct farm_context *c, int *s, struct err *err)  { (void)s; return show(c, view_history(&c->farm, err), say_history, err); }
static int act_features(struct farm_context *c, int *s, struct err *err) { (void)s; return show(c, view_features(&c->farm, err), say_json, err); }
static int act_model(struct farm_context *c, int *s, struct err *err)    { (void)s; return show(c, view_model(&c->farm, err), say_model, err); }

/* ---- what is done ---- */

static int one_start(struct farm_context *c, int64_t p, int *n, struct err *err)  { return queue_start(&c->farm, p, QUEUE_BY_HAND, n, err); }
static int one_abort(struct farm_context *c, int64_t p, int *n, struct err *err)  { return queue_abort(&c->farm, p, n, err); }
static int one_delete(struct farm_context *c, int64_t p, int *n, struct err *err) { return queue_delete(&c->farm, p, n, err); }

static int each(struct farm_context *c, int (*one)(struct farm_context *, int64_t, int *, struct err *), const char *done, const char *not, struct err *err)
{
    int bad = 0;
    for (uint32_t i = 0; !bad && i < c->request->names.count; i++) {
        int64_t id = farm_property(&c->farm, c->request->names.items[i], err);
        int n = 0;
        bad = id ? one(c, id, &n, err) : -EINVAL;
        if (!bad)
            printf("%-20s %s\n", c->request->names.items[i], n ? done : not);
    }
    return bad;
}

static int or_all(const struct farm_context *c, struct err *err)
{
    if (c->request->all && c->request->names.count)
        return fail(err, "--all is all of them; leave out %s, or --all", words_shown(c->request->names.items[0]).text);
    return c->request->all || c->request->names.count ? 0 : fail(err, "which property? Name some, or type --all");
}

static int act_start(struct farm_context *c, int *status, struct err *err)
{
    int n = 0, bad = or_all(c, err);
    (void)status;
    if (!bad && c->request->all && !(bad = queue_start_all(&c->farm, QUEUE_AS_A_WHOLE, &n, err)))
        printf("%d queued\n", n);
    else if (!bad)
        bad = each(c, one_start, "queued", "has a verdict, or is in the queue already", err);
    if (!bad && !farm_is_taken(&c->farm))
        printf("Nobody works on the queue now: verisoft farm %s, or with --once\n", c->request->harness);
    return bad;
}

static int act_abort(struct farm_context *c, int *status, struct err *err)
{
    int n = 0, bad = or_all(c, err);
    (void)status;
    if (!bad && c->request->all && !(bad = queue_abort(&c->farm, 0, &n, err)))
        printf("%d runs aborted\n", n);
    else if (!bad)
        bad = each(c, one_abort, "aborted", "was not in the queue", err);
    return bad;
}

static int act_delete(struct farm_context *c, int *status, struct err *err)
{
    (void)status;
    return each(c, one_delete, "deleted", "has no result", err);
}

/* ---- files ---- */

static int put_text(const void *text, FILE *out) { return fputs(text, out) < 0 ? -errno : 0; }

static int act_export(struct farm_context *c, int *status, struct err *err)
{
    const char *to = c->request->names.items[0];
    char *text = edit_export(&c->farm, err);
    (void)status;
    int bad = !text ? -EINVAL : !strcmp(to, "-") ? put_text(text, stdout) : file_write(to, "the properties", put_text, text, err);
    free(text);
    return bad;
}

static void say_names(const json_t *list, const char *what)
{
    json_t *n;
    size_t i;
    json_array_foreach(list, i, n)
        printf("%-20s %s\n", json_string_value(n), what);
}

static void say_import(const struct farm_context *c, const json_t *told)
{
    json_t *x;
    size_t i;
    (void)c;
    say_names(json_object_get(told, "added"), "added");
    say_names(json_object_get(told, "changed"), "changed");
    json_array_foreach(json_object_get(told, "conflicts"), i, x)
        printf("%s: conflict\n<<<<<<< ours, in the harness\n%s=======\n%s>>>>>>> theirs, in the file\n", text_of(x, "name"), text_of(x, "ours"), text_of(x, "theirs"));
    if (json_array_size(json_object_get(told, "conflicts")))
        printf("Nothing was imported. Make both sides the same, or take one side of all: --take ours, --take theirs\n");
    else
        printf("%zu added, %zu changed, %zu as they were\n", json_array_size(json_object_get(told, "added")), json_array_size(json_object_get(told, "changed")),
               json_array_size(json_object_get(told, "same")));
}

static int act_import(struct farm_context *c, int *status, struct err *err)
{
    char *text = file_text(c->request->names.items[0], "the file of properties", err);
    json_t *report = text ? edit_import(&c->farm, text, c->request->take, err) : NULL;
    if (report && json_array_size(json_object_get(report, "conflicts")))
        *status = EXIT_ERRORS;
    free(text);
    return show(c, report, say_import, err);
}

static int act_put(struct farm_context *c, int *status, struct err *err)
{
    const char *name = c->request->names.items[0];
    json_t *conflict;
    (void)status;
    char *block = file_text(c->request->names.items[1], "the property", err), *text = block ? file_text(c->farm.file, "the harness", err) : NULL;
    json_t *before = text ? store_row(c->farm.store, err, "SELECT text FROM property WHERE harness = ?1 AND name = ?2 AND gone = 0", "it", c->farm.id, name) : NULL;
    int bad = before ? edit_put(&c->farm, name, block, json_string_value(json_object_get(before, "text")), &conflict, err) : -EINVAL;
    if (before)
        json_decref(conflict);
    json_decref(before);
    free(block);
    free(text);
    return bad;
}

static int act_remove(struct farm_context *c, int *status, struct err *err)
{
    const char *name = c->request->names.items[0];
    json_t *conflict = NULL;
    (void)status;
    json_t *there = view_property(&c->farm, name, err);
    const char *text = json_string_value(json_object_get(there, "text"));
    int bad = !there ? -EINVAL : !text ? fail(err, "%s: %s is one of the default checks; write: without %s", c->farm.file, name, name)
            : edit_put(&c->farm, name, NULL, text, &conflict, err);
    json_decref(conflict);
    json_decref(there);
    return bad;
}

static int act_map(struct farm_context *c, int *status, struct err *err)
{
    (void)status;
    return edit_map(&c->farm, c->request->names.items[0], c->request->names.items[1], err);
}

const struct farm_action farm_actions[] = {
    { "list",   0, 0,  -1, act_list },   { "show",   1, 1, -1, act_show },   { "start",   0, -1, -1, act_start },   { "abort",    0, -1, -1, act_abort },
    { "delete", 1, -1, -1, act_delete }, { "export", 1, 1, 0,  act_export }, { "import",  1, 1,  0,  act_import },  { "put",      2, 2,  1,  act_put },
    { "queue",  0, 0,  -1, act_queue },  { "model",  0, 0, -1, act_model },  { "history", 0, 0,  -1, act_history }, { "features", 0, 0,  -1, act_features },
    { "remove", 1, 1,  -1, act_remove }, { "map",    2, 2, -1, act_map },    { "user",    1, 2,  -1, farm_user },
    { NULL, 0, 0, -1, NULL },
};

/* ---- who works ---- */

/* Jobs of this farm have a name of their own, by its database: what one that was killed has left is found again. */
struct crew *farm_crew(struct farm_context *c, struct err *err)
{
    const struct farm_request *r = c->request;
    if (!r->cluster && !offline_can())
        fputs("verisoft: the system refuses namespaces without a network (unshare): what the farm runs here has the network\n", stderr);
    if (!r->cluster)
        return crew_here((int)r->jobs);
    char whole[PATH_MAX];
    struct sha256 sum;
    sha256_init(&sum);
    const char *path = realpath(c->farm.database, whole) ? whole : c->farm.database;
    sha256_add(&sum, path, strlen(path));
    char *name = prose_make("verisoft-%.16s", sha256_end(&sum).text);
    const struct slurm_settings settings = { name, c->model.lent.folder, (int)r->jobs, (int)r->memory + 256 };
    struct crew *crew = crew_slurm(&settings, err);
    if (!crew)
        free(name);
    else
        c->job_name = name;
    return crew;
}

/* All nodes must see what is made: it is beside the database then, not in /tmp. */
static int open_model(struct farm_context *c, struct err *err)
{
    const char *before = getenv("TMPDIR"), *database = c->request->database ? c->request->database : c->request->harness, *slash = strrchr(database, '/');
    char *kept = before ? prose_make("%s", before) : NULL, *folder = slash ? prose_make("%.*s", (int)(slash - database) + 1, database) : prose_make(".");
    if (c->request->cluster)
        setenv("TMPDIR", folder, 1);
    int bad = farm_model_open(&c->model, err);
    if (c->request->cluster && kept)
        setenv("TMPDIR", kept, 1);
    else if (c->request->cluster)
        unsetenv("TMPDIR");
    free(kept);
    free(folder);
    return bad;
}

/* ---- all ---- */

static int act(struct farm_context *c, int *status, struct err *err)
{
    const struct farm_action *a = c->request->action;
    int given = (int)c->request->names.count;
    bool changed;
    if (a && (given < a->least || (a->most >= 0 && given > a->most)))
        return fail(err, "farm HARNESS %s: %s", a->name, given < a->least ? "something is missing behind it (verisoft farm --help)" : "there is too much behind it");
    int bad = farm_open(&c->farm, c->request->harness, c->request->database, &c->model.lent, err);
    if (bad)
        return bad;
    bad = farm_look(&c->farm, &changed, err);
    assert(bad || (c->farm.about && c->farm.version));
    return bad ? bad : a ? a->act(c, status, err) : (c->request->once ? farm_once : farm_page)(c, status, err);
}

int farm_act(const struct farm_request *r)
{
    struct farm_context c = { .request = r, .farm.lock = -1 };
    struct err err;
    int status = EXIT_COMPLETE, bad = open_model(&c, &err);
    if (!bad) {
        bad = act(&c, &status, &err);
        farm_close(&c.farm);
    }
    farm_model_close(&c.model);
    free(c.job_name);
    return bad ? command_failed(bad, &err) : status;
}
