/* The ltl command: a formula of temporal logic, or a template, as an automaton.
 * SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "cli/commands.h"
#include "base/suggest.h"
#include "cli/words.h"
#include "properties/buchi.h"
#include "properties/templates.h"
#include "properties/vacuity.h"
#include "base/prose.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Option, its value or NULL, help. What is shown comes first: one of those. */
#define LTL_OPTIONS(X) \
    X(text,      NULL,   "print the automaton, a line for each edge (default)") \
    X(never,     NULL,   "print it as a never claim for Spin") \
    X(json,      NULL,   "print it as JSON") \
    X(formula,   NULL,   "print the formula alone, as it was understood") \
    X(templates, NULL,   "print the templates, each with its formula in each scope") \
    X(svg,       "FILE", "draw it into FILE (-: standard output)") \
    X(not,       NULL,   "of the negation: what violates the formula") \
    X(trigger,   NULL,   "of its trigger: what must happen in a run for the formula to be tried on it") \
    X(name,      "NAME", "what the never claim is called") \
    X(template,  "NAME", "the formula is this template, and p=FORMULA and so on are its arguments; a scope may be given, too")

#define X(name, value, help) OPTION_##name,
enum option { LTL_OPTIONS(X) OPTIONS };
#undef X

#define X(name, value, help) { "--" #name, value, help },
static const struct { const char *name, *value, *help; } table[OPTIONS] = { LTL_OPTIONS(X) };
#undef X

static bool is_shown(enum option o) { return o <= OPTION_templates; }

struct asked {
    enum option shown;               /* OPTIONS: none was asked for */
    bool        negated, trigger;
    const char *svg, *name, *formula;
    const struct template *template;
    const struct scope    *scope;
    struct template_argument arguments[TEMPLATE_PARAMETERS];
    int         count;
};

/* ---- words ---- */

static int no_option(const char *word, struct err *err)
{
    struct suggestion near;
    char scope[SCOPE_COUNT][24];
    suggest_start(&near, word);
    for (int i = 0; i < OPTIONS; i++)
        suggest_offer(&near, table[i].name);
    for (int i = 0; i < SCOPE_COUNT; i++) {
        snprintf(scope[i], sizeof scope[i], "--%s", scopes[i].name);
        suggest_offer(&near, scope[i]);
    }
    return fail(err, "%s: ltl has no such option%s (verisoft ltl --help lists them)", words_shown(word).text, suggest_text(&near).text);
}

static int set(struct asked *a, enum option o, const char *value, struct err *err)
{
    if (is_shown(o) && a->shown != OPTIONS && a->shown != o)
        return fail(err, "%s and %s: choose one of them", table[a->shown].name, table[o].name);
    if (is_shown(o))
        a->shown = o;
    switch (o) {
    case OPTION_not:      a->negated = true; break;
    case OPTION_trigger:  a->trigger = true; break;
    case OPTION_svg:      a->svg = value; break;
    case OPTION_name:     a->name = value; break;
    case OPTION_template: a->template = template_find(words_shown(value).text, err); return a->template ? 0 : -EINVAL;
    default:              break;
    }
    return 0;
}

static int set_scope(struct asked *a, const struct scope *scope, struct err *err)
{
    if (a->scope && a->scope != scope)
        return fail(err, "--%s and --%s: choose one of them", a->scope->name, scope->name);
    a->scope = scope;
    return 0;
}

/* Gives how many words it took, or negative errno. */
static int read_option(struct asked *a, int left, char **words, struct err *err)
{
    const char *word = words[0], *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    for (int i = 0; i < SCOPE_COUNT; i++)
        if (!strcmp(word + 2, scopes[i].name))
            return set_scope(a, &scopes[i], err) ? -EINVAL : 1;
    for (int o = 0; o < OPTIONS; o++) {
        if (strlen(table[o].name) != length || strncmp(word, table[o].name, length))
            continue;
        if (!table[o].value && equals)
            return fail(err, "%s takes no value", table[o].name);
        if (table[o].value && !equals && left < 2)
            return fail(err, "%s needs a value: %s %s", table[o].name, table[o].name, table[o].value);
        bool next = table[o].value && !equals;
        return set(a, o, next ? words[1] : equals ? equals + 1 : NULL, err) ? -EINVAL : next ? 2 : 1;
    }
    return no_option(word, err);
}

static int read_argument(struct asked *a, const char *word, struct err *err)
{
    if (a->count == TEMPLATE_PARAMETERS)
        return fail(err, "%s: more arguments than any template has", words_shown(word).text);
    a->arguments[a->count++] = (struct template_argument){ word[0], word + 2 };
    return 0;
}

static int read_formula(struct asked *a, const char *word, struct err *err)
{
    if (a->formula)
        return fail(err, "two formulas, '%s' and '%s': put quotes around the whole, since a blank ends a word for the shell",
                    words_shown(a->formula).text, words_shown(word).text);
    a->formula = word;
    return 0;
}

static bool is_argument(const char *word) { return word[0] >= 'a' && word[0] <= 'z' && word[1] == '='; }

static int read_words(struct asked *a, int count, char **words, struct err *err)
{
    bool options = true;
    for (int i = 0, took; i < count; i += took) {
        took = 1;
        if (options && !strcmp(words[i], "--"))
            options = false;
        else if (options && !strncmp(words[i], "--", 2))
            took = read_option(a, count - i, words + i, err);
        else if (is_argument(words[i]) ? read_argument(a, words[i], err) : read_formula(a, words[i], err))
            return -EINVAL;
        if (took < 0)
            return took;
    }
    return 0;
}

static bool is_name(const char *text)
{
    return *text && !isdigit((unsigned char)*text)
        && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static int check_words(const struct asked *a, struct err *err)
{
    if (a->shown == OPTION_templates)
        return a->formula || a->template || a->count ? fail(err, "--templates prints all of them, and takes no formula") : 0;
    if (a->formula && a->template)
        return fail(err, "a formula, '%s', beside --template; an argument of a template is written p=FORMULA", words_shown(a->formula).text);
    if (!a->template && (a->scope || a->count))
        return fail(err, "scopes and arguments are for templates: say which by --template NAME (verisoft ltl --templates lists them)");
    if (!a->template && !a->formula)
        return fail(err, "which formula? Type: verisoft ltl '[](p -> <>q)'");
    if (a->svg && !strcmp(a->svg, "-") && a->shown != OPTIONS)
        return fail(err, "--svg - and %s: only one of them can go to standard output", table[a->shown].name);
    if (a->negated && a->trigger)
        return fail(err, "--not and --trigger: choose one of them");
    if (a->name && a->shown != OPTION_never)
        return fail(err, "--name is for --never");
    if (a->name && !is_name(a->name))
        return fail(err, "--name %s: a claim has a name as in C: letters, digits and _", words_shown(a->name).text);
    return 0;
}

/* ---- what is printed ---- */

static int understand(const struct asked *a, struct ltl *table_of, uint32_t *formula, struct err *err)
{
    struct err inner = { .text = "" };
    const struct scope *scope = a->scope ? a->scope : &scopes[0];
    int bad;
    if (a->template)
        return (a->trigger ? template_make_idle : template_make)(table_of, a->template, scope, a->arguments, a->count, formula, err);
    if ((bad = ltl_parse(table_of, a->formula, formula, &inner)))
        return fail(err, "the formula, %s", inner.text);
    if (a->trigger)
        *formula = vacuity_idle(table_of, *formula);
    return 0;
}

/* What is asked about the formula that was understood. */
static int choose(const struct asked *a, struct ltl *table_of, uint32_t *formula, struct err *err)
{
    int bad = understand(a, table_of, formula, err);
    if (bad)
        return bad;
    if (a->trigger && ltl_operator(table_of, *formula) == LTL_FALSE)
        return fail(err, "this requirement has no trigger: it is tried on every run");
    if (a->trigger)
        *formula = vacuity_trigger(table_of, *formula);
    if (a->negated)
        *formula = ltl_not(table_of, *formula);
    return 0;
}

static char *as_text(const struct buchi *b, const char *formula)
{
    char *list = buchi_text(b), *all = prose_make("%s\n%s", formula, list);
    free(list);
    return all;
}

static char *as_json(const struct buchi *b, const char *formula)
{
    json_t *o = buchi_json(b, formula, NULL);
    char *dumped = json_dumps(o, JSON_INDENT(2)), *all = prose_make("%s\n", dumped ? dumped : "null");
    free(dumped);
    json_decref(o);
    return all;
}

static int write_string(const void *text, FILE *out) { return fputs(text, out) < 0 ? -errno : 0; }

/* Nobody reads any more: that is no failure of ours. */
static int print(const char *text, struct err *err)
{
    if (fputs(text, stdout) < 0 || fflush(stdout))
        return errno == EPIPE ? 0 : fail_errno(err, "standard output: the automaton cannot be written");
    return 0;
}

static int show_drawing(const struct asked *a, const struct buchi *b, const char *formula, struct err *err)
{
    char *svg = buchi_svg(b, formula, NULL, err);
    if (!svg)
        return -EINVAL;
    int bad = strcmp(a->svg, "-") ? file_write(a->svg, "the drawing", write_string, svg, err) : print(svg, err);
    free(svg);
    return bad;
}

static int show_automaton(const struct asked *a, const struct buchi *b, const char *formula, struct err *err)
{
    char *text = a->shown == OPTION_never ? buchi_never(b, a->name, formula, NULL)
               : a->shown == OPTION_json  ? as_json(b, formula)
               : a->shown == OPTION_formula ? prose_make("%s\n", formula) : as_text(b, formula);
    int bad = print(text, err);
    free(text);
    return bad;
}

static int translate(const struct asked *a, struct ltl *table_of, uint32_t formula, const char *written, struct err *err)
{
    struct buchi *b = buchi_new(table_of, formula, err);
    int bad = b ? 0 : -EINVAL;
    if (!bad && a->svg)
        bad = show_drawing(a, b, written, err);
    if (!bad && (!a->svg || a->shown != OPTIONS))
        bad = show_automaton(a, b, written, err);
    buchi_free(b);
    return bad;
}

static int show_formula(const struct asked *a, struct err *err)
{
    struct ltl *table_of = ltl_new();
    uint32_t formula;
    int bad = choose(a, table_of, &formula, err);
    if (!bad) {
        char *written = ltl_text(table_of, formula), *line = prose_make("%s\n", written);
        bad = a->shown == OPTION_formula && !a->svg ? print(line, err) : translate(a, table_of, formula, written, err);
        free(line);
        free(written);
    }
    ltl_free(table_of);
    return bad;
}

/* doc/ltl.md has this, too. */
static void put_template(struct prose *out, const struct template *pattern)
{
    prose_add(out, "%s(", pattern->name);
    for (const char *c = pattern->parameters; *c; c++)
        prose_add(out, "%c%s", *c, c[1] ? ", " : "");
    prose_add(out, "): %s\n", pattern->meaning);
    for (int j = 0; j < SCOPE_COUNT; j++) {
        struct ltl *table_of = ltl_new();
        char *text = ltl_text(table_of, template_formula(table_of, pattern, &scopes[j]));
        prose_add(out, "    %-11s  %s\n", scopes[j].name, text);
        free(text);
        ltl_free(table_of);
    }
}

static int show_templates(struct err *err)
{
    struct prose out = { 0 };
    for (int i = 0; i < TEMPLATE_COUNT; i++)
        put_template(&out, &templates[i]);
    int bad = print(out.text, err);
    prose_fini(&out);
    return bad;
}

/* ---- the command ---- */

static int run(const char *self, int count, char **words)
{
    (void)self;
    struct asked asked = { .shown = OPTIONS };
    struct err err;
    int bad = read_words(&asked, count, words, &err);
    if (!bad)
        bad = check_words(&asked, &err);
    if (!bad)
        bad = asked.shown == OPTION_templates ? show_templates(&err) : show_formula(&asked, &err);
    return bad ? command_failed(bad, &err) : EXIT_COMPLETE;
}

enum { WIDTH = 80, COLUMN = 24 };

static void help_line(const char *name, const char *value, const char *text)
{
    char *line = prose_make("  %s%s%-*s %s", name, value ? " " : "",
                            COLUMN - 3 - (int)strlen(name) - (value ? 1 : 0), value ? value : "", text);
    prose_wrap(stdout, line, 0, COLUMN, WIDTH);
    free(line);
}

/* How we write it, and behind its meaning the other ways of writing it. */
static void help_operator(const struct ltl_about *about)
{
    static const char *const operands[] = { "%.*s", "%.*s p", "p %.*s q" };
    const char *written = about->written[0] ? about->written : "NAME";
    int first = (int)strcspn(written, " ");
    char name[16], *text = prose_make("%s%s%s%s", about->meaning, written[first] ? " (also written" : "", written + first,
                                      written[first] ? ")" : "");
    snprintf(name, sizeof name, operands[about->operands], first, written);
    help_line(name, NULL, text);
    free(text);
}

static void help(void)
{
    puts("\nOptions:");
    for (int o = 0; o < OPTIONS; o++)
        help_line(table[o].name, table[o].value, table[o].help);
    puts("\nFormulas:");
    for (int i = 0; i < LTL_COUNT; i++)
        help_operator(&ltl_about[i]);
    puts("\nTemplates:");
    for (int i = 0; i < TEMPLATE_COUNT; i++)
        help_line(templates[i].name, NULL, templates[i].meaning);
    puts("\nScopes:");
    for (int j = 0; j < SCOPE_COUNT; j++) {
        char *name = prose_make("--%s", scopes[j].name);
        help_line(name, NULL, scopes[j].meaning);
        free(name);
    }
}

const struct command command_ltl = {
    .name     = "ltl",
    .synopsis = "ltl FORMULA | --template NAME [--SCOPE] p=FORMULA ... [options]",
    .summary  = "translate a formula of temporal logic, or a template of one, into an automaton",
    .run      = run,
    .help     = help,
};
