/* SPDX-License-Identifier: MIT */
#include "extractor/machine.h"

#include "base/memory.h"
#include "base/prose.h"
#include "extractor/written.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader { const char *at; int line; struct err *err; bool bad; };

static void *wrong(struct reader *r, const char *what)
{
    if (!r->bad)
        fail(r->err, "the annotated state machine, line %d: %s expected; extract it again with this version of verisoft", r->line, what);
    r->bad = true;
    return NULL;
}

/* ---- words ---- */

static void blanks(struct reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool take(struct reader *r, const char *text)
{
    size_t length = strlen(text);
    blanks(r);
    if (strncmp(r->at, text, length))
        return false;
    r->at += length;
    return true;
}

static char *word(struct reader *r)
{
    blanks(r);
    size_t length = strcspn(r->at, " \n()\"[]");
    if (!length)
        return wrong(r, "a word");
    char *found = prose_make("%.*s", (int)length, r->at);
    r->at += length;
    return found;
}

static char *quoted(struct reader *r)
{
    struct prose text = { 0 };
    if (!take(r, "\""))
        return wrong(r, "a text in quotes");
    for (; *r->at && *r->at != '"' && *r->at != '\n'; r->at++) {
        bool escaped = *r->at == '\\' && r->at[1];
        r->at += escaped;
        prose_bytes(&text, escaped && *r->at == 'n' ? "\n" : r->at, 1);
    }
    if (*r->at != '"') {
        prose_fini(&text);
        return wrong(r, "a closing quote");
    }
    r->at++;
    return prose_take(&text);
}

static bool is_quoted(struct reader *r)
{
    blanks(r);
    return *r->at == '"';
}

static long long number(struct reader *r)
{
    char *end;
    blanks(r);
    long long value = *r->at == '-' ? strtoll(r->at, &end, 10) : (long long)strtoull(r->at, &end, 10);
    if (end == r->at)
        wrong(r, "a number");
    r->at = end;
    return value;
}

static struct place_in place(struct reader *r)
{
    struct place_in p = { .file = quoted(r) };
    if (take(r, ":"))
        p.line = (int)number(r);
    if (take(r, ":"))
        p.column = (int)number(r);
    return p;
}

/* ---- trees ---- */

void tree_free(struct tree *t)
{
    if (!t)
        return;
    for (int i = 0; i < t->count; i++)
        tree_free(t->parts[i]);
    free(t->parts);
    free(t->op);
    free(t->type);
    free(t->name);
    free(t);
}

static char *operator(struct reader *r)
{
    size_t length = strcspn(r->at, " \n");
    char *found = prose_make("%.*s", (int)length, r->at);
    r->at += length;
    return found;
}

static struct tree *tree(struct reader *r)
{
    if (!take(r, "("))
        return wrong(r, "an expression");
    struct tree *t = memory_get(sizeof *t);
    t->op = operator(r);
    t->type = quoted(r);
    if (!strcmp(t->op, "int"))
        t->value = number(r);
    for (blanks(r); !r->bad && *r->at != ')'; blanks(r)) {
        if (*r->at == '(') {
            ARRAY_GROW(t->parts, t->count, t->room);
            t->parts[t->count] = tree(r);
            t->count += t->parts[t->count] != NULL;
        } else {
            free(t->name);
            t->name = is_quoted(r) ? quoted(r) : word(r);
        }
    }
    r->at += *r->at == ')';
    return t;
}

static struct tree *maybe_tree(struct reader *r)
{
    blanks(r);
    return *r->at == '(' ? tree(r) : NULL;
}

/* ---- lines ---- */

static void variable(struct reader *r, struct variables_of *v, bool is_static, bool parameter)
{
    ARRAY_GROW(v->items, v->count, v->room);
    struct variable_of *new = &v->items[v->count++];
    *new = (struct variable_of){ .is_static = is_static, .parameter = parameter };
    new->name = word(r);
    new->type = quoted(r);
    new->place = place(r);
    new->per_thread = take(r, "thread");
    if (is_quoted(r))
        new->text = quoted(r);
    new->value = maybe_tree(r);
}

/* Two files may say the same. */
static void text_line(struct reader *r, struct texts_of *t)
{
    char *text = quoted(r);
    for (int i = 0; text && i < t->count; i++)
        if (!strcmp(t->items[i], text)) {
            free(text);
            return;
        }
    ARRAY_GROW(t->items, t->count, t->room);
    if (text)
        t->items[t->count++] = text;
}

static void way(struct reader *r, struct node *n)
{
    ARRAY_GROW(n->ways, n->way_count, n->way_room);
    struct way *w = &n->ways[n->way_count++];
    *w = (struct way){ 0 };
    if (take(r, "default") || (w->none = take(r, "none"))) {
        w->fallback = true;
    } else {
        w->low = w->high = number(r);
        if (take(r, ".."))
            w->high = number(r);
        if (take(r, "="))
            w->name = word(r);
    }
    if (!take(r, "]"))
        wrong(r, "]");
    w->to = (int)number(r) - 1;
}

static void targets(struct reader *r, struct node *n)
{
    n->next = n->otherwise = -1;
    if (!take(r, "->"))
        return;
    blanks(r);
    if (*r->at == '[')
        while (take(r, "["))
            way(r, n);
    else
        n->next = (int)number(r) - 1;
    blanks(r);
    if (isdigit((unsigned char)*r->at))
        n->otherwise = (int)number(r) - 1;
}

static void node(struct reader *r, struct function *f)
{
    static const char *const kinds[] = { "do", "if", "switch", "goto", "break", "continue", "return" };
    if (number(r) != f->count + 1)
        wrong(r, "the next number of a node");
    char *kind = word(r);
    size_t k = 0;
    while (kind && k < sizeof kinds / sizeof *kinds && strcmp(kinds[k], kind))
        k++;
    free(kind);
    if (k == sizeof kinds / sizeof *kinds)
        wrong(r, "a kind of node");
    ARRAY_GROW(f->nodes, f->count, f->room);
    struct node *n = &f->nodes[f->count++];
    *n = (struct node){ .kind = (enum node_kind)k, .place = place(r) };
    char *expanded = is_quoted(r) ? quoted(r) : NULL;
    n->text = expanded ? written(expanded) : NULL;
    free(expanded);
    n->tree = maybe_tree(r);
    targets(r, n);
}

static void state(struct reader *r, struct function *f)
{
    ARRAY_GROW(f->states, f->state_count, f->state_room);
    struct state_of *s = &f->states[f->state_count++];
    s->name = word(r);
    s->number = (int)number(r);
    s->place = place(r);
}

static bool in_function(struct reader *r, struct function *f)
{
    if      (take(r, "parameter ")) variable(r, &f->variables, false, true);
    else if (take(r, "static "))    variable(r, &f->variables, true, false);
    else if (take(r, "local "))     variable(r, &f->variables, false, false);
    else if (take(r, "state "))     state(r, f);
    else if (take(r, "entry "))     f->entry = (int)number(r) - 1;
    else if (take(r, "node "))      node(r, f);
    else return false;
    return true;
}

static void function(struct reader *r, struct machines *m)
{
    ARRAY_GROW(m->functions, m->count, m->room);
    struct function *f = &m->functions[m->count++];
    *f = (struct function){ 0 };
    f->name = word(r);
    f->type = quoted(r);
    f->place = place(r);
    take(r, "static");
    f->unasked = take(r, "unasked");
}

static void constant(struct reader *r, struct machines *m)
{
    ARRAY_GROW(m->constants, m->constant_count, m->constant_room);
    struct constant *c = &m->constants[m->constant_count++];
    c->name = word(r);
    c->value = number(r);
    c->type = is_quoted(r) ? quoted(r) : NULL;
    for (int i = 0; i + 1 < m->constant_count && !r->bad; i++)
        if (!strcmp(m->constants[i].name, c->name) && m->constants[i].value != c->value) {
            fail(r->err, "the constant %s is %lld in one source and %lld in another, so that nobody can tell which is meant; call one of them "
                 "something else", c->name, m->constants[i].value, c->value);
            r->bad = true;
        }
}

static void field(struct reader *r, struct machines *m)
{
    ARRAY_GROW(m->fields, m->field_count, m->field_room);
    struct field *f = &m->fields[m->field_count++];
    f->of = quoted(r);
    f->name = word(r);
    f->type = quoted(r);
}

static void line(struct reader *r, struct machines *m, bool *open)
{
    blanks(r);
    if (*open && take(r, "end"))
        *open = false;
    else if (take(r, "type "))
        text_line(r, &m->types);
    else if (take(r, "union "))
        text_line(r, &m->joined);
    else if (take(r, "bits "))
        text_line(r, &m->bits);
    else if (*open && in_function(r, &m->functions[m->count - 1]))
        return;
    else if (take(r, "function ")) {
        function(r, m);
        *open = true;
    } else if (take(r, "constant "))
        constant(r, m);
    else if (take(r, "field "))
        field(r, m);
    else if (take(r, "variable "))
        variable(r, &m->globals, true, false);
    else if (take(r, "source "))
        free(quoted(r));
    else if (take(r, "include "))
        text_line(r, &m->includes);
    else
        wrong(r, "a line of this format");
}

static bool leads_somewhere(const struct function *f, int to)
{
    return to >= -1 && to < f->count;
}

static void check(struct reader *r, const struct machines *m)
{
    for (int i = 0; i < m->count; i++) {
        const struct function *f = &m->functions[i];
        bool fine = f->count && f->entry >= 0 && f->entry < f->count;
        for (int n = 0; n < f->count; n++) {
            fine &= leads_somewhere(f, f->nodes[n].next) && leads_somewhere(f, f->nodes[n].otherwise);
            for (int w = 0; w < f->nodes[n].way_count; w++)
                fine &= f->nodes[n].ways[w].to >= 0 && f->nodes[n].ways[w].to < f->count;
        }
        if (!fine)
            wrong(r, "targets that are nodes");
    }
}

int machines_read(struct machines *m, const char *text, struct err *err)
{
    struct reader r = { .at = text, .line = 1, .err = err };
    bool open = false;
    *m = (struct machines){ 0 };
    if (!take(&r, "verisoft machine 1\n"))
        wrong(&r, "the header 'verisoft machine 1'");
    for (r.line = 2; !r.bad && *r.at; r.line++) {
        line(&r, m, &open);
        blanks(&r);
        if (*r.at != '\n')
            wrong(&r, "the end of the line");
        r.at += *r.at == '\n';
    }
    if (!r.bad)
        check(&r, m);
    return r.bad ? -1 : 0;
}

/* ---- the end, and questions ---- */

static void fini_variables(struct variables_of *v)
{
    for (int i = 0; i < v->count; i++) {
        free(v->items[i].name);
        free(v->items[i].type);
        free(v->items[i].place.file);
        free(v->items[i].text);
        tree_free(v->items[i].value);
    }
    free(v->items);
}

static void fini_node(struct node *n)
{
    free(n->place.file);
    free(n->text);
    tree_free(n->tree);
    for (int i = 0; i < n->way_count; i++)
        free(n->ways[i].name);
    free(n->ways);
}

static void fini_function(struct function *f)
{
    for (int i = 0; i < f->count; i++)
        fini_node(&f->nodes[i]);
    for (int i = 0; i < f->state_count; i++) {
        free(f->states[i].name);
        free(f->states[i].place.file);
    }
    fini_variables(&f->variables);
    free(f->nodes);
    free(f->states);
    free(f->name);
    free(f->type);
    free(f->place.file);
}

static void fini_texts(struct texts_of *t)
{
    for (int i = 0; i < t->count; i++)
        free(t->items[i]);
    free(t->items);
}

void machines_fini(struct machines *m)
{
    for (int i = 0; i < m->count; i++)
        fini_function(&m->functions[i]);
    for (int i = 0; i < m->constant_count; i++) {
        free(m->constants[i].name);
        free(m->constants[i].type);
    }
    for (int i = 0; i < m->field_count; i++) {
        free(m->fields[i].of);
        free(m->fields[i].name);
        free(m->fields[i].type);
    }
    free(m->fields);
    fini_texts(&m->includes);
    fini_texts(&m->types);
    fini_texts(&m->joined);
    fini_texts(&m->bits);
    fini_variables(&m->globals);
    free(m->functions);
    free(m->constants);
    *m = (struct machines){ 0 };
}

bool node_fails(const struct node *n)
{
    const struct tree *t = n->kind == NODE_DO ? n->tree : NULL;
    const char *called = t && !strcmp(t->op, "call") && t->count && !strcmp(t->parts[0]->op, "fun") ? t->parts[0]->name : "";
    return !strcmp(called, "__assert_fail") || !strcmp(called, "abort");
}

static bool has(const struct texts_of *all, const char *text)
{
    for (int i = 0; i < all->count; i++)
        if (!strcmp(all->items[i], text))
            return true;
    return false;
}

bool machines_is_joined(const struct machines *m, const char *field) { return has(&m->joined, field); }
bool machines_is_bits(const struct machines *m, const char *field)   { return has(&m->bits, field); }

bool machines_same_enum(const char *constant, const char *type)
{
    static const char tag[] = "enum vs_enum_";   /* of one that has none: an array of it is of its typedef */
    return !strcmp(constant, type) || (!strncmp(constant, tag, sizeof tag - 1) && !strcmp(constant + sizeof tag - 1, type));
}

const char *machines_word(const struct machines *m, const char *type, long long value)
{
    for (const char *word; (word = strchr(type, ' ')) && (!strncmp(type, "const ", 6) || !strncmp(type, "volatile ", 9));)
        type = word + 1;
    for (int i = 0; i < m->constant_count; i++)
        if (m->constants[i].type && m->constants[i].value == value && machines_same_enum(m->constants[i].type, type))
            return m->constants[i].name;
    return NULL;
}

const char *plain_name(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

const struct function *machines_function(const struct machines *m, const char *name)
{
    for (int i = 0; i < m->count; i++)
        if (!strcmp(m->functions[i].name, name))
            return &m->functions[i];
    return NULL;
}

const struct variable_of *function_variable(const struct function *f, const char *name)
{
    for (int i = 0; i < f->variables.count; i++)
        if (!strcmp(f->variables.items[i].name, name))
            return &f->variables.items[i];
    return NULL;
}

int function_parameters(const struct function *f)
{
    int count = 0;
    while (count < f->variables.count && f->variables.items[count].parameter)
        count++;
    return count;
}
