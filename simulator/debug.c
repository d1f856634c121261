/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/debug_internal.h"

#include "base/memory.h"
#include "base/prose.h"
#include "simulator/mi.h"

#include <stdlib.h>
#include <string.h>

/* ---- stacks ---- */

/* The frame's number in gdb; -1 with err: there is none. */
static int level_of(const struct debug_view *v, int process, int frame, struct err *err)
{
    size_t count = json_array_size(v->frames);
    if (!count && !frame)
        return 0;                    /* not in its own code: there are only global variables */
    if (!count)
        return fail(err, "process %d has no frame %d: it is not in its own code", process + 1, frame), -1;
    if (frame < 0 || (size_t)frame >= count)
        return fail(err, v->cut ? "process %d: frame %d is not among those that are looked at, 0 to %zu"
                                : "process %d has no frame %d; it has 0 to %zu", process + 1, frame, count - 1), -1;
    return atoi(debug_text(json_array_get(v->frames, (size_t)frame), "level"));
}

static json_t *describe_frame(const json_t *frame, size_t level)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:i}", "level", (int)level, "function", debug_text(frame, "func"), "file",
                     debug_text(frame, "file"), "path", debug_text(frame, "fullname"), "line", atoi(debug_text(frame, "line")));
}

json_t *debug_stack(struct debug *d, const struct trace *trace, uint32_t at, int process, bool *cut, struct err *err)
{
    struct debug_view v;
    if (debug_look(d, trace, at, process, &v, err))
        return NULL;
    json_t *frames = json_array(), *frame;
    size_t i;
    json_array_foreach(v.frames, i, frame)
        json_array_append_new(frames, describe_frame(frame, i));
    *cut = v.cut;
    debug_view_fini(&v);
    return frames;
}

/* ---- variables ---- */

/* Types come with the simple values, those of structs and arrays with all of them; the order is the same. */
static json_t *list_variables(const struct debug_view *v, int level, int *failure, struct err *err)
{
    static const char ask[] = "-stack-list-variables --thread %d --frame %d --%s-values";
    json_t *types = gdb_ask(v->gdb, failure, err, ask, v->thread, level, "simple");
    json_t *values = *failure ? NULL : gdb_ask(v->gdb, failure, err, ask, v->thread, level, "all");
    json_t *all = json_array(), *variable;
    size_t i;
    json_array_foreach(json_object_get(values, "variables"), i, variable) {
        const json_t *type = json_array_get(json_object_get(types, "variables"), i);
        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:b}", "name", debug_text(variable, "name"), "type", debug_text(type, "type"),
                                             "value", debug_text(variable, "value"), "argument", *debug_text(variable, "arg") == '1'));
    }
    json_decref(types);
    json_decref(values);
    return all;
}

json_t *debug_locals(struct debug *d, const struct trace *trace, uint32_t at, int process, int frame, struct err *err)
{
    struct debug_view v;
    int failure = debug_look(d, trace, at, process, &v, err);
    if (failure)
        return NULL;
    int level = level_of(&v, process, frame, err);
    json_t *all = level < 0 ? NULL : json_array_size(v.frames) ? list_variables(&v, level, &failure, err) : json_array();
    debug_view_fini(&v);
    if (!failure)
        return all;
    json_decref(all);
    return NULL;
}

/* Behind a string or a character, or one character on. */
static const char *pass(const char *at)
{
    char quote = *at++;
    if (quote != '"' && quote != '\'')
        return at;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* What would change the copy, which then is not where the trace stands; or run a command of the shell. */
static bool changes(const char *expression)
{
    for (const char *at = expression; *at; at = pass(at)) {
        if (!strncmp(at, "++", 2) || !strncmp(at, "--", 2) || !strncmp(at, "$_shell", 7) || !strncmp(at, "$_gdb_", 6))
            return true;
        if (*at != '=')
            continue;
        if (at[1] == '=') {
            at++;
            continue;
        }
        bool shifts = at - expression >= 2 && (!strncmp(at - 2, "<<", 2) || !strncmp(at - 2, ">>", 2));
        if (at == expression || !strchr("=!<>", at[-1]) || shifts)
            return true;
    }
    return false;
}

static char *type_of(const struct debug_view *v, int level, const char *quoted)
{
    struct err err;
    int failure;
    json_t *made = gdb_ask(v->gdb, &failure, &err, "-var-create --thread %d --frame %d - * %s", v->thread, level, quoted);
    if (!made)
        return NULL;
    char *type = memory_text(debug_text(made, "type"));
    json_decref(gdb_ask(v->gdb, &failure, &err, "-var-delete %s", debug_text(made, "name")));
    json_decref(made);
    return type;
}

static json_t *value_of(const struct debug_view *v, int level, const char *quoted, struct err *err)
{
    int failure;
    return gdb_ask(v->gdb, &failure, err, "-data-evaluate-expression --thread %d --frame %d %s", v->thread, level, quoted);
}

/* gdb gives of a C++ reference only the address. */
static json_t *value_behind(const struct debug_view *v, int level, const char *expression)
{
    struct err unused;
    char *behind = prose_make("*&(%s)", expression), *quoted = mi_quote(behind);
    json_t *answer = value_of(v, level, quoted, &unused);
    free(behind);
    free(quoted);
    return answer;
}

static bool is_reference(const char *type) { return *type && type[strlen(type) - 1] == '&'; }

static json_t *evaluate(const struct debug_view *v, int level, const char *expression, struct err *err)
{
    char *quoted = mi_quote(expression);
    json_t *answer = value_of(v, level, quoted, err);
    char *type = answer ? type_of(v, level, quoted) : NULL;
    json_t *behind = type && is_reference(type) ? value_behind(v, level, expression) : NULL;
    if (behind) {
        json_decref(answer);
        answer = behind;
    }
    json_t *all = !answer ? NULL : json_pack("{s:s, s:s, s:s}", "expression", expression, "type", type ? type : "", "value",
                                             debug_text(answer, "value"));
    if (answer && !all)
        fail(err, "the expression is not in UTF-8");
    free(type);
    free(quoted);
    json_decref(answer);
    return all;
}

json_t *debug_print(struct debug *d, const struct trace *trace, uint32_t at, int process, int frame, const char *expression,
                    struct err *err)
{
    struct debug_view v;
    if (!expression[strspn(expression, " \t\n")])
        return fail(err, "print what? A C expression, for instance the name of a variable"), NULL;
    if (changes(expression))
        return fail(err, "%s: an expression that changes the program cannot be printed, for then it would not be where the trace "
                    "stands", expression), NULL;
    if (debug_look(d, trace, at, process, &v, err))
        return NULL;
    int level = level_of(&v, process, frame, err);
    json_t *all = level < 0 ? NULL : evaluate(&v, level, expression, err);
    debug_view_fini(&v);
    return all;
}

/* ---- begin and end ---- */

struct debug *debug_new(const struct job *job)
{
    struct debug *d = memory_get(sizeof *d);
    d->job = job;
    d->live = live_new(job);
    d->inside.process = -1;
    return d;
}

void debug_free(struct debug *d)
{
    if (!d)
        return;
    for (int i = 0; i < MOST_GDBS; i++)
        gdb_free(d->seats[i].gdb);
    live_free(d->live);
    debug_forget_inside(d);
    free(d);
}

const struct inside *debug_inside(const struct debug *d)
{
    return &d->inside;
}

bool debug_possible(void)
{
    return gdb_installed();
}
