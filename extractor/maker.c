/* SPDX-License-Identifier: MIT */
#include "extractor/maker.h"

#include "base/memory.h"
#include "extractor/expression.h"
#include "extractor/fields.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct harness_machine *maker_machine(const struct maker *k)
{
    return &k->harness->machines.items[k->machine];
}

/* ---- lines ---- */

void maker_put(struct maker *k, struct origin origin, const char *format, ...)
{
    size_t from = k->out.length;
    va_list args;
    va_start(args, format);
    prose_add_list(&k->out, format, args);
    va_end(args);
    prose_add(&k->out, "\n");
    struct model *m = k->model;
    for (size_t i = from; i < k->out.length; i++) {
        if (k->out.text[i] != '\n')
            continue;
        ARRAY_GROW(m->origins, m->line_count, m->line_room);
        m->origins[m->line_count++] = origin;
    }
}

struct origin maker_nowhere(void)
{
    return (struct origin){ .kind = ORIGIN_NONE };
}

void maker_stop(struct maker *k, const struct node *n, const char *text, const struct err *why)
{
    if (!k->bad)
        fail(k->err, "%s:%d:%d: '%s' cannot be carried over: %s; name it in the map", n->place.file, n->place.line, n->place.column,
             text, why->text);
    k->bad = true;
}

/* ---- fates ---- */

void maker_account(struct maker *k, const struct function *f, int node, enum fate fate, const char *how)
{
    struct model *m = k->model;
    for (int i = 0; i < m->account_count; i++) {
        struct account *a = &m->accounts[i];
        if (a->function != f || a->node != node)
            continue;
        if (fate == FATE_LEFT_OUT)
            a->fate = fate;
        return;
    }
    ARRAY_GROW(m->accounts, m->account_count, m->account_room);
    m->accounts[m->account_count++] = (struct account){ f, node, fate, how ? prose_make("%s", how) : NULL };
}

/* ---- names ---- */

/* A field behind a pointer is the routine's own: its name there, or NULL; gives. */
static char *field_of_routine(const struct maker *k, int instance, const char *variable)
{
    char *name = prose_make("%s", variable);
    for (; name && instance > 0; instance = k->instances[instance].caller) {
        char *above = fields_of_caller(k->instances[instance].function, k->instances[instance].call, name);
        free(name);
        name = above;
    }
    return name;
}

const char *maker_look_up(struct maker *k, lookup *how, int instance, const char *variable)
{
    char *field = fields_is(variable) ? field_of_routine(k, instance, variable) : NULL;
    if (fields_is(variable))
        instance = 0;
    const char *name = fields_is(variable) && !field ? NULL : how(&k->names, k->machine, instance, k->instances[instance].function,
                                                                  field ? field : variable);
    free(field);
    return name;
}

const char *maker_name(void *arg, const char *variable)
{
    struct context *c = arg;
    return maker_look_up(c->maker, vocabulary_use, c->instance, variable);
}

/* A user's Promela, whose assertions can be switched off: assert(x) becomes assert(c_expr { vs_ignore } || (x)). */
char *maker_with_switch(const char *text)
{
    struct prose out = { 0 };
    int depth = 0, opened[64], nested = 0;
    for (const char *from = text; *text; text++) {
        bool begins = !strncmp(text, "assert", 6) && (text == from || !(isalnum((unsigned char)text[-1]) || text[-1] == '_'));
        size_t bracket = begins ? 6 + strspn(text + 6, " ") : 0;
        if (begins && text[bracket] == '(' && nested < 64) {
            prose_add(&out, "assert(c_expr { vs_ignore } || (");
            opened[nested++] = ++depth;
            text += bracket;
            continue;
        }
        depth += *text == '(';
        if (*text == ')' && nested && opened[nested - 1] == depth) {
            prose_add(&out, ")");
            nested--;
        }
        depth -= *text == ')';
        prose_bytes(&out, text, 1);
    }
    return prose_take(&out);
}

static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* A word, or a field of the function: x->timer.kind; of several of these the longest. */
static size_t variable_length(const struct function *f, const char *text)
{
    size_t length = word_length(text), best = length;
    while (length && (!strncmp(text + length, "->", 2) || (text[length] == '.' && best > 0))) {
        size_t more = length + (text[length] == '.' ? 1 : 2);
        if (!word_length(text + more))
            break;
        length = more + word_length(text + more);
        char *name = prose_make("%.*s", (int)length, text);
        if (function_variable(f, name))
            best = length;
        free(name);
    }
    return best;
}

/* A user's Promela, with the machine's variables by their names in the model. */
char *maker_user_text(struct maker *k, int instance, const char *text)
{
    struct prose out = { 0 };
    struct context c = { k, instance };
    while (*text) {
        const struct function *f = k->instances[instance].function;
        size_t length = variable_length(f, text);
        char *word = prose_make("%.*s", (int)length, text);
        bool known = length && !isdigit((unsigned char)*word) && (function_variable(f, word) || vocabulary_global(&k->names, word));
        const char *name = known ? maker_name(&c, word) : NULL;
        if (length)
            prose_add(&out, "%s", name ? name : word);
        else
            prose_bytes(&out, text, length = 1);
        text += length;
        free(word);
    }
    char *renamed = prose_take(&out), *whole = maker_with_switch(renamed);
    free(renamed);
    return whole;
}

char *maker_label(int instance, int node)
{
    return prose_make("L%d_%d", instance, node + 1);
}

/* ---- carrying over ---- */

char *maker_kept_expression(struct maker *k, int instance, const struct node *n, const struct tree *t)
{
    struct context c = { k, instance };
    struct naming naming = { maker_name, &c };
    struct prose out = { 0 };
    struct err why;
    if (!expression_put(&out, t, &naming, &why))
        maker_stop(k, n, n->text, &why);
    return prose_take(&out);
}

char *maker_kept_statement(struct maker *k, int instance, const struct node *n)
{
    struct context c = { k, instance };
    struct naming naming = { maker_name, &c };
    struct prose out = { 0 };
    struct err why;
    if (!expression_statement(&out, n->tree, &naming, &why))
        maker_stop(k, n, n->text, &why);
    return prose_take(&out);
}

/* A name that says only that there is one. */
static const char *some_name(void *arg, const char *variable)
{
    struct context *c = arg;
    const struct function *f = c->maker->instances[c->instance].function;
    char *field = fields_is(variable) ? field_of_routine(c->maker, c->instance, variable) : NULL;
    bool known = fields_is(variable) ? field && function_variable(c->maker->instances[0].function, field)
                                     : function_variable(f, variable) || vocabulary_global(&c->maker->names, variable);
    free(field);
    return known ? "x" : NULL;
}

bool maker_can_keep(struct maker *k, int instance, const struct node *n)
{
    struct context c = { k, instance };
    struct naming naming = { some_name, &c };
    struct prose out = { 0 };
    struct err why;
    bool fine = expression_statement(&out, n->tree, &naming, &why);
    prose_fini(&out);
    return fine;
}

bool maker_keeps_all(const struct maker *k)
{
    return k->harness->unmapped == UNMAPPED_KEEP;
}
