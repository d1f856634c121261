/* The certify command: follow a certificate, believing nothing.
 * SPDX-License-Identifier: MIT */
#include "certifier/say.h"
#include "certifier/tree_file.h"

#include "base/file.h"
#include "cli/evidence.h"
#include "cli/parts.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "base/prose.h"
#include "properties/invariant.h"
#include "report/scenario.h"
#include "report/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct certify_command {
    struct plan          plan;
    struct script       *script;     /* NULL: it is a tree, or cannot be read */
    struct tree_file    *tree;
    struct certification certification;
    struct fields        evidence;
    struct words         added;      /* invariants of the certificate that were not asked for */
    char                *scenario;
    bool                 progress;
};

static void progress(void *self, uint64_t transitions, uint64_t of)
{
    struct certify_command *c = self;
    if (c->progress)
        fprintf(stderr, "\r\033[K%s of %s transitions", say_number(transitions).text, say_number(of).text);
}

/* ---- telling ---- */

static const struct fields *fields_of(const struct certify_command *c)
{
    return c->tree ? tree_fields(c->tree) : script_fields(c->script);
}

static struct certify_report report_of(const struct certify_command *c)
{
    struct rusage usage;
    const struct settings *s = &c->plan.request.settings;
    bool cut = c->certification.result == CERTIFY_CUT;
    getrusage(RUSAGE_SELF, &usage);
    return (struct certify_report){
        .program = c->plan.name, .certificate = c->plan.request.scenario, .self = c->plan.self, .options = c->plan.options,
        .arguments = c->plan.arguments, .fields = c->script || c->tree ? fields_of(c) : NULL, .script = c->script, .tree = c->tree, .certification = &c->certification, .trustful = s->values[OPTION_trustful].number,
        .ignore_deadlock = s->values[OPTION_ignore_deadlock].number, .invariants = c->plan.invariants, .scenario = c->scenario,
        .variables = c->plan.visible ? c->plan.visible->count : 0,
        .stopped_by = cut ? search_stop_names[search_stopped_by(signals_interrupt())] : NULL, .memory_kb = (uint64_t)usage.ru_maxrss,
    };
}

static int write_json(const void *report, FILE *out) { return say_json(out, report); }

static int tell(const struct certify_command *c, struct err *err)
{
    const struct settings *s = &c->plan.request.settings;
    const char *json = s->values[OPTION_json].text, *page = s->values[OPTION_report].text;
    bool only_json = json && !strcmp(json, "-");
    struct certify_report r = report_of(c);
    struct look look = terminal_look(s);
    int bad = 0;
    if (!only_json && !s->values[OPTION_quiet].number)
        say_text(stdout, &r, look.width, look.colour);
    if (only_json)
        bad = say_json(stdout, &r) ? fail_errno(err, "standard output: the report cannot be written") : 0;
    else if (json)
        bad = file_write(json, "the report", write_json, &r, err);
    if (!bad && page)
        bad = file_write(page, "the report", say_page, &r, err);
    fflush(stdout);
    return bad;
}

static void save_scenario(struct certify_command *c)
{
    struct err err;
    const char *stem = c->certification.result == CERTIFY_REJECTED ? "rejected" : "error";
    if (!c->certification.path_there)
        return;
    c->scenario = scenario_save(&c->plan.job, stem, &c->certification.path, &err);
    if (!c->scenario)
        fprintf(stderr, "verisoft: %s\n", err.text);
}

/* ---- all ---- */

static int status(const struct certify_command *c)
{
    switch (c->certification.result) {
    case CERTIFY_CERTIFIED: return EXIT_COMPLETE;
    case CERTIFY_REJECTED:
    case CERTIFY_ERRORS:    return EXIT_ERRORS;
    case CERTIFY_CUT:       break;
    }
    return search_stopped_by(signals_interrupt()) == STOPPED_INTERRUPT ? EXIT_INTERRUPTED : EXIT_INCOMPLETE;
}

/* A file that cannot be read as a script is rejected as one that lies; what is no certificate at all is unusable. */
static void reject_file(struct certify_command *c, const struct err *err)
{
    c->certification.result = CERTIFY_REJECTED;
    c->certification.message = prose_make("%s: %s", c->plan.request.scenario, err->text);
}

/* The producer's are checked as well as our own. */
static int add_invariants(struct certify_command *c, struct err *err)
{
    struct invariants **all = &c->plan.invariants;
    struct err why;
    const char *text;
    for (uint32_t i = 0; (text = fields_get(fields_of(c), "invariant", i)); i++) {
        bool known = false;
        for (uint32_t j = 0; *all && j < invariants_count(*all); j++)
            known |= !strcmp(text, invariants_text(*all, j));
        if (!*all)
            *all = invariants_new();
        if (!known)
            words_add(&c->added, text);
        if (!known && invariants_add(*all, text, &why))
            return fail(err, "%s: an invariant of the certificate cannot be read: %.300s", c->plan.request.scenario, why.text);
    }
    if (*all && invariants_of_transitions(*all) && c->plan.request.settings.values[OPTION_trustful].number)
        return fail(err, "--trustful: not every transition is taken then, and an invariant with next() is about all of them");
    return 0;
}

/* What the header says of reads and writes decides only what is seen of them: with more variables in the list more is looked at, and with fewer
 * the program itself tells. */
static int see_accesses(struct certify_command *c, struct err *err)
{
    struct job *job = &c->plan.job;
    const char *instrument = fields_get(fields_of(c), "instrument", 0), *executable = NULL;
    bool watched = instrument && !strcmp(instrument, "1") && job->watched;
    int bad = watched ? job->watched(job->watched_arg, &executable, err) : 0;
    if (bad)
        return bad;
    if (watched && !executable)
        return fail(err, "%s: was made with a compiler that tells of reads and writes (--instrument 1), and this one cannot", c->plan.request.scenario);
    job->native.executable = watched ? executable : job->native.executable;
    bool read = !shared_read(&job->native, fields_get(fields_of(c), "shared", 0), "its header", err);
    return read ? 0 : -EBADMSG;
}

/* ---- in parts ---- */

static struct parts_request in_parts(struct certify_command *c)
{
    const struct settings *s = &c->plan.request.settings;
    int jobs = (int)s->values[OPTION_jobs].number;
    return (struct parts_request){
        .plan = &c->plan, .tree = c->tree, .invariants = &c->added, .jobs = jobs, .progress = progress, .progress_arg = c,
        .tasks = settings_given(s, OPTION_tasks) ? (uint32_t)s->values[OPTION_tasks].number : 4 * (uint32_t)jobs,
    };
}

/* --parts: says how to go on. */
static int write_parts(struct certify_command *c, const char *folder, struct err *err)
{
    struct parts_request request = in_parts(c);
    struct partition parts;
    const struct settings *s = &c->plan.request.settings;
    int bad = parts_write(&request, folder, &parts, err);
    if (bad || s->values[OPTION_quiet].number)
        return bad;
    char *rest = prose_make("%s%s%s", s->values[OPTION_trustful].number ? " --trustful" : "", *c->plan.arguments ? " -- " : "", c->plan.arguments);
    printf("%s/1.part to %u.part, each %s transitions at most, %s steps from the first state at most, %s on average.\n"
           "Follow each, on whatever machine:\n"
           "    verisoft certify %s %s/1.part%s\n"
           "and then, where the files 1.json, 1.map and so on are, too:\n"
           "    verisoft certify %s %s --merge %s%s\n",
           folder, parts.count, say_number(parts.largest).text, say_number(parts.path).text, say_number(parts.paths / parts.count).text, c->plan.name, folder, rest, c->plan.name, c->plan.request.scenario, folder, rest);
    free(rest);
    return 0;
}

static bool is_in_parts(const struct certify_command *c)
{
    const struct settings *s = &c->plan.request.settings;
    if (!settings_given(s, OPTION_tasks) && s->values[OPTION_jobs].number < 2 && !settings_given(s, OPTION_cluster))
        return false;
    char *other = certify_other_program(fields_of(c), &c->evidence);
    free(other);                     /* of another program it is to be told what that does instead: from the start */
    return !other;
}

/* DIR/3.part: DIR/3.map, DIR/3.json, unless they are named otherwise. */
static void name_beside(struct certify_command *c, enum option_id id, const char *ending)
{
    struct value *value = &c->plan.request.settings.values[id];
    const char *part = c->plan.request.scenario;
    if (!value->text)
        value->text = prose_make("%.*s%s", (int)(strlen(part) - strlen(".part")), part, ending);
}

static int check_part(struct certify_command *c, struct err *err)
{
    bool part = c->tree ? tree_start(c->tree) != NULL : script_start(c->script) != NULL;
    const char *file = c->plan.request.scenario;
    size_t length = strlen(file);
    if (c->plan.request.settings.values[OPTION_map].text && !part)
        return fail(err, "--map: is about a part of a certificate, and %s is a whole one", file);
    if (!part)
        return 0;
    if (length < 5 || strcmp(file + length - 5, ".part"))
        return fail(err, "%s: is a part of a certificate, and its name does not end in .part", file);
    name_beside(c, OPTION_map, ".map");
    name_beside(c, OPTION_json, ".json");
    return 0;
}

/* ---- following ---- */

/* Of a reduced search only this can be asked. */
static int check_tree(const struct certify_command *c, struct err *err)
{
    const struct value *values = c->plan.request.settings.values;
    const char *file = c->plan.request.scenario;
    if (values[OPTION_trustful].number)
        return fail(err, "--trustful: %s is of a reduced search; of such a one there is nothing that could be believed and something that could be "
                    "checked", file);
    if (values[OPTION_parts].text || values[OPTION_merge].text)
        return fail(err, "%s: is of a reduced search, whose parts are followed here alone: use -j", file);
    return 0;
}

static int check_kind(const struct certify_command *c, struct err *err)
{
    if (c->tree)
        return check_tree(c, err);
    if (script_kind(c->script) == SCRIPT_SEARCH || c->plan.request.settings.values[OPTION_trustful].number)
        return 0;
    return fail(err, "%s: is a certificate for somebody who believes it: it has only the transitions that lead to new states. Ask for one "
                "that is made without --trustful, or certify with --trustful", c->plan.request.scenario);
}

/* By this command. */
static int follow_here(struct certify_command *c, struct err *err)
{
    const struct settings *s = &c->plan.request.settings;
    const char *map = s->values[OPTION_map].text;
    struct certify_settings settings = {
        .interrupt = signals_interrupt(), .evidence = &c->evidence,
        .trustful = s->values[OPTION_trustful].number, .ignore_deadlock = s->values[OPTION_ignore_deadlock].number,
        .program = c->plan.name, .progress = progress, .progress_arg = c, .tree = c->tree,
    };
    struct certify_program program = { c->plan.job.native, &c->plan.structure, c->plan.invariants, false };
    if (map && !settings.trustful && !(settings.map = fopen(map, "w+e")))
        return fail_errno(err, "--map %s: cannot be written", map);
    int bad = certify_program(&settings, &program, c->script, &c->certification, err);
    if (settings.map && (ferror(settings.map) | fclose(settings.map)) && !bad)
        bad = fail_errno(err, "--map %s: cannot be written", map);
    return bad;
}

static int follow_parts(struct certify_command *c, const struct parts_request *request, struct err *err)
{
    int bad = parts_certify(request, c->script, &c->certification, err);
    if (bad != -EAGAIN)
        return bad;
    certification_fini(&c->certification);       /* only the whole tells */
    return follow_here(c, err);
}

static int follow(struct certify_command *c, struct err *err)
{
    const struct settings *s = &c->plan.request.settings;
    struct parts_request request = in_parts(c);
    const char *merge = s->values[OPTION_merge].text;
    int bad = evidence(&c->plan, &c->evidence, err);
    c->progress = terminal_for_progress(s);
    if (!bad)
        bad = add_invariants(c, err);
    if (!bad && c->tree && c->plan.invariants)
        bad = fail(err, "--invariant: %s is of a reduced search, which leaves out states; ask for a certificate of --search stateful",
                   c->plan.request.scenario);
    if (!bad)
        bad = merge ? parts_merge(&request, merge, c->script, &c->certification, err)
            : is_in_parts(c) ? follow_parts(c, &request, err)
            : follow_here(c, err);
    if (c->progress)
        fputs("\r\033[K", stderr);
    bool cut = bad == -EINTR && search_stopped_by(signals_interrupt());
    return cut ? 0 : bad;
}

static int follow_and_tell(struct certify_command *c, int *code, struct err *err)
{
    int failed = follow(c, err);
    if (failed)
        return failed;
    save_scenario(c);
    failed = tell(c, err);
    *code = status(c);
    return failed;
}

/* The header says of which kind it is. */
static int open_certificate(struct certify_command *c, struct err *err)
{
    const char *file = c->plan.request.scenario;
    if (tree_recognise(file))
        c->tree = tree_open(file, err);
    else
        c->script = script_open(file, err);
    return c->tree || c->script ? 0 : err_code(err);
}

static int can_tell(const struct certify_command *c, struct err *err)
{
    const struct value *values = c->plan.request.settings.values;
    int bad = file_writable(values[OPTION_json].text, "the report", err);
    return bad ? bad : file_writable(values[OPTION_report].text, "the report", err);
}

static int run(const char *self, int count, char **words)
{
    struct certify_command c = { .certification.result = CERTIFY_CUT };
    struct err err = { .text = "" };
    int code = EXIT_COMPLETE, failed = plan_make(&c.plan, &command_certify, self, count, words, &err);
    const char *parts = c.plan.request.settings.values[OPTION_parts].text;
    if (!failed)
        failed = can_tell(&c, &err);
    if (!failed)
        failed = open_certificate(&c, &err);
    if (!failed)
        failed = see_accesses(&c, &err);
    if (!failed && !(failed = check_part(&c, &err)) && !(failed = check_kind(&c, &err)))
        failed = parts ? write_parts(&c, parts, &err) : follow_and_tell(&c, &code, &err);
    if (failed == -EBADMSG) {
        reject_file(&c, &err);
        failed = tell(&c, &err);
        code = status(&c);
    }
    if (failed)
        code = command_failed(failed, &err);
    certification_fini(&c.certification);
    script_close(c.script);
    tree_close(c.tree);
    fields_fini(&c.evidence);
    words_fini(&c.added);
    free(c.scenario);
    plan_free(&c.plan);
    return code;
}

const struct command command_certify = {
    .name     = "certify",
    .synopsis = "certify PROGRAM FILE.scc [options] [-- program's arguments]",
    .summary  = "follow the certificate of a search, believing nothing of it",
    .options  = IN_CERTIFY,
    .run      = run,
    .scenario = true,
    .ending   = ".scc",
    .no_scenario = "which certificate? Type: verisoft certify PROGRAM FILE.scc",
};
