/* SPDX-License-Identifier: MIT */
#include "cli/parts.h"

#include "base/memory.h"
#include "base/prose.h"
#include "certifier/merge.h"
#include "certifier/partition.h"
#include "certifier/tree_part.h"
#include "cli/signals.h"
#include "tasks/slurm.h"
#include "tasks/tasks.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 3 };

struct division {
    const struct parts_request *request;
    const struct script        *script;
    struct certification       *out;
    const char                 *folder;      /* where the parts are, and what came of them */
    struct words               *commands;
    struct task                *tasks;
    uint32_t                    count;
    struct merge                merge;
    struct tree_merge           tree_merge;
    struct err                  err;         /* of a part that could not be followed, or of maps that differ */
    int                         failed;
};

static char *file_of(const struct division *p, uint32_t part, const char *what)
{
    assert(p->folder && (part < p->count || !p->count));
    return partition_file(p->folder, part, what);
}

static void add_file(struct words *w, const char *option, char *file)    /* takes the name */
{
    words_add(w, option);
    words_add(w, file);
    free(file);
}

/* ---- the command ---- */

static void add_switch(struct words *w, const struct settings *s, enum option_id id, const char *option)
{
    if (s->values[id].number)
        words_add_format(w, "%s=1", option);
}

static void make_command(const struct division *p, uint32_t part)
{
    const struct plan *plan = p->request->plan;
    const struct settings *s = &plan->request.settings;
    struct words *w = &p->commands[part];
    char self[4096] = "", *file = file_of(p, part, "part");
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    words_add(w, length > 0 ? self : "/proc/self/exe");
    words_add(w, "certify");
    words_add(w, plan->job.native.executable);
    words_add(w, file);
    free(file);
    words_add_all(w, &plan->request.repeated);
    for (uint32_t i = 0; i < p->request->invariants->count; i++)
        words_add_format(w, "--invariant=%s", p->request->invariants->items[i]);
    add_switch(w, s, OPTION_ignore_deadlock, "--ignore-deadlock");
    add_switch(w, s, OPTION_restart, "--restart");
    if (s->values[OPTION_trustful].number)
        words_add(w, "--trustful");
    words_add(w, "--quiet");
    add_file(w, "--map", file_of(p, part, "map"));
    add_file(w, "--json", file_of(p, part, "json"));
    add_file(w, "--output", file_of(p, part, "out"));
    words_add(w, "--");
    words_add_all(w, &plan->request.arguments);
}

/* ---- what came of it ---- */

static uint64_t number_in(json_t *report, const char *name)
{
    json_t *value = json_object_get(report, name);
    return json_is_integer(value) ? (uint64_t)json_integer_value(value) : 0;
}

static const char *text_in(json_t *report, const char *name)
{
    const char *text = json_string_value(json_object_get(report, name));
    return text ? text : "";
}

static uint64_t all_transitions(const struct division *p)
{
    return p->request->tree ? tree_transitions(p->request->tree) : script_transitions(p->script);
}

static void add_counts(struct certification *c, json_t *report)
{
    uint64_t depth = number_in(report, "max_depth"), kept = number_in(report, "fingerprints_kept");
    c->states += number_in(report, "states");
    c->transitions += number_in(report, "transitions");
    c->entries += number_in(report, "entries");
    c->executions += number_in(report, "executions");
    c->sleep_cut += number_in(report, "sleep_cut");
    c->races += number_in(report, "races");
    c->native.transitions += number_in(report, "native_transitions");
    c->native.starts += number_in(report, "native_starts");
    c->processes = (int)number_in(report, "processes") > c->processes ? (int)number_in(report, "processes") : c->processes;
    c->depth = depth > c->depth ? depth : c->depth;
    c->kept = kept > c->kept ? kept : c->kept;
}

/* What another command of ours has written. */
static enum found_kind kind_of(const char *name)
{
    for (int k = FOUND_NOTHING + 1; k < FOUND_KIND_COUNT; k++)
        if (!strcmp(name, wrong_names[k]))
            return k;
    return FOUND_STRUCTURE;
}

static void take_path(struct division *p, const char *folder, const char *scenario)
{
    struct certification *c = p->out;
    struct err err;
    char *file = prose_make("%s/%s", folder, scenario);
    c->path_there = *scenario && !path_read(&c->path, strchr(scenario, '/') ? scenario : file, &err);
    free(file);
    if (!c->path_there)
        return;
    free(c->path.program);           /* a part is told of the executable alone */
    c->path.program = prose_make("%s", p->request->plan->name);
}

static void take_error(struct division *p, uint32_t part, json_t *report)
{
    struct certification *c = p->out;
    json_t *lie = json_object_get(report, "veracity_error"), *wrong = json_array_get(json_object_get(report, "errors"), 0);
    json_t *what = json_is_object(lie) ? lie : wrong;
    char *folder = file_of(p, part, "out");
    c->result = json_is_object(lie) ? CERTIFY_REJECTED : CERTIFY_ERRORS;
    c->entry = number_in(what, p->request->tree ? "execution" : "entry");
    c->state = number_in(what, "state");
    c->message = prose_make("%s", text_in(what, "message"));
    c->kind = json_is_object(lie) ? FOUND_NOTHING : kind_of(text_in(what, "kind"));
    c->process = (int)number_in(what, "process");
    take_path(p, folder, text_in(what, "scenario"));
    free(folder);
}

static void reject(struct division *p, uint64_t entry, uint64_t state)
{
    assert(!p->out->message && p->err.text[0]);
    p->out->result = CERTIFY_REJECTED;
    p->out->message = prose_make("%s", p->err.text);
    p->out->entry = entry;
    p->out->state = state;
}

static void compare_map(struct division *p, uint32_t part)
{
    char *map = file_of(p, part, "map");
    int rc = p->request->tree ? tree_merge_add(&p->tree_merge, map, &p->err) : merge_add(&p->merge, map, &p->err);
    if (rc == -EBADMSG)
        reject(p, 0, 0);
    else if (rc < 0)
        p->failed = rc;
    free(map);
}

static bool is_trustful(const struct division *p) { return p->request->plan->request.settings.values[OPTION_trustful].number; }

/* What the command of a part has reported. */
static void take_report(struct division *p, uint32_t part, json_t *report)
{
    assert(!p->out->message && !p->failed);
    add_counts(p->out, report);
    if (strcmp(text_in(report, "result"), "certified"))
        take_error(p, part, report);
    else if (!is_trustful(p))
        compare_map(p, part);
    if (p->request->progress)
        p->request->progress(p->request->progress_arg, p->out->transitions, all_transitions(p));
}

/* False: there is a verdict, or no way to one. */
static bool part_ended(void *self, uint32_t part, uint32_t done)
{
    struct division *p = self;
    const struct task *t = &p->tasks[part];
    char *file = file_of(p, part, "json");
    json_t *report = t->status == EXIT_COMPLETE || t->status == EXIT_ERRORS ? json_load_file(file, 0, NULL) : NULL;
    (void)done;
    free(file);
    if (report)
        take_report(p, part, report);
    else
        p->failed = fail(&p->err, "part %u could not be followed: %.500s", part + 1, t->said ? t->said : "it ended without a word");
    json_decref(report);
    return !p->failed && !p->out->message;
}

/* ---- all ---- */

static int run(struct division *p, struct err *err)
{
    const char *cluster = p->request->plan->request.settings.values[OPTION_cluster].text;
    char name[60];
    snprintf(name, sizeof name, "verisoft-certify-%d-%ld", (int)getpid(), (long)time(NULL));
    const struct slurm_settings on_slurm = { name, p->request->plan->scratch.folder, p->request->jobs, 0 };
    if (cluster && strcmp(cluster, "slurm"))
        return fail(err, "--cluster %.60s: there is slurm", cluster);
    struct crew *crew = cluster ? crew_slurm(&on_slurm, err) : NULL;
    if (cluster && !crew)
        return -EINVAL;
    struct tasks_settings settings = { .crew = crew, .jobs = p->request->jobs, .tries = TRIES, .interrupt = signals_interrupt(), .ended = part_ended,
                                       .self = p };
    p->commands = memory_get(p->count * sizeof *p->commands);
    p->tasks = memory_get(p->count * sizeof *p->tasks);
    for (uint32_t i = 0; i < p->count; i++) {
        make_command(p, i);
        p->tasks[i].command = p->commands[i].items;
    }
    int rc = tasks_run(p->tasks, p->count, &settings, err);
    if (rc >= 0 && p->failed) {
        *err = p->err;
        rc = p->failed;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        words_fini(&p->commands[i]);
        free(p->tasks[i].said);
    }
    free(p->commands);
    free(p->tasks);
    return rc;
}

/* The same of a tree; and is every race reversed that a part left open? */
static int conclude_tree(struct division *p, struct err *err)
{
    struct certification *c = p->out;
    const struct tree_file *tree = p->request->tree;
    assert(tree && p->count);
    c->tree = true;
    c->compared = p->tree_merge.owed_count;
    if (c->message)
        return 0;
    if (c->transitions != tree_transitions(tree) || c->executions + c->sleep_cut != tree_executions(tree))
        return fail(err, "the parts have %llu executions and %llu transitions together, the certificate %llu and %llu",
                    (unsigned long long)(c->executions + c->sleep_cut), (unsigned long long)c->transitions,
                    (unsigned long long)tree_executions(tree), (unsigned long long)tree_transitions(tree));
    if (p->tree_merge.differs || !tree_merge_agrees(&p->tree_merge)) {
        fail(err, "what the parts say has to be seen together");
        err->code = -EAGAIN;
        return -EAGAIN;
    }
    c->result = CERTIFY_CERTIFIED;
    return 0;
}

/* No two numbers may mean one state. */
static int count_states(struct division *p, struct err *err)
{
    uint64_t different;
    int rc = merge_count(&p->merge, &different, err);
    if (rc >= 0 && different != p->out->states) {
        fail(&p->err, "it has %llu numbers for states, and these are only %llu different states", (unsigned long long)p->out->states,
             (unsigned long long)different);
        reject(p, 0, 0);
    }
    return rc;
}

/* All of them followed it; did they, together, do all that it says? (The partition has seen to it; this is to be sure.) */
static int conclude(struct division *p, struct err *err)
{
    struct certification *c = p->out;
    c->states++;                     /* the first is entered by nobody */
    if (c->message)
        return 0;
    bool trustful = is_trustful(p);
    if (c->states != script_states(p->script) || (!trustful && c->transitions != script_transitions(p->script)))
        return fail(err, "the parts have %llu states and %llu transitions together, the certificate %llu and %llu", (unsigned long long)c->states,
                    (unsigned long long)c->transitions, (unsigned long long)script_states(p->script),
                    (unsigned long long)script_transitions(p->script));
    c->result = CERTIFY_CERTIFIED;
    return trustful ? 0 : count_states(p, err);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int cut(const struct parts_request *request, const char *folder, bool evidence, struct partition *cut, struct err *err)
{
    *cut = (struct partition){ .file = request->plan->request.scenario, .folder = folder, .evidence = evidence, .count = request->tasks };
    return request->tree ? tree_partition(cut->file, folder, &cut->count, err) : partition(cut, err);
}

static void end(struct division *p, double begun)
{
    p->out->parts = p->count;
    if (!p->request->tree)
        p->out->compared = p->merge.compared;
    p->out->seconds = now() - begun;
    merge_fini(&p->merge);
    tree_merge_fini(&p->tree_merge);
}

int parts_certify(const struct parts_request *request, const struct script *script, struct certification *out, struct err *err)
{
    struct plan *plan = request->plan;
    struct division p = { .request = request, .script = script, .out = out };
    struct partition parts;
    double begun = now();
    *out = (struct certification){ .result = CERTIFY_CUT };
    int rc = plan->scratch.folder[0] ? 0 : scratch_open(&plan->scratch, err);
    if (rc < 0)
        return rc;
    p.folder = plan->scratch.folder;
    rc = cut(request, p.folder, false, &parts, &p.err);
    p.count = parts.count;
    if (rc == -EBADMSG) {
        reject(&p, parts.entry, parts.state);
        return 0;
    }
    if (rc < 0)
        *err = p.err;
    if (rc >= 0)
        rc = run(&p, err);
    if (rc >= 0)
        rc = request->tree ? conclude_tree(&p, err) : conclude(&p, err);
    end(&p, begun);
    return rc;
}

/* ---- by other machines ---- */

int parts_write(const struct parts_request *request, const char *folder, struct partition *parts, struct err *err)
{
    if (mkdir(folder, 0777) && errno != EEXIST)
        return fail_errno(err, "--parts %s: the folder cannot be made", folder);
    return cut(request, folder, true, parts, err);
}

/* Is it the report of that part of this certificate, made in the way that is asked for? */
static int check_report(const struct division *p, uint32_t part, json_t *report, const char *file, struct err *err)
{
    json_t *field;
    size_t i;
    char *wanted = prose_make("%u of %u", part + 1, p->count);
    struct fields theirs = { 0 };
    json_array_foreach(json_object_get(report, "header"), i, field)
        fields_add(&theirs, text_in(field, "name"), "%s", text_in(field, "value"));
    const char *is = fields_get(&theirs, "part", 0);
    char *other = certify_other_program(&theirs, script_fields(p->script));
    int rc = 0;
    if (!is || strcmp(is, wanted) || other)
        rc = fail(err, "%s: is not the report of part %s of this certificate; follow that part again", file, wanted);
    else if (json_is_true(json_object_get(report, "trustful")) != is_trustful(p))
        rc = fail(err, "%s: this part was followed %s --trustful, and the whole is not asked for in that way", file,
                  is_trustful(p) ? "without" : "with");
    fields_fini(&theirs);
    free(other);
    free(wanted);
    return rc;
}

static int add_report(struct division *p, uint32_t part, struct err *err)
{
    char *file = file_of(p, part, "json");
    json_t *report = json_load_file(file, 0, NULL);
    int rc = report ? check_report(p, part, report, file, err)
                    : fail(err, "%s: is not there, or no report; follow that part first: verisoft certify PROGRAM %s/%u.part", file, p->folder,
                           part + 1);
    if (!rc)
        take_report(p, part, report);
    if (!rc && p->failed)
        *err = p->err;
    json_decref(report);
    free(file);
    return rc ? rc : p->failed;
}

static int count_parts(struct division *p, struct err *err)
{
    char *first = file_of(p, 0, "part");
    struct script *script = script_open(first, err);
    const char *part = script ? fields_get(script_fields(script), "part", 0) : NULL;
    int rc = script ? 0 : err_code(err);
    if (script && (!part || sscanf(part, "1 of %u", &p->count) != 1 || !p->count))
        rc = fail(err, "%s: is not the first part of a certificate", first);
    script_close(script);
    free(first);
    return rc;
}

int parts_merge(const struct parts_request *request, const char *folder, const struct script *script, struct certification *out, struct err *err)
{
    struct division p = { .request = request, .script = script, .out = out, .folder = folder };
    double begun = now();
    *out = (struct certification){ .result = CERTIFY_CUT };
    int rc = count_parts(&p, err);
    for (uint32_t i = 0; i < p.count && rc >= 0 && !out->message; i++)
        rc = add_report(&p, i, err);
    if (rc >= 0)
        rc = conclude(&p, err);
    end(&p, begun);
    return rc;
}
