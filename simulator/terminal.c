/* SPDX-License-Identifier: MIT */
#include "simulator/terminal.h"

#include "base/prose.h"
#include "simulator/lines.h"
#include "simulator/shown.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct terminal {
    struct protocol                *protocol;
    const struct terminal_settings *settings;
    struct lines                    lines;
    struct shown                    shown;
    char                           *last;        /* the last command */
    json_t                         *open;        /* a request that lacks only a choice; NULL: none */
    json_t                         *refused;     /* the last that would have written over a file; NULL: none */
    int                             error;       /* errno of the first failure to write; 0: none */
};

/* Names as they are typed; what stands behind is told by the protocol's own list of arguments. */
static const struct command {
    const char *name, *request, *arguments, *help;
} commands[] = {
#define X(name, arguments, help) { #name, #name, arguments, help },
    REQUESTS(X)
#undef X
    { "back",     "previous", "",                 NULL },
    { "continue", "go",       "process [choice]", NULL },
    { "replace",  "replace",  "[file]",           "save or chart, though there is such a file; alone: the one just refused" },
    { "filter",   "filter",   "pattern",          "the transitions that match the regular expression: filter ^2, filter send" },
    { "help",     "help",     "",                 "this list" },
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

/* ---- finding the command ---- */

static bool same_letter(char typed, char name) { return typed == name || (typed == '-' && name == '_'); }

/* How much of the name was typed: 0 when it is another, 2 when all of it. */
static int matches(const char *word, size_t length, const char *name)
{
    size_t i = 0;
    while (i < length && name[i] && same_letter(word[i], name[i]))
        i++;
    return i < length ? 0 : name[i] ? 1 : 2;
}

/* Whole names win; then one that all others that are meant begin with ("n": next, not next_line); then the only one. */
static const struct command *find(const char *word, size_t length, struct prose *meant)
{
    const struct command *found = NULL;
    int count = 0;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        int how = matches(word, length, commands[i].name);
        if (how == 2)
            return &commands[i];
        if (!how || (found && !strncmp(commands[i].name, found->name, strlen(found->name))))
            continue;
        prose_add(meant, "%s%s", count++ ? ", " : "", commands[i].name);
        found = &commands[i];
    }
    return count == 1 ? found : NULL;
}

/* ---- arguments ---- */

static bool is_number(const char *name)
{
    static const char *const numbers[] = { "process", "choice", "to", "from", "frame", "state" };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(numbers[i], name))
            return true;
    return false;
}

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* As a person reads them. */
static const char *shown_arguments(const struct command *c)
{
    return !strcmp(c->request, "move") ? "position" : !strcmp(c->request, "chart") ? "format [file] [title]" : c->arguments;
}

static const char *shown_name(const char *argument)
{
    return strcmp(argument, "to") && strcmp(argument, "from") ? argument : "position";
}

struct argument { char name[16]; bool optional, last; };

/* The next of "process [choice]". */
static const char *next_argument(const char *list, struct argument *a)
{
    size_t length = strcspn(list, " ");
    a->optional = *list == '[';
    snprintf(a->name, sizeof a->name, "%.*s", (int)(length - 2 * a->optional), list + a->optional);
    list = skip_space(list + length);
    a->last = !*list || !strcmp(list, "[color]");        /* there is no need for it in words */
    return a->last ? "" : list;
}

/* The last argument, if it is a text, is all that stands there. */
static size_t length_of(const char *at, const struct argument *a)
{
    size_t length = a->last && !is_number(a->name) ? strlen(at) : strcspn(at, " \t");
    while (length && isspace((unsigned char)at[length - 1]))
        length--;
    return length;
}

/* A number that may be left out, where one that is needed would be left with nothing: print 1 42. */
static bool is_left_out(const struct argument *a, const char *at, size_t length)
{
    bool digits = strspn(at, "0123456789") == length;
    return a->optional && is_number(a->name) && !a->last && (!digits || !*skip_space(at + length));
}

/* NULL, or what is wrong. Gives. */
static char *read_arguments(const struct command *c, const char *at, json_t *q)
{
    struct argument a;
    const char *list = c->arguments;
    while (*list) {
        list = next_argument(list, &a);
        size_t length = length_of(at, &a);
        if (!length && a.optional)
            continue;
        if (!length)
            return prose_make("%s: the %s is missing; type: %s %s", c->name, shown_name(a.name), c->name, shown_arguments(c));
        if (strcmp(c->name, "trace") && is_left_out(&a, at, length))
            continue;
        if (is_number(a.name) && (strspn(at, "0123456789") != length || length > 9))
            return prose_make("%s: `%.*s` is no number of a %s; type: %s %s", c->name, (int)length, at, shown_name(a.name),
                              c->name, shown_arguments(c));
        json_object_set_new(q, a.name, is_number(a.name) ? json_integer(atol(at)) : json_stringn(at, length));
        at = skip_space(at + length);
    }
    return !*at ? NULL : prose_make("%s: `%s` is too much; type: %s%s%s", c->name, at, c->name, *c->arguments ? " " : "",
                                    shown_arguments(c));
}

/* ---- doing ---- */

static void complain(struct terminal *t, const char *text) { fprintf(t->settings->out, "error: %s\n", text); }

static void help(struct terminal *t)
{
    FILE *out = t->settings->out;
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].help) {
            char *typed = prose_make("%s %s", commands[i].name, shown_arguments(&commands[i]));
            char *line = prose_make("%-27s %s", typed, commands[i].help);
            prose_wrap(out, line, 2, 30, t->settings->width);
            free(line);
            free(typed);
        }
    char *words = prose_make("\nThe beginning of a name is enough where it is clear; back is previous, continue is go.%s\n"
                             "What stands in [brackets] can be left out. A line that is a JSON object is a request of the protocol.",
                             t->settings->person ? " An empty line does the same again." : "");
    prose_wrap(out, words, 0, 0, t->settings->width);
    free(words);
}

static void ask(struct terminal *t, json_t *q)
{
    json_t *reply = protocol_handle(t->protocol, q), *choices = json_object_get(reply, "choices");
    if (choices && t->settings->person) {                /* a question, not an error */
        fprintf(t->settings->out, "%s\n", json_string_value(json_object_get(reply, "error")));
        t->open = json_incref(q);
    } else {
        shown_reply(&t->shown, json_string_value(json_object_get(q, "do")), q, reply);
    }
    if (choices)
        shown_choices(&t->shown, choices);
    if (json_is_true(json_object_get(reply, "exists"))) {
        json_decref(t->refused);
        t->refused = json_incref(q);
        fprintf(t->settings->out, "       replace writes over it\n");
    }
    json_decref(reply);
}

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && !strcmp(text + length - tail, ending);
}

/* The request that writes such a file. Gives. */
static json_t *request_for(const char *file)
{
    for (int svg = 0; svg < 2; svg++)
        if (ends_in(file, svg ? ".svg" : ".ps"))
            return json_pack("{s:s, s:s, s:s}", "do", "chart", "format", svg ? "svg" : "ps", "file", file);
    return json_pack("{s:s, s:s}", "do", "save", "file", file);
}

static void do_replace(struct terminal *t, const json_t *file)
{
    json_t *q = file ? request_for(json_string_value(file)) : t->refused;
    if (!file)
        t->refused = NULL;
    if (!q) {
        complain(t, "replace: no file was refused; type: replace file");
        return;
    }
    json_object_set_new(q, "replace", json_true());
    ask(t, q);
    json_decref(q);
}

/* A number behind a question which one: the request that it completes. Anything else is a command of its own. */
static bool do_choice(struct terminal *t, const char *line)
{
    json_t *q = t->open;
    bool number = q && *line && strspn(line, "0123456789") == strlen(line) && strlen(line) < 10;
    t->open = NULL;
    if (number) {
        json_object_set_new(q, "choice", json_integer(atol(line)));
        ask(t, q);
    }
    json_decref(q);
    return number;
}

static void do_words(struct terminal *t, const char *line)
{
    size_t length = strcspn(line, " \t");
    struct prose meant = { 0 };
    const struct command *c = find(line, length, &meant);
    if (!c) {
        char *text = meant.length ? prose_make("%.*s: which one do you mean: %s?", (int)length, line, meant.text)
                                  : prose_make("%.*s: there is no such command; help lists them", (int)length, line);
        complain(t, text);
        free(text);
    } else if (!strcmp(c->name, "help")) {
        help(t);
    } else {
        json_t *q = json_pack("{s:s}", "do", c->request);
        char *wrong = read_arguments(c, skip_space(line + length), q);
        if (wrong)
            complain(t, wrong);
        else if (!strcmp(c->name, "filter"))
            shown_filter(&t->shown, json_string_value(json_object_get(q, "pattern")));
        else if (!strcmp(c->name, "replace"))
            do_replace(t, json_object_get(q, "file"));
        else
            ask(t, q);
        free(wrong);
        json_decref(q);
    }
    prose_fini(&meant);
}

static void do_json(struct terminal *t, const char *line)
{
    json_error_t error;
    json_t *q = json_loads(line, JSON_REJECT_DUPLICATES, &error), *reply;
    if (q)
        reply = protocol_handle(t->protocol, q);
    else
        reply = json_pack("{s:b, s:o}", "ok", 0, "error", json_sprintf("no JSON: %s", error.text));
    json_dumpf(reply, t->settings->out, JSON_COMPACT);
    fputc('\n', t->settings->out);
    json_decref(reply);
    json_decref(q);
}

static void do_line(struct terminal *t, const char *line)
{
    if (do_choice(t, line))
        return;
    if (*line == '{')
        do_json(t, line);
    else
        do_words(t, line);
}

/* What could not be written is told at the end: the commands to come may save something. */
static void flush(struct terminal *t)
{
    errno = 0;
    bool bad = fflush(t->settings->out) || ferror(t->settings->out);
    if (bad && !t->error)
        t->error = errno ? errno : EIO;
}

static void prompt(struct terminal *t)
{
    if (t->settings->person)
        fputs(t->open ? "which? " : "verisoft> ", t->settings->out);
    flush(t);
}

/* An empty line is the last command again. NULL: it is for nobody. Comments are for scripts. */
static const char *command_of(struct terminal *t, char *line)
{
    char *end = line + strlen(line);
    while (end > line && isspace((unsigned char)end[-1]))
        *--end = '\0';
    const char *words = skip_space(line);
    if (*words == '#')
        return NULL;
    if (!*words && t->open) {                        /* none of them */
        json_decref(t->open);
        t->open = NULL;
        return NULL;
    }
    if (!*words)
        return t->settings->person ? t->last : NULL;
    if (t->open)
        return words;
    free(t->last);
    t->last = prose_make("%s", words);
    return t->last;
}

int terminal_run(struct protocol *protocol, const struct terminal_settings *settings)
{
    struct terminal t = { .protocol = protocol, .settings = settings,
                          .lines = { .fd = settings->in, .interrupt = settings->interrupt } };
    char *line;
    shown_init(&t.shown, protocol, settings->out, settings->color, settings->width);
    shown_welcome(&t.shown);
    prompt(&t);
    while (!protocol_over(protocol) && (line = lines_next(&t.lines))) {
        const char *command = command_of(&t, line);
        if (command)
            do_line(&t, command);
        if (!protocol_over(protocol))
            prompt(&t);
    }
    if (settings->person && !protocol_over(protocol))
        fputc('\n', settings->out);
    flush(&t);
    shown_fini(&t.shown);
    lines_fini(&t.lines);
    json_decref(t.open);
    json_decref(t.refused);
    free(t.last);
    return *settings->interrupt ? -EINTR : -t.error;
}
