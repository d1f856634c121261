/* Calls as acts: of functions of the C library, of the program's own, through pointers, and of what a map names.
 * SPDX-License-Identifier: MIT */
#include "extractor/lower.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool is(const struct tree *t, const char *op) { return !strcmp(t->op, op); }

static const char *const *arguments_of(struct lower *l, const struct tree *t)
{
    const char **to = program_list(l->p, t->count - 1);
    for (int i = 1; i < t->count; i++)
        to[i - 1] = lower_value(l, t->parts[i]);
    return to;
}

/* memcpy and its like are done in pieces, as a machine does, if they are few: others come between them. */
static bool is_moved(const struct lower *l, const struct tree *t)
{
    static const char *const names[] = { "memcpy", "memmove", "memset", "__builtin_memcpy", "__builtin_memmove", "__builtin_memset" };
    if (l->p->alone || l->p->atomic || t->count != 4)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], t->parts[0]->name))
            return true;
    return false;
}

static const char *move(struct lower *l, const struct tree *t, const char *const *arguments)
{
    bool sets = strstr(t->parts[0]->name, "memset") != NULL;
    const char *to = lower_temporary(l, "void *"), *size = lower_temporary(l, "unsigned long"), *piece = lower_temporary(l, "unsigned long");
    const char *from = lower_temporary(l, sets ? "int" : "const void *");
    lower_code(l, "%s = %s; %s = %s; %s = %s; %s = 0;", to, arguments[0], from, arguments[1], size, arguments[2], piece);
    lower_pieces(l, piece, program_text(l->p, "vs_%s(%s, %s, %s, %s);", sets ? "set" : "move", to, from, size, piece),
                 program_text(l->p, "vs_more(%s, %s, %s, %s)", to, sets ? "NULL" : from, size, piece));
    return to;
}

/* Of a function of the C library that looks at nothing but its arguments. */
static const char *library(struct lower *l, const struct tree *t, const char *const *arguments)
{
    struct prose out = { 0 };
    bool pointers = false, nothing = !strcmp(t->type, "void");
    prose_add(&out, "%s(", t->parts[0]->name);
    for (int i = 1; i < t->count; i++) {
        prose_add(&out, "%s%s", i > 1 ? ", " : "", arguments[i - 1]);
        pointers |= ctype_is_pointer(t->parts[i]->type);
    }
    const char *text = program_text(l->p, "%s)", out.text), *to = text;
    prose_fini(&out);
    if (pointers) {
        to = nothing ? "" : lower_temporary(l, t->type);
        lower_visible(l);
        lower_code(l, "%s%s%s;", to, nothing ? "" : " = ", text);
    }
    return to;
}

static void pass(struct lower *l, struct prose *out, int callee, const struct tree *t, const char *const *arguments, int back)
{
    const struct function *f = &l->p->machines->functions[callee];
    int parameters = function_parameters(f);
    prose_add(out, "{ struct frame_%d *n = vs_push(me, sizeof *f, sizeof *n, %d); ", callee, back);
    for (int i = 0; i < parameters && i + 1 < t->count; i++)
        prose_add(out, "n->%s = %s; ", strrchr(program_variable(l->p, callee, f->variables.items[i].name), '>') + 1, arguments[i]);
    prose_add(out, "vs_world.t[me].called = %d; }", callee);
}

/* What a function has returned, out of the frame that is gone. */
static void fetch(struct lower *l, int callee, const char *to)
{
    bool nothing = !strcmp(l->p->machines->functions[callee].type, "void") || !*to;
    lower_code(l, "{ struct frame_%d *n = vs_dead(me, sizeof *f); ", callee);
    if (!nothing)
        lower_code(l, "%s = n->result; ", to);
    lower_code(l, "memset(n, 0, sizeof *n); }");
}

static const char *follow(struct lower *l, const struct tree *t, int callee, const char *const *arguments, bool wanted)
{
    struct prose code = { 0 };
    const char *to = wanted && strcmp(t->type, "void") ? lower_temporary(l, t->type) : "";
    lower_flush(l);
    pass(l, &code, callee, t, arguments, l->p->count + 1);
    struct act *a = program_act(l->p, ACT_CALL, l->function, l->node);
    a->called = callee;
    a->code = program_text(l->p, "%s", code.text);
    prose_fini(&code);
    fetch(l, callee, to);
    l->followed = true;
    return to;
}

/* Both pointers, both numbers, or the same struct: what a cast of a function pointer may mix up, and a machine does not notice. */
static bool passes(struct program *p, const char *argument, const char *parameter)
{
    const char *from = ctype_plain(p, argument), *to = ctype_plain(p, parameter);
    if (ctype_is_pointer(from) || strchr(from, '('))
        return ctype_is_pointer(to);
    return !strcmp(from, to) || (ctype_is_number(from) && ctype_is_number(to));
}

bool lower_fits(struct program *p, int callee, const struct tree *t)
{
    const struct function *f = &p->machines->functions[callee];
    bool fits = p->frames[callee].address && function_parameters(f) == t->count - 1;
    for (int i = 1; fits && i < t->count; i++)
        fits = passes(p, t->parts[i]->type, f->variables.items[i - 1].type);
    return fits && (!strcmp(t->type, "void") || passes(p, t->type, f->type));
}

/* Through a pointer: any function of the program whose address is taken, and that has such parameters. */
static const char *follow_pointer(struct lower *l, const struct tree *t, const char *pointer, const char *const *arguments, bool wanted)
{
    struct prose code = { 0 };
    const char *to = wanted && strcmp(t->type, "void") ? lower_temporary(l, t->type) : "", *which = lower_temporary(l, "int");
    lower_code(l, "%s = vs_entry_of((const void *)%s);", which, pointer);
    lower_flush(l);
    for (int i = 0; i < l->p->machines->count; i++) {
        if (!lower_fits(l->p, i, t))
            continue;
        prose_add(&code, "if (%s == %d) ", which, i);
        pass(l, &code, i, t, arguments, l->p->count + 1);
        prose_add(&code, " else ");
    }
    prose_add(&code, "{ vs_wrong(\"a call through a pointer that is to no function of the program that fits\", \"\"); vs_world.t[me].called = -1; }");
    struct act *a = program_act(l->p, ACT_CALL, l->function, l->node);
    a->called = -1;
    a->through = t;
    a->code = program_text(l->p, "%s", code.text);
    prose_fini(&code);
    for (int i = 0; i < l->p->machines->count; i++)
        if (lower_fits(l->p, i, t)) {
            lower_code(l, "if (%s == %d) ", which, i);
            fetch(l, i, to);
        }
    lower_code(l, "(void)0;");
    l->followed = true;
    return to;
}

void lower_call_pointer(struct lower *l, const char *pointer)
{
    static const struct tree none = { .op = (char *)"call", .type = (char *)"void", .count = 1 };
    const char *kept = lower_temporary(l, "void *");
    lower_code(l, "%s = (void *)(%s);", kept, pointer);
    int choice = lower_test(l, kept);
    follow_pointer(l, &none, kept, NULL, false);
    lower_flush(l);
    l->p->acts[choice].next = choice + 1;
    l->p->acts[choice].otherwise = l->p->count;
    lower_code(l, "(void)0;");
}

/* An argument whose value is of no use: what leads to it is done all the same, and may fail. Who else changes it meanwhile does not matter. */
static void look_at(struct lower *l, const struct tree *t)
{
    if (is(t, "var") || is(t, "str") || is(t, "int") || is(t, "float") || is(t, "fun"))
        return;
    if (is(t, ".") || is(t, "cast"))
        look_at(l, t->parts[0]);
    else if (is(t, "->") || is(t, "pre*") || is(t, "[]"))
        lower_touch(l, t);
    else if (strcmp(t->type, "void") && !ctype_is_array(t->type)) {
        const char *text = lower_value(l, t);
        if (strpbrk(text, "/%["))                /* it fails by itself */
            lower_code(l, "{ volatile __typeof__(%s) vs_of_no_use = %s; (void)vs_of_no_use; }", text, text);
    } else
        lower_effect(l, t);
}

static const char *mapped(struct lower *l, const struct tree *t, struct map_entry *e, bool wanted)
{
    const char *right = e->right;
    const char *name = is(t->parts[0], "fun") ? plain_name(t->parts[0]->name) : "";
    e->used++;
    l->mapped = true;
    if (!strcmp(right, "skip") || !strcmp(right, "true")) {
        for (int i = 1; i < t->count; i++)
            look_at(l, t->parts[i]);
        return wanted && strcmp(t->type, "void") ? lower_stop(l, t, program_text(l->p, "the map skips %s, but its value is used", name)) : "";
    }
    const char *const *arguments = arguments_of(l, t);
    if (!strcmp(right, "keep"))
        return is_moved(l, t) ? move(l, t, arguments) : library(l, t, arguments);
    bool ours = e >= l->p->defaults.items && e < l->p->defaults.items + l->p->defaults.count;
    struct operands operands = { arguments, t->count - 1, name, "", !ours };
    if (!strncmp(right, "c_value", 7)) {
        const char *open = strchr(right, '{'), *close = strrchr(right, '}');
        char *between = open && close > open ? prose_make("%.*s", (int)(close - open - 1), open + 1) : prose_make("0");
        char *text = lower_operand_text(l, between, &operands, 0);
        const char *kept = program_text(l->p, "(%s)", text);
        free(between);
        free(text);
        return kept;
    }
    const char *to = strcmp(t->type, "void") && strstr(right, "$$") ? lower_temporary(l, t->type) : "";
    operands.result = to;
    lower_operation(l, right, &operands);
    return to;
}

const char *lower_call(struct lower *l, const struct tree *t, bool wanted)
{
    char *text = tree_text(t);
    struct map_entry *e = l->function >= 0 ? program_entry(l->p, text) : NULL;
    assert(t->count > 0);            /* what is called comes first */
    bool direct = is(t->parts[0], "fun");
    int callee = direct ? program_function(l->p, t->parts[0]->name) : -1;
    free(text);
    if (l->function < 0)
        return lower_stop(l, t, "a call cannot be a first value");
    if (e && (callee < 0 || e < l->p->defaults.items || e >= l->p->defaults.items + l->p->defaults.count))
        return mapped(l, t, e, wanted);
    if (direct && callee < 0 && program_is_builtin(t->parts[0]->name) && strcmp(t->type, "void"))
        return library(l, t, arguments_of(l, t));
    if (direct && callee < 0)
        return lower_stop(l, t, program_text(l->p, "%s() is in no source that was given, and the map does not name it", t->parts[0]->name));
    if (direct)
        return follow(l, t, callee, arguments_of(l, t), wanted);
    const struct tree *which = t->parts[0];
    while (is(which, "pre*") && which->count == 1)
        which = which->parts[0];
    const char *pointer = lower_value(l, which);
    return follow_pointer(l, t, pointer, arguments_of(l, t), wanted);
}
