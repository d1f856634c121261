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

/* In parts: by other commands. */
static int follow_parts(struct certify_command *c, struct err *err)
{
    const struct settings *s = &c->plan.request.settings;
    int jobs = (int)s->values[OPTION_jobs].number;
    struct parts_request request = {
        .plan = &c->plan, .tree = c->tree, .invariants = &c->added, .jobs = jobs, .progress = progress, .progress_arg = c,
        .tasks = settings_given(s, OPTION_tasks) ? (uint32_t)s->values[OPTION_tasks].number : 4 * (uint32_t)jobs,
    };
    return parts_certify(&request, c->script, &c->certification, err);
}

static bool is_in_parts(const struct certify_command *c)
{
    const struct settings *s = &c->plan.request.settings;
    if (!settings_given(s, OPTION_tasks) && s->values[OPTION_jobs].number < 2)
        return false;
    char *other = certify_other_program(fields_of(c), &c->evidence);
    free(other);                     /* of another program it is to be told what that does instead: from the start */
    return !other;
}

static int check_part(struct certify_command *c, struct err *err)
{
    bool part = c->tree ? tree_start(c->tree) != NULL : script_start(c->script) != NULL, map = c->plan.request.settings.values[OPTION_map].text;
    if (part && !map)
        return fail(err, "%s: is a part of a certificate, of which nothing can be said without the others; use --tasks with the whole one",
                    c->plan.request.scenario);
    return map && !part ? fail(err, "--map: is about a part of a certificate, and %s is a whole one", c->plan.request.scenario) : 0;
}

static int follow(struct certify_command *c, struct err *err)
{
    const struct settings *s = &c->plan.request.settings;
    struct certify_settings settings = {
        .interrupt = signals_interrupt(), .evidence = &c->evidence,
        .trustful = s->values[OPTION_trustful].number, .ignore_deadlock = s->values[OPTION_ignore_deadlock].number,
        .program = c->plan.name, .progress = progress, .progress_arg = c, .tree = c->tree,
    };
    c->progress = terminal_for_progress(s);
    const char *map = s->values[OPTION_map].text;
    int bad = check_part(c, err);
    if (!bad)
        bad = evidence(&c->plan, &c->evidence, err);
    if (!bad && c->tree && settings.trustful)
        bad = fail(err, "--trustful: %s is of a reduced search; of such a one there is nothing that could be believed and something that could be "
                   "checked", c->plan.request.scenario);
    if (!bad && c->script && script_kind(c->script) == SCRIPT_TRUSTFUL && !settings.trustful)
        bad = fail(err, "%s: is a certificate for somebody who believes it: it has only the transitions that lead to new states. Ask for one "
                   "that is made without --trustful, or certify with --trustful", c->plan.request.scenario);
    if (!bad)
        bad = add_invariants(c, err);
    if (!bad && c->tree && c->plan.invariants)
        bad = fail(err, "--invariant: %s is of a reduced search, which leaves out states; ask for a certificate of --search stateful",
                   c->plan.request.scenario);
    struct certify_program program = { c->plan.job.native, &c->plan.structure, c->plan.invariants, false };
    if (!bad && map && !(settings.map = fopen(map, "we")))
        bad = fail_errno(err, "--map %s: cannot be written", map);
    bool whole = !bad && !is_in_parts(c);
    if (!bad && !whole && (bad = follow_parts(c, err)) == -EAGAIN) {
        certification_fini(&c->certification);
        whole = true;
    }
    if (whole)
        bad = certify_program(&settings, &program, c->script, &c->certification, err);
    if (settings.map && (ferror(settings.map) | fclose(settings.map)) && !bad)
        bad = fail_errno(err, "--map %s: cannot be written", map);
    if (c->progress)
        fputs("\r\033[K", stderr);
    bool cut = bad == -EINTR && search_stopped_by(signals_interrupt());
    return cut ? 0 : bad;
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

static int run(const char *self, int count, char **words)
{
    struct certify_command c = { .certification.result = CERTIFY_CUT };
    struct err err = { .text = "" };
    int code = EXIT_UNUSABLE, failed = plan_make(&c.plan, &command_certify, self, count, words, &err);
    if (!failed)
        failed = open_certificate(&c, &err);
    if (failed == -EBADMSG) {
        reject_file(&c, &err);
        failed = 0;
    } else if (failed || (failed = follow(&c, &err))) {
        code = command_failed(failed, &err);
    }
    if (!failed) {
        save_scenario(&c);
        failed = tell(&c, &err);
        code = failed ? command_failed(failed, &err) : status(&c);
    }
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
