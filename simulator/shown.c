/* SPDX-License-Identifier: MIT */
#include "simulator/shown.h"

#include "base/prose.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_STEPS = 20 };           /* of a scenario, shown at the start */
enum { MOST_BYTES = 160 };           /* of one operation */

/* ---- what a reply has ---- */

static const char *text_of(const json_t *o, const char *key)             /* "" when it is null or not there */
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

static int number_of(const json_t *o, const char *key) { return (int)json_integer_value(json_object_get(o, key)); }
static bool is_null(const json_t *o, const char *key)  { return json_is_null(json_object_get(o, key)); }

static json_t *ask(struct shown *s, const char *request)
{
    json_t *q = json_pack("{s:s}", "do", request), *reply = protocol_handle(s->protocol, q);
    json_decref(q);
    return reply;
}

void shown_init(struct shown *s, struct protocol *protocol, FILE *out, bool color, int width)
{
    *s = (struct shown){ .protocol = protocol, .out = out, .color = color, .width = width, .sources = json_object() };
}

void shown_fini(struct shown *s) { json_decref(s->sources); }

/* ---- lines of source ---- */

static const char *source(struct shown *s, const char *file)             /* NULL: it cannot be had */
{
    json_t *known = json_object_get(s->sources, file);
    if (!known) {
        json_t *q = json_pack("{s:s, s:s}", "do", "source", "file", file), *reply = protocol_handle(s->protocol, q);
        json_t *text = json_object_get(reply, "text");
        json_object_set(s->sources, file, text ? text : json_null());
        known = json_object_get(s->sources, file);
        json_decref(q);
        json_decref(reply);
    }
    return json_string_value(known);
}

static const char *line_of(const char *text, int line, int *length)
{
    for (; text && line > 1; line--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    text = text ? text + strspn(text, " \t") : "";
    *length = (int)strcspn(text, "\r\n");
    return text;
}

/* ---- where ---- */

static const struct mark { const char *color, *sign, *escape, *means; } marks[] = {
    { "blue",   ">", "\033[34m", "goes next in the scenario" },
    { "green",  "+", "\033[32m", "can go" },
    { "red",    "x", "\033[31m", "is blocked" },
    { "yellow", "~", "\033[33m", "another process is inside its code" },
};

static struct mark mark_of(const json_t *process)
{
    const char *color = text_of(process, "color");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!strcmp(marks[i].color, color))
            return marks[i];
    return (struct mark){ "", " ", "", "" };
}

/* `text`, and behind it, at this column, where that is; with the line itself. */
enum with_line { PLACE_ONLY, WITH_LINE };

/* A message may be pages long; all of it is in the scenario. */
static int shown_part(const char *text)
{
    int length = MOST_BYTES;
    if (strlen(text) <= MOST_BYTES)
        return (int)strlen(text);
    while (((unsigned char)text[length] & 0xc0) == 0x80)         /* not in the middle of a character */
        length--;
    return length;
}

/* begin: the column in which the text stands. */
static void put_at(struct shown *s, const char *text, int begin, int column, const json_t *location, enum with_line with)
{
    enum { PLACE = 12, BELOW = 16 };
    int length, columns = (int)prose_columns(text), part = shown_part(text);
    fprintf(s->out, "%.*s%s", part, text, text[part] ? "..." : "");
    if (!json_is_object(location))
        return;
    char *place = prose_make("%s:%d", text_of(location, "file"), number_of(location, "line"));
    const char *whole = with == WITH_LINE ? source(s, text_of(location, "file")) : NULL;
    const char *line = line_of(whole, number_of(location, "line"), &length);
    int used = begin + (columns < column ? column : columns) + 2, wide = (int)prose_columns(place);
    bool beside = !s->width || used + (wide < PLACE ? PLACE : wide) + 2 + length <= s->width;
    fprintf(s->out, "%*s  %-*s", columns < column ? column - columns : 0, "", length && beside ? PLACE : 0, place);
    if (length && beside)
        fprintf(s->out, "  %.*s", length, line);
    else if (length)
        fprintf(s->out, "\n%*s%.*s", BELOW, "", length, line);
    free(place);
}

static void put_prose(struct shown *s, const char *text, int indent, int hang)
{
    prose_wrap(s->out, text, indent, indent + hang, s->width);
}

/* Are they 0: 0, 1: 1, ...? Then the number says it all. */
static bool are_numbers(const json_t *choices)
{
    size_t i;
    json_t *one;
    json_array_foreach(choices, i, one) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i);
        if (strcmp(text_of(one, "text"), number))
            return false;
    }
    return true;
}

static void put_choices(struct shown *s, const json_t *process)
{
    const json_t *choices = json_object_get(process, "choices");
    int count = number_of(process, "choice_count"), listed = (int)json_array_size(choices);
    if (count < 2)
        return;
    if (are_numbers(choices)) {
        fprintf(s->out, "        choices 0 to %d\n", count - 1);
        return;
    }
    fprintf(s->out, "        choices");
    for (int i = 0; i < listed; i++)
        fprintf(s->out, "%s %d: %s", i ? "," : "", i, text_of(json_array_get(choices, (size_t)i), "text"));
    fprintf(s->out, "%s\n", listed < count ? ", ..." : "");
}

/* Without what the line above it says: "process 1 waits in semwait(0, 1) at main.c:3: ". */
static const char *reason(const json_t *process)
{
    const char *why = text_of(process, "why");
    const json_t *location = json_object_get(process, "location");
    char *known = json_is_object(location)
        ? prose_make("%s waits in %s at %s:%d: ", text_of(process, "name"), text_of(process, "operation"),
                     text_of(location, "file"), number_of(location, "line"))
        : prose_make("%s waits in %s: ", text_of(process, "name"), text_of(process, "operation"));
    size_t length = strlen(known);
    const char *rest = strncmp(why, known, length) ? why : why + length;
    free(known);
    return rest;
}

static void put_process(struct shown *s, const json_t *process, const json_t *inside)
{
    const char *state = text_of(process, "state");
    struct mark mark = mark_of(process);
    bool ended = !strcmp(state, "ended"), in_code = number_of(inside, "process") == number_of(process, "process");
    if (json_is_false(json_object_get(process, "created")))
        return;
    const char *verb = in_code ? "inside" : ended ? "ended " : strcmp(state, "blocked") ? "can do" : "waits ";
    fprintf(s->out, "%s  %s %-3d %s  ", s->color ? mark.escape : "", mark.sign, number_of(process, "process"), verb);
    put_at(s, text_of(in_code ? inside : process, in_code ? "function" : "operation"), 16, 26,
           in_code ? inside : json_object_get(process, "location"), WITH_LINE);
    fprintf(s->out, "%s\n", s->color && *mark.escape ? "\033[0m" : "");
    if (!in_code && !is_null(process, "why"))
        put_prose(s, reason(process), 8, 2);
    if (!json_is_object(inside))
        put_choices(s, process);
}

static void put_lines(struct shown *s, const char *prefix, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(s->out, "%s%.*s\n", prefix, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void put_condition(struct shown *s, const json_t *condition)
{
    const json_t *location = json_object_get(condition, "location");
    if (!json_is_object(condition))
        return;
    fprintf(s->out, "%serror here: %s%s\n", s->color ? "\033[1;31m" : "", text_of(condition, "heading"), s->color ? "\033[0m" : "");
    char *message = json_is_object(location)
        ? prose_make("%s:%d: %s", text_of(location, "file"), number_of(location, "line"), text_of(condition, "message"))
        : prose_make("%s", text_of(condition, "message"));
    put_prose(s, message, 2, 2);
    put_prose(s, text_of(condition, "explanation"), 2, 2);
    free(message);
}

/* An operation that was itself an error stays one, though the process went on. */
static void put_violation(struct shown *s, const json_t *event, const char *indent)
{
    if (!is_null(event, "condition"))
        fprintf(s->out, "%s%s** error: %s%s\n", indent, s->color ? "\033[1;31m" : "", text_of(event, "condition"),
                s->color ? "\033[0m" : "");
}

/* Event number 0 is step 1, which leads to position 1: there is the arrow when the system stands behind it. */
static void put_event(struct shown *s, const json_t *event, int number, int at)
{
    size_t i;
    json_t *note;
    fprintf(s->out, "%s %4d  process %-2d  ", number + 1 == at ? "=>" : "  ", number + 1, number_of(event, "process"));
    put_at(s, text_of(event, "text"), 21, 44, json_object_get(event, "location"), PLACE_ONLY);
    fputc('\n', s->out);
    put_violation(s, event, "                     ");
    json_array_foreach(json_object_get(event, "notes"), i, note)
        fprintf(s->out, "                     -- %s\n", json_string_value(note));
}

static json_t *events(struct shown *s, int from, int to)
{
    json_t *q = json_pack("{s:s, s:i, s:i}", "do", "trace", "from", from, "to", to), *reply = protocol_handle(s->protocol, q);
    json_decref(q);
    return reply;
}

static void put_one_event(struct shown *s, const char *heading, int number)
{
    json_t *reply = events(s, number, number + 1);
    const json_t *event = json_array_get(json_object_get(reply, "events"), 0);
    size_t i;
    json_t *note;
    fprintf(s->out, "%s process %d did ", heading, number_of(event, "process"));
    put_at(s, text_of(event, "text"), 0, 0, json_object_get(event, "location"), PLACE_ONLY);
    fputc('\n', s->out);
    put_violation(s, event, "        ");
    json_array_foreach(json_object_get(event, "notes"), i, note)
        fprintf(s->out, "        -- %s\n", json_string_value(note));
    json_decref(reply);
}

/* Once, when it happens. */
static void put_departed(struct shown *s, const json_t *departed)
{
    bool now = json_is_object(departed);
    if (now && !s->departed) {
        char *words = prose_make("This leaves the loaded scenario after %d of its %d transitions; rejoin goes back to it.",
                                 number_of(departed, "after"), number_of(departed, "after") + number_of(departed, "aside"));
        put_prose(s, words, 0, 2);
        free(words);
    }
    s->departed = now;
}

static void put_where(struct shown *s, const json_t *where)
{
    int position = number_of(where, "position"), length = number_of(where, "length");
    size_t i;
    json_t *process;
    char *heading = prose_make("position %d of %d:", position, length);
    if (position)
        put_one_event(s, heading, position - 1);
    else
        fprintf(s->out, "%s the beginning\n", heading);
    json_array_foreach(json_object_get(where, "processes"), i, process)
        put_process(s, process, json_object_get(where, "inside"));
    put_condition(s, json_object_get(where, "condition"));
    put_departed(s, json_object_get(where, "departed"));
    if (json_is_true(json_object_get(where, "finished")))
        fprintf(s->out, "All processes have ended.\n");
    free(heading);
}

/* ---- the scenario ---- */

static void put_events(struct shown *s, int from, int to, int at)
{
    json_t *reply = events(s, from, to);
    size_t i;
    json_t *event;
    json_array_foreach(json_object_get(reply, "events"), i, event)
        put_event(s, event, from + (int)i, at);
    json_decref(reply);
}

static void show_trace(struct shown *s, const json_t *asked, const json_t *reply)
{
    json_t *where = ask(s, "where"), *event;
    int from = number_of(asked, "from"), at = number_of(json_object_get(where, "where"), "position");
    size_t i;
    if (!from)
        fprintf(s->out, "%s    0  the beginning\n", at ? "  " : "=>");
    json_array_foreach(json_object_get(reply, "events"), i, event)
        put_event(s, event, from + (int)i, at);
    json_decref(where);
}

void shown_choices(struct shown *s, const json_t *choices)
{
    size_t i;
    json_t *one;
    if (are_numbers(choices))                            /* the error has said all */
        return;
    json_array_foreach(choices, i, one)
        fprintf(s->out, "  choice %zu: %s\n", i, text_of(one, "text"));
}

void shown_filter(struct shown *s, const char *pattern)
{
    regex_t expression;
    if (!strcmp(pattern, "*"))                           /* as for match */
        pattern = "";
    if (regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB)) {
        fprintf(s->out, "error: %s: is no regular expression\n", pattern);
        return;
    }
    json_t *reply = ask(s, "trace"), *where = ask(s, "where"), *event;
    int at = number_of(json_object_get(where, "where"), "position");
    size_t i, found = 0;
    json_array_foreach(json_object_get(reply, "events"), i, event) {
        char *line = prose_make("%d %s", number_of(event, "process"), text_of(event, "text"));
        if (!regexec(&expression, line, 0, NULL, 0) && ++found)
            put_event(s, event, (int)i, at);
        free(line);
    }
    fprintf(s->out, "%zu of %zu transitions\n", found, json_array_size(json_object_get(reply, "events")));
    json_decref(reply);
    json_decref(where);
    regfree(&expression);
}

/* ---- other replies ---- */

static void show_objects(struct shown *s, const json_t *reply)
{
    size_t i;
    json_t *o;
    if (!json_array_size(json_object_get(reply, "objects")))
        fprintf(s->out, "there are no objects yet\n");
    json_array_foreach(json_object_get(reply, "objects"), i, o) {
        bool changed = json_is_true(json_object_get(o, "changed"));
        fprintf(s->out, "%s %-20s %s\n", changed ? "  *" : "   ", text_of(o, "name"), text_of(o, "state"));
        if (changed)
            fprintf(s->out, "    %-20s %s\n", "  was", text_of(o, "before"));
    }
}

static void show_files(struct shown *s, const json_t *reply)
{
    size_t i;
    json_t *file;
    json_array_foreach(json_object_get(reply, "files"), i, file)
        fprintf(s->out, "  %s\n", json_string_value(file));
    if (!i)
        fprintf(s->out, "  there are none\n");
}

/* Numbered, and marked where processes stand. */
static void show_text(struct shown *s, const json_t *reply)
{
    json_t *asked = ask(s, "where"), *processes = json_object_get(json_object_get(asked, "where"), "processes"), *p;
    const char *text = text_of(reply, "text");
    size_t i;
    for (int line = 1; *text; line++) {
        size_t length = strcspn(text, "\n");
        char here[24] = "";
        json_array_foreach(processes, i, p) {
            const json_t *at = json_object_get(p, "location");
            if (json_is_object(at) && number_of(at, "line") == line && !strcmp(text_of(at, "file"), text_of(reply, "file")))
                snprintf(here + strlen(here), sizeof here - strlen(here), "%s%d", *here ? "," : "", number_of(p, "process"));
        }
        fprintf(s->out, "%6s%s %4d  %.*s\n", here, *here ? ">" : " ", line, (int)length, text);
        text += length + (text[length] == '\n');
    }
    json_decref(asked);
}

static void show_source(struct shown *s, const json_t *reply)
{
    if (json_object_get(reply, "files"))
        show_files(s, reply);
    else
        show_text(s, reply);
}

static void show_stack(struct shown *s, const json_t *reply)
{
    size_t i;
    json_t *f;
    json_array_foreach(json_object_get(reply, "frames"), i, f)
        fprintf(s->out, "  #%-3d %-24s %s:%d\n", number_of(f, "level"), text_of(f, "function"), text_of(f, "file"),
                number_of(f, "line"));
    if (!i)
        fprintf(s->out, "  no function of the program\n");
    if (json_is_true(json_object_get(reply, "cut")))
        fprintf(s->out, "  ... and more: only the innermost are looked at\n");
}

static void show_locals(struct shown *s, const json_t *reply)
{
    size_t i;
    json_t *v;
    json_array_foreach(json_object_get(reply, "variables"), i, v)
        fprintf(s->out, "  %s = %s    %s%s\n", text_of(v, "name"), text_of(v, "value"), text_of(v, "type"),
                json_is_true(json_object_get(v, "argument")) ? ", argument" : "");
    if (!i)
        fprintf(s->out, "  no variables\n");
}

static void show_space(struct shown *s, const json_t *reply)
{
    size_t i, transitions = json_array_size(json_object_get(reply, "from"));
    json_t *note;
    fprintf(s->out, "%s: %d states, %zu transitions, %zu labels (search %s, reduction %s)%s\n", text_of(reply, "program"),
            number_of(reply, "states"), transitions, json_array_size(json_object_get(reply, "labels")), text_of(reply, "search"),
            text_of(reply, "reduction"), json_is_true(json_object_get(reply, "complete")) ? "" : "; the file was cut short");
    json_array_foreach(json_object_get(reply, "notes"), i, note) {
        fprintf(s->out, "  state %d: %s", number_of(note, "state"), text_of(note, "what"));
        if (!is_null(note, "process"))
            fprintf(s->out, ", process %d", number_of(note, "process"));
        fputc('\n', s->out);
    }
}

static void show_match(struct shown *s, const json_t *reply)
{
    json_t *space = ask(s, "space"), *all = json_object_get(space, "labels"), *label;
    size_t i, count = json_array_size(json_object_get(reply, "labels"));
    json_array_foreach(json_object_get(reply, "labels"), i, label)
        fprintf(s->out, "  %s\n", json_string_value(json_array_get(all, (size_t)json_integer_value(label))));
    fprintf(s->out, "%zu of %zu labels\n", count, json_array_size(all));
    json_decref(space);
}

static void show_hello(struct shown *s, const json_t *reply)
{
    size_t i;
    json_t *file;
    fprintf(s->out, "VeriSoft %s, %s\n  scenario: %s\n", text_of(reply, "version"), text_of(reply, "program"),
            is_null(reply, "scenario") ? "none, you drive" : text_of(reply, "scenario"));
    if (!is_null(reply, "error"))
        fprintf(s->out, "  saved for: %s\n", text_of(reply, "error"));
    fprintf(s->out, "  output folder: %s\n  gdb: %s\n  state space: %s\n  source files:", text_of(reply, "output"),
            json_is_true(json_object_get(reply, "gdb")) ? "yes" : "not installed",
            json_is_true(json_object_get(reply, "space")) ? "yes" : "none saved");
    json_array_foreach(json_object_get(reply, "files"), i, file)
        fprintf(s->out, " %s", json_string_value(file));
    fputc('\n', s->out);
}

static bool show_known(struct shown *s, const char *request, const json_t *asked, const json_t *reply)
{
    static const struct { const char *request; void (*show)(struct shown *, const json_t *); } shows[] = {
        { "objects", show_objects }, { "source", show_source }, { "stack", show_stack }, { "locals", show_locals },
        { "space", show_space }, { "match", show_match }, { "hello", show_hello },
        { "scenarios", show_files },
    };
    for (size_t i = 0; i < sizeof shows / sizeof *shows; i++)
        if (!strcmp(shows[i].request, request)) {
            shows[i].show(s, reply);
            return true;
        }
    if (strcmp(request, "trace"))
        return false;
    show_trace(s, asked, reply);
    return true;
}

static void put_warning(struct shown *s, const json_t *reply)
{
    if (json_object_get(reply, "warning")) {
        char *words = prose_make("warning: %s", text_of(reply, "warning"));
        put_prose(s, words, 0, 2);
        free(words);
    }
}

void shown_reply(struct shown *s, const char *request, const json_t *asked, const json_t *reply)
{
    put_warning(s, reply);
    if (!json_is_true(json_object_get(reply, "ok")))
        fprintf(s->out, "error: %s\n", text_of(reply, "error"));
    else if (show_known(s, request, asked, reply))
        return;
    else if (json_object_get(reply, "where"))
        put_where(s, json_object_get(reply, "where"));
    else if (!strcmp(request, "print"))
        fprintf(s->out, "%s = %s    %s\n", text_of(reply, "expression"), text_of(reply, "value"), text_of(reply, "type"));
    else if (json_object_get(reply, "file"))
        fprintf(s->out, "written: %s\n", text_of(reply, "file"));
    else if (json_object_get(reply, "text"))
        put_lines(s, "", text_of(reply, "text"));
}

static void put_greeting(struct shown *s, const json_t *hello, bool guided)
{
    const json_t *where = json_object_get(hello, "where");
    int length = number_of(where, "length"), count = (int)json_array_size(json_object_get(where, "processes"));
    struct prose w = { 0 };
    if (guided)
        prose_add(&w, "VeriSoft's simulator: %s, led by %s (%d transition%s).\n", text_of(hello, "program"), text_of(hello, "scenario"),
                  length, length == 1 ? "" : "s");
    else
        prose_add(&w, "VeriSoft's simulator: %s, %d process%s. Nothing goes on by itself: you say who does.\n",
                  text_of(hello, "program"), count, count == 1 ? "" : "es");
    prose_add(&w, guided ? "next goes on along the scenario, back goes back, go 1 lets process 1 go whatever it says.\n"
                         : "go 1 lets process 1 execute its next operation, back takes the last one back.\n");
    prose_add(&w, "help lists all commands, quit ends.\n(%s %s, %s %s, %s %s)\n", marks[0].sign, marks[0].means, marks[1].sign,
              marks[1].means, marks[2].sign, marks[2].means);
    put_prose(s, w.text, 0, 0);
    fputc('\n', s->out);
    prose_fini(&w);
}

void shown_welcome(struct shown *s)
{
    json_t *hello = ask(s, "hello");
    const json_t *where = json_object_get(hello, "where");
    int length = number_of(where, "length");
    put_greeting(s, hello, !is_null(hello, "scenario"));
    put_warning(s, hello);
    if (!is_null(hello, "error")) {
        char *words = prose_make("It was saved for this error: %s", text_of(hello, "error"));
        put_prose(s, words, 0, 2);
        free(words);
    }
    if (length)
        fprintf(s->out, "The steps to come:\n");
    put_events(s, 0, length < FIRST_STEPS ? length : FIRST_STEPS, 0);
    if (length > FIRST_STEPS)
        fprintf(s->out, "         ... and %d more (trace shows all)\n", length - FIRST_STEPS);
    put_where(s, where);
    json_decref(hello);
}
