/* The verify command: properties of a model, checked with Spin.
 * SPDX-License-Identifier: MIT */
#include "extractor/verify.h"

#include "base/file.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/words.h"
#include "cli/tryout.h"
#include "cli/workshop.h"
#include "extractor/receptions.h"
#include "extractor/tell.h"
#include "extractor/verify_ci.h"
#include "extractor/verify_json.h"
#include "base/prose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FORMS(X) X(usual) X(chart) X(statements) X(variables) X(none)
#define X(name) FORM_##name,
enum form { FORMS(X) FORM_COUNT };
#undef X
#define X(name) #name,
static const char *const forms[] = { FORMS(X) };
#undef X

struct verify_request {
    struct words           names, options, from;         /* from: the harness, or sources */
    const char            *json, *junit, *sarif, *output;
    enum form              form;
    enum unmapped          unmapped;
    int                    recursion;
    bool                   atomic, no_trial;
    const char            *self;
    struct verify_settings settings;
};

struct showing { const struct verify_request *request; struct tryout tryout; const struct extraction *x; int counts[VERDICT_COUNT]; FILE *out; struct err *err; int bad; };

/* ---- the command line ---- */

static int read_form(struct verify_request *r, const char *value, struct err *err)
{
    for (int i = 0; i < FORM_COUNT; i++)
        if (!strcmp(forms[i], value)) {
            r->form = (enum form)i;
            return 0;
        }
    return fail(err, "--form %s: there are chart, statements, variables, none", words_shown(value).text);
}

static int read_number(const char *option, const char *value, double least, double *to, struct err *err)
{
    char *end;
    *to = strtod(value, &end);
    return *value && !*end && *to >= least && *to <= 1e7 ? 0 : fail(err, "%s %s: a number of at least %g is expected", option,
                                                                   words_shown(value).text, least);
}

static int read_option(struct verify_request *r, const char *option, const char *value, struct err *err)
{
    double number;
    int bad = 0;
    if (!value)
        return fail(err, "%s: the value is missing", option);
    if (!strcmp(option, "--json"))
        r->json = value;
    else if (!strcmp(option, "--junit"))
        r->junit = value;
    else if (!strcmp(option, "--sarif"))
        r->sarif = value;
    else if (!strcmp(option, "--output"))
        r->output = value;
    else if (!strcmp(option, "--form"))
        return read_form(r, value, err);
    else if (!strcmp(option, "--memory") && !(bad = read_number(option, value, 16, &number, err)))
        r->settings.memory = (int)number;
    else if (!strcmp(option, "--recursion") && !(bad = read_number(option, value, 1, &number, err)))
        r->recursion = (int)number;
    else if (!strcmp(option, "--trails") && !(bad = read_number(option, value, 1, &number, err)))
        r->settings.trails = (int)number;
    else if (!strcmp(option, "-j") && !(bad = read_number(option, value, 1, &number, err)))
        r->settings.jobs = (int)number;
    else if (!strcmp(option, "--time-limit") && !(bad = read_number(option, value, 0, &number, err)))
        r->settings.seconds = number;
    else if (!bad && !strcmp(value, "abstract"))
        r->unmapped = UNMAPPED_ABSTRACT;
    else if (!bad && !strcmp(value, "keep"))
        r->unmapped = UNMAPPED_KEEP;
    else if (!bad)
        return fail(err, "--unmapped %s: write abstract or keep", words_shown(value).text);
    return bad;
}

static bool takes_value(const char *word)
{
    static const char *const all[] = { "--json", "--junit", "--sarif", "--output", "--form", "--memory", "--time-limit", "--unmapped", "--recursion", "-j", "--trails" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i], word))
            return true;
    return false;
}

static bool is_from(const char *word)
{
    static const char *const ends[] = { ".harness", ".c", ".at" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strlen(word) > strlen(ends[i]) && !strcmp(word + strlen(word) - strlen(ends[i]), ends[i]))
            return true;
    return false;
}

static int read_words(struct verify_request *r, int count, char **words, struct err *err)
{
    struct words *lists[] = { &r->names, &r->options, &r->from };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        words_add(lists[i], "");     /* so that there is a list */
        free(words_take_last(lists[i]));
    }
    for (int i = 0; i < count; i++) {
        int bad = 0;
        if (!strcmp(words[i], "--exhaustive"))
            r->settings.exhaustive = true;
        else if (takes_value(words[i]))
            bad = read_option(r, words[i], i + 1 < count ? words[i + 1] : NULL, err), i++;
        else if (!strcmp(words[i], "--atomic-statements"))
            r->atomic = true;
        else if (!strcmp(words[i], "--no-trial"))
            r->no_trial = true;
        else if (shop_is_preprocessors(words[i]))
            words_add(&r->options, words[i]);
        else if (words[i][0] == '-')
            bad = fail(err, "%s: verify has no such option (verisoft verify --help lists them)", words_shown(words[i]).text);
        else if (!r->from.count || is_from(words[i]))
            words_add(&r->from, words[i]);
        else
            words_add(&r->names, words[i]);
        if (bad)
            return bad;
    }
    return r->from.count ? 0 : fail(err, "which harness? Type: verisoft verify NAME.harness [property ...]");
}

/* ---- what is shown ---- */

/* All forms of a counter-example; which: of several, from 0. */
static int write_forms(const struct showing *s, const struct checked *c, const struct trail *t, int which)
{
    static const struct { const char *end; void (*tell)(const struct trail *, FILE *); } texts[] = {
        { "chart.txt", tell_chart }, { "statements.txt", tell_statements }, { "variables.txt", tell_variables } };
    if (mkdir(s->request->output, 0777) && errno != EEXIST)
        return fail_errno(s->err, "%s: the folder cannot be made", s->request->output);
    for (int i = 0; i < 4; i++) {
        char number[20] = "";
        if (which)
            snprintf(number, sizeof number, ".%d", which + 1);
        char *path = prose_make("%s/%s%s.%s", s->request->output, c->property->name, number, i < 3 ? texts[i].end : "svg");
        FILE *out = fopen(path, "we");
        if (out && i < 3)
            texts[i].tell(t, out);
        else if (out)
            tell_svg(t, c->property->name, out);
        int bad = !out || ferror(out) | fclose(out) ? fail_errno(s->err, "%s: the counter-example cannot be written", path) : 0;
        free(path);
        if (bad)
            return bad;
    }
    return 0;
}

static int put_text(const void *text, FILE *out)
{
    return fputs(text, out) < 0 ? -errno : 0;
}

/* The automaton of what is wrong, as text and as a drawing, with the states that the search has reached. */
static int write_automaton(const struct showing *s, const struct checked *c)
{
    struct prose out = { 0 };
    struct err too_large;            /* to be drawn: then there is the text alone */
    char *text = buchi_text(c->claim->automaton), *drawing = buchi_svg(c->claim->automaton, c->property->formula, c->reached, &too_large);
    char *path = prose_make("%s/%s.automaton.txt", s->request->output, c->property->name);
    char *picture = prose_make("%s/%s.automaton.svg", s->request->output, c->property->name);
    prose_add(&out, "%s%s\n\n%s", c->property->violation ? "violation: " : "violations of: ", c->property->formula, text);
    for (uint32_t i = 0; c->reached && i < c->claim->automaton->state_count; i++) {
        char *state = buchi_state(c->claim->automaton, i);
        prose_add(&out, "%s%s: %s\n", i ? "" : "\n", state, c->reached[i] ? "reached" : "never reached");
        free(state);
    }
    if (!drawing)
        prose_add(&out, "\nnot drawn: %s\n", too_large.text);
    int bad = mkdir(s->request->output, 0777) && errno != EEXIST ? fail_errno(s->err, "%s: the folder cannot be made", s->request->output)
            : file_write(path, "the automaton", put_text, out.text, s->err);
    if (!bad && drawing)
        bad = file_write(picture, "the automaton", put_text, drawing, s->err);
    prose_fini(&out);
    free(text);
    free(drawing);
    free(path);
    free(picture);
    return bad;
}

static void show_trail(struct showing *s, const struct checked *c, const struct trail *t, int which)
{
    enum form form = s->request->form != FORM_usual ? s->request->form : s->x->harness.program ? FORM_statements : FORM_chart;
    if (form == FORM_chart)
        tell_chart(t, s->out);
    else if (form == FORM_statements)
        tell_statements(t, s->out);
    else if (form == FORM_variables)
        tell_variables(t, s->out);
    if (s->request->output && !s->bad)
        s->bad = write_forms(s, c, t, which);
    fputc('\n', s->out);
}

/* A counter-example of a program counts for what it is in the program itself. */
static void try_it(struct showing *s, const struct checked *c, struct trail *t)
{
    if (!s->x->harness.program || s->request->no_trial)
        return;
    tryout(&s->tryout, c, t);
    fprintf(s->out, "%s: %s\n\n", t->trial, t->trial_words);
}

static void show_others(struct showing *s, struct checked *c)
{
    for (int i = 0; i < c->other_count; i++) {
        fprintf(s->out, "another violation of %s, in %d steps\n\n", c->property->name, c->others[i].model_steps);
        show_trail(s, c, &c->others[i], i + 1);
        try_it(s, c, &c->others[i]);
    }
}

static void show_receptions(const struct showing *s, const struct checked *c)
{
    struct receptions all;
    receptions_read(&all, s->x, c->unmet);
    if (all.count)
        fprintf(s->out, c->unmet_all ? "    all of them:\n" : "    those that a search has met that did not come to its end:\n");
    for (int i = 0; i < all.count; i++) {
        char *words = reception_words(&all.items[i], s->x);
        fprintf(s->out, "        %s\n", words);
        free(words);
    }
    receptions_fini(&all);
}

static void show_failure(struct showing *s, const struct checked *c)
{
    FILE *out = s->out;
    if (c->property->says)
        fprintf(out, "    %s\n", c->property->says);
    if (c->property->link)
        fprintf(out, "    %s\n", c->property->link);
    if (c->unmet)
        show_receptions(s, c);
    fputc('\n', out);
    show_trail(s, c, &c->trail, 0);
}

static void show(void *arg, struct checked *c)
{
    struct showing *s = arg;
    s->counts[c->verdict]++;
    fprintf(s->out, "%-20s %-12s %-10s %s\n", c->property->name, verdict_words[c->verdict], c->identifier, c->words);
    if (c->verdict == VERDICT_FAILED)
        show_failure(s, c);
    if (c->verdict == VERDICT_FAILED)
        try_it(s, c, &c->trail);
    show_others(s, c);
    if (s->request->output && c->claim && c->claim->automaton && !s->bad)
        s->bad = write_automaton(s, c);
    fflush(s->out);
}

/* What takes long is named, with what is known of it. */
static void show_open(void *arg, const struct verification *v, const bool *open)
{
    struct prose names = { 0 };
    int count = 0;
    (void)arg;
    for (int i = 0; i < v->count; i++)
        if (open[i])
            prose_add(&names, "%s%s", count++ ? ", " : "", v->items[i].property->name);
    if (count)
        fprintf(stderr, "no violation in the quick search, which has not seen all states, of %s: larger searches follow "
                        "(--time-limit S ends them)\n", names.text);
    prose_fini(&names);
}

static int finish(const struct showing *s, const struct verification *v)
{
    fprintf(s->out, v->count == 1 ? "\n%d property:" : "\n%d properties:", v->count);
    for (int i = 0, any = 0; i < VERDICT_COUNT; i++)
        if (s->counts[i])
            fprintf(s->out, "%s %d %s", any++ ? "," : "", s->counts[i], verdict_words[i]);
    if (s->tryout.confirmed || s->tryout.refuted)
        fprintf(s->out, " (%d confirmed on the program, %d not in the program)", s->tryout.confirmed, s->tryout.refuted);
    fputc('\n', s->out);
    return s->counts[VERDICT_FAILED] ? EXIT_ERRORS : s->counts[VERDICT_UNFINISHED] ? EXIT_INCOMPLETE : EXIT_COMPLETE;
}

/* ---- all ---- */

static int check(struct verify_request *r, const struct workshop *w, struct extraction *x, int *status, struct err *err)
{
    struct verification v = { 0 };
    struct showing s = { .request = r, .x = x, .out = r->json && !strcmp(r->json, "-") ? stderr : stdout, .err = err,
                         .tryout = { .x = x, .self = r->self, .output = r->output ? r->output : "." } };
    int bad = extract_read(x, r->from.items, (int)r->from.count, r->options.items, err);
    if (r->unmapped)
        x->harness.unmapped = r->unmapped;
    if (r->recursion)
        x->harness.recursion = r->recursion;
    x->harness.atomic |= r->atomic;
    if (!bad)
        bad = extract_stage_one(x, w, err);
    if (!bad)
        bad = extract_stage_two(x, err);
    if (bad)
        return bad;
    extract_warn(x, stderr);
    const struct verify_told told = { show, show_open, &s };
    bad = verify(&v, x, w, r->names.items, &r->settings, &told, err);
    if (!bad)
        bad = s.bad;
    if (!bad)
        *status = finish(&s, &v);
    if (r->json && !bad)
        bad = verify_json(r->json, x, &v, *status, err);
    if (r->junit && !bad)
        bad = verify_junit(r->junit, x, &v, err);
    if (r->sarif && !bad)
        bad = verify_sarif(r->sarif, &v, err);
    tryout_fini(&s.tryout);
    verify_fini(&v);
    return bad;
}

static int run(const char *self, int count, char **words)
{
    struct verify_request r = { .self = self, .settings = { .memory = 1024 } };
    struct extraction x = { 0 };
    struct shop shop = { .scratch.socket = -1 };
    struct err err;
    int code = 0, failed = read_words(&r, count, words, &err);
    if (!failed)
        failed = shop_open(&shop, &err);
    if (!failed)
        failed = check(&r, &shop.workshop, &x, &code, &err);
    if (failed)
        code = command_failed(failed, &err);
    extract_fini(&x);
    shop_close(&shop);
    words_fini(&r.from);
    words_fini(&r.names);
    words_fini(&r.options);
    return code;
}

static void help(void)
{
    fputs("\n"
          "  --form NAME          how a counter-example is shown: chart, statements, variables, none\n"
          "                       (default: chart of event machines, statements of programs)\n"
          "  --trails N           up to N counter-examples of a property that lead to different ends,\n"
          "                       the shortest first (default 1)\n"
          "  --output DIR         write all forms of each counter-example there, also as SVG\n"
          "  --memory MB          that a verifier may use (default 1024)\n"
          "  -j N                 check N properties at one time, each with so much memory\n"
          "  --no-trial           do not try counter-examples of threads and processes on the program\n"
          "  --time-limit S       seconds for one property (default: no limit)\n"
          "  --exhaustive         no quick searches first: every state is kept whole at once\n"
          "  --unmapped abstract|keep   what the map does not name (default: as the harness says)\n"
          "  --recursion N        how deep functions that call themselves are followed\n"
          "  --atomic-statements  a statement of a thread is one step, also where it touches\n"
          "                       what others see more than once (x++)\n"
          "  --json FILE          write a report; - is standard output\n"
          "  --junit FILE, --sarif FILE   the same for continuous integration\n\n"
          "Exit status: 0 all verified, 1 some failed, 2 unusable, 3 nothing failed but\nnot all is verified.\n", stdout);
}

const struct command command_verify = {
    .name     = "verify",
    .synopsis = "verify NAME.harness | SOURCE... [property ...] [options]",
    .summary  = "check properties of the extracted model with Spin, and tell counter-examples in C",
    .help     = help,
    .run      = run,
};
