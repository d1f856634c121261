/* SPDX-License-Identifier: MIT */
#include "extractor/vocabulary.h"

#include "base/memory.h"
#include "extractor/expression.h"
#include "extractor/fields.h"
#include "extractor/look.h"
#include "base/prose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char words[] = " D_proctype active always assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan do "
    "d_step else empty enabled end environment equivalent eval eventually false fi for full get_priority goto hidden if implies in init "
    "inline int len local ltl me mtype nempty never nfull next notrace np_ od of pc_value print printf printm priority proctype provided "
    "release return run select set_priority short show skip stronguntil timeout trace true typedef unless unsigned until waits weakuntil "
    "xr xs _ _last _nr_pr _pid _priority STDIN ";

bool vocabulary_reserved(const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static bool is_constant(const struct vocabulary *n, const char *word)
{
    for (int i = 0; i < n->machines->constant_count; i++)
        if (!strcmp(n->machines->constants[i].name, word))
            return true;
    return false;
}

/* ---- what properties speak of ---- */

static size_t word_length(const char *text)
{
    return isdigit((unsigned char)*text) ? 0 : strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

struct reference { int machine; char *index, *what; bool state; const char *behind; };   /* index: NULL, or what stands in [] */

/* MACHINE.what, MACHINE@what, MACHINE[index].what at this place? */
static bool reference(const struct harness *h, const char *text, struct reference *r)
{
    size_t length = word_length(text);
    *r = (struct reference){ .machine = -1 };
    for (int i = 0; length && i < h->machines.count; i++)
        if (strlen(h->machines.items[i].name) == length && !strncmp(h->machines.items[i].name, text, length))
            r->machine = i;
    if (r->machine < 0)
        return false;
    text += length + strspn(text + length, " ");
    size_t close = *text == '[' ? strcspn(text, "]") : 0;
    if (close && text[close])
        r->index = prose_make("%.*s", (int)close - 1, text + 1);
    text += close ? close + 1 : 0;
    text += strspn(text, " ");
    r->state = *text == '@';
    size_t what = *text == '.' || *text == '@' ? word_length(text + 1 + strspn(text + 1, " ")) : 0;
    if (!what) {
        free(r->index);
        return false;
    }
    text += 1 + strspn(text + 1, " ");
    while (!r->state && text[what] == '.' && word_length(text + what + 1))       /* phone.timer.kind */
        what += 1 + word_length(text + what + 1);
    r->what = prose_make("%.*s", (int)what, text);
    r->behind = text + what;
    return true;
}

/* The variable that a reference means; with a state its number in *number. */
static const struct variable_of *meant(const struct machines *m, const struct harness *h, const struct reference *r, long long *number,
                                       struct err *err)
{
    const struct harness_machine *hm = &h->machines.items[r->machine];
    const struct function *f = machines_function(m, hm->function);
    const char *name = r->state ? hm->state : !strcmp(r->what, "event") && hm->event ? hm->event : r->what;
    const struct variable_of *v = f && name ? function_variable(f, name) : NULL;
    int length;
    if (!v && f && name)
        v = fields_called(f, name);
    if (r->state && v && !look_state_number(f, hm->state, r->what, number))
        fail(err, "%s@%s: %s has no control state %s", hm->name, r->what, hm->function, r->what);
    else if (!v)
        fail(err, "%s%c%s: the function %s has no %s", hm->name, r->state ? '@' : '.', r->what, hm->function,
             r->state ? "variable for its control state" : "such variable");
    else if (!expression_type(v->type, &length))
        fail(err, "%s.%s: Promela has no type for %s", hm->name, r->what, v->type);
    else if (!r->index && hm->count > 1)
        fail(err, "%s.%s: there are %d of them; write %s[0].%s", hm->name, r->what, hm->count, hm->name, r->what);
    else
        return v;
    return NULL;
}

/* Letters that C's names do not have: of x~2, x->timer.kind, b.c:x. */
static void make_word(char *name)
{
    char *to = name;
    for (char *from = name; *from; from++)
        if (from[0] == '-' && from[1] == '>')
            *to++ = '_', from++;
        else
            *to++ = *from == '~' || *from == '.' || *from == ':' ? '_' : *from;
    *to = '\0';
}

static char *watched_name(const struct harness_machine *m, const char *variable, const char *index)
{
    const char *arrow = strstr(variable, "->");
    char *base = prose_make("%s_%s", m->name, arrow ? arrow + 2 : variable);
    make_word(base);
    char *name = m->count > 1 && index ? prose_make("%s[%s]", base, index) : prose_make("%s", base);
    free(base);
    return name;
}

/* Of a program: what the C file calls it. */
static char *program_symbol(const struct harness *h, const char *text)
{
    for (int i = 0; i < h->properties.count; i++)
        for (int k = 0; k < h->properties.items[i].symbol_count; k++)
            if (!strcmp(h->properties.items[i].symbols[k].expression, text))
                return prose_make("c_expr { vs_s%d_%d }", i, k);
    return prose_make("0");
}

char *promela_symbol(const struct machines *m, const struct harness *h, const char *text, struct err *err)
{
    struct prose out = { 0 };
    struct reference r;
    long long number = 0;
    if (h->program)
        return program_symbol(h, text);
    while (*text) {
        size_t length = word_length(text);
        if (!reference(h, text, &r)) {
            prose_bytes(&out, text, length ? length : 1);
            text += length ? length : 1;
            continue;
        }
        const struct variable_of *v = meant(m, h, &r, &number, err);
        char *name = v ? watched_name(&h->machines.items[r.machine], r.state ? "control" : v->name, r.index) : NULL;
        if (name && r.state)
            prose_add(&out, "(%s==%lld)", name, number);
        else if (name)
            prose_add(&out, "%s", name);
        free(name);
        free(r.index);
        free(r.what);
        text = r.behind;
        if (!v) {
            prose_fini(&out);
            return NULL;
        }
    }
    return prose_take(&out);
}

/* ---- the table ---- */

static char *model_name(const struct vocabulary *n, int machine, int instance, const struct function *f, const struct variable_of *v)
{
    char *name = instance && v->is_static ? prose_make("%s_%s", f->name, v->name)
               : instance ? prose_make("%s_%d", v->name, instance) : prose_make("%s", v->name);
    make_word(name);
    bool taken = vocabulary_reserved(name) || is_constant(n, name);
    for (int i = 0; i < n->count && !taken; i++)
        taken = (n->items[i].machine == machine || n->items[i].machine < 0) && !n->items[i].watched && !strcmp(n->items[i].name, name);
    if (!taken)
        return name;
    char *other = prose_make("%s_%d_", name, n->count);
    free(name);
    return other;
}

static struct name_of_variable *add(struct vocabulary *n, int machine, int instance, const struct function *f, const struct variable_of *v)
{
    char *name = model_name(n, machine, instance, f, v);
    ARRAY_GROW(n->items, n->count, n->room);
    struct name_of_variable *new = &n->items[n->count++];
    *new = (struct name_of_variable){ .machine = machine, .instance = instance, .function = f, .variable = v, .name = name,
                                      .declared = prose_make("%s", name) };
    return new;
}

static struct name_of_variable *find(struct vocabulary *n, int machine, int instance, const struct function *f, const char *variable)
{
    const struct variable_of *v = function_variable(f, variable);
    for (int i = 0; i < n->count; i++) {
        struct name_of_variable *item = &n->items[i];
        bool same = v ? item->variable == v && item->machine == machine && (item->instance == instance || (v->is_static && instance && item->instance))
                      : !item->function && !strcmp(item->variable->name, variable);
        if (same)
            return item;
    }
    return v ? add(n, machine, instance, f, v) : NULL;
}

const char *vocabulary_use(struct vocabulary *n, int machine, int instance, const struct function *f, const char *variable)
{
    struct name_of_variable *item = find(n, machine, instance, f, variable);
    if (!item)
        return NULL;
    n->changed |= !item->used;
    item->used = true;
    return item->name;
}

const char *vocabulary_used(struct vocabulary *n, int machine, int instance, const struct function *f, const char *variable)
{
    struct name_of_variable *item = find(n, machine, instance, f, variable);
    return item && item->used ? item->name : NULL;
}

bool vocabulary_shared(const struct vocabulary *n, int machine, const char *name)
{
    for (int i = 0; i < n->count; i++)
        if (!strcmp(n->items[i].name, name) && (n->items[i].machine == machine || n->items[i].machine < 0))
            return n->items[i].watched || n->items[i].machine < 0;
    return false;
}

bool vocabulary_global(const struct vocabulary *n, const char *variable)
{
    for (int i = 0; i < n->count; i++)
        if (!n->items[i].function && !strcmp(n->items[i].variable->name, variable))
            return true;
    return false;
}

const char *vocabulary_watched(struct vocabulary *n, int machine, const char *variable)
{
    for (int i = 0; i < n->count; i++)
        if (n->items[i].watched && n->items[i].machine == machine && !strcmp(n->items[i].variable->name, variable))
            return n->items[i].name;
    return NULL;
}

/* A machine's name with a . or @ behind it that is no reference: line@2. */
static bool is_half(const struct harness *h, const char *text, size_t length)
{
    const char *behind = text + length + strspn(text + length, " ");
    if (*behind == '[')
        behind += strcspn(behind, "]") + (strchr(behind, ']') != NULL);
    behind += strspn(behind, " ");
    for (int i = 0; length && (*behind == '.' || *behind == '@') && i < h->machines.count; i++)
        if (strlen(h->machines.items[i].name) == length && !strncmp(h->machines.items[i].name, text, length))
            return true;
    return false;
}

static int watch(struct vocabulary *n, const struct property *p, const struct symbol *s, struct err *err)
{
    struct reference r;
    struct err why;
    long long number;
    for (const char *text = s->expression; *text;) {
        size_t length = word_length(text);
        if (!reference(n->harness, text, &r)) {
            if (is_half(n->harness, text, length))
                return fail(err, "%s:%d: property %s, symbol %s: %s: behind the machine stands .VARIABLE, or @STATE with the name of a control state",
                            n->harness->file, s->line, p->name, s->name, text);
            text += length ? length : 1;
            continue;
        }
        const struct variable_of *v = meant(n->machines, n->harness, &r, &number, &why);
        const struct harness_machine *hm = &n->harness->machines.items[r.machine];
        if (v && r.state) {
            n->controls[r.machine] = v;
        } else if (v && !vocabulary_watched(n, r.machine, v->name)) {
            struct name_of_variable *item = add(n, r.machine, 0, machines_function(n->machines, hm->function), v);
            free(item->name);
            free(item->declared);
            item->name = watched_name(hm, v->name, "me");
            item->declared = watched_name(hm, v->name, NULL);
            item->watched = item->used = true;
        }
        text = r.behind;
        free(r.index);
        free(r.what);
        if (!v)
            return fail(err, "%s:%d: property %s, symbol %s: %s", n->harness->file, s->line, p->name, s->name, why.text);
    }
    return 0;
}

int vocabulary_start(struct vocabulary *n, const struct machines *m, const struct harness *h, struct err *err)
{
    *n = (struct vocabulary){ .machines = m, .harness = h };
    n->controls = memory_get(((size_t)h->machines.count + 1) * sizeof *n->controls);
    for (int i = 0; i < m->globals.count; i++)
        add(n, -1, 0, NULL, &m->globals.items[i]);
    for (int i = 0; i < h->properties.count; i++)
        for (int s = 0; s < h->properties.items[i].symbol_count; s++) {
            int bad = watch(n, &h->properties.items[i], &h->properties.items[i].symbols[s], err);
            if (bad)
                return bad;
        }
    return 0;
}

void vocabulary_fini(struct vocabulary *n)
{
    for (int i = 0; i < n->count; i++) {
        free(n->items[i].name);
        free(n->items[i].declared);
    }
    free(n->items);
    free(n->controls);
    *n = (struct vocabulary){ 0 };
}

/* ---- declarations ---- */

static void declare(const struct vocabulary *n, struct prose *out, const struct name_of_variable *item)
{
    int length, copies = item->watched ? n->harness->machines.items[item->machine].count : 1;
    const char *type = expression_type(item->variable->type, &length);
    long long value = 0;
    if (item->variable->value)
        expression_constant(item->variable->value, &value);
    if (item->watched && n->harness->machines.items[item->machine].event && item->function
        && !strcmp(item->variable->name, n->harness->machines.items[item->machine].event))
        value = -1;
    prose_add(out, "%s%s %s", out->length ? "\n" : "", type, item->declared);
    if (copies > 1 || length)
        prose_add(out, "[%d]", length ? length : copies);
    if (value)
        prose_add(out, " = %lld", value);
    prose_add(out, ";");
}

char *vocabulary_control(const struct vocabulary *n, int machine)
{
    return n->controls[machine] ? watched_name(&n->harness->machines.items[machine], "control", "me") : NULL;
}

char *vocabulary_forget(const struct vocabulary *n, int machine)
{
    struct prose out = { 0 };
    int length;
    for (int i = 0; i < n->count; i++) {
        const struct name_of_variable *item = &n->items[i];
        if (item->used && !item->watched && item->machine == machine && item->function && !item->variable->is_static
            && expression_type(item->variable->type, &length) && !length)
            prose_add(&out, "%s = 0; ", item->name);
    }
    return prose_take(&out);
}

char *vocabulary_declare(const struct vocabulary *n, int machine)
{
    struct prose out = { 0 };
    for (int i = 0; machine < 0 && i < n->harness->machines.count; i++) {
        const struct harness_machine *m = &n->harness->machines.items[i];
        long long value = 0;
        if (!n->controls[i])
            continue;
        if (n->controls[i]->value)
            expression_constant(n->controls[i]->value, &value);
        prose_add(&out, "%sint %s_control", out.length ? "\n" : "", m->name);
        if (m->count > 1)
            prose_add(&out, "[%d]", m->count);
        prose_add(&out, " = %lld;", value);
    }
    for (int i = 0; i < n->count; i++) {
        const struct name_of_variable *item = &n->items[i];
        int where = item->watched ? -1 : item->machine;
        if (item->used && where == machine)
            declare(n, &out, item);
    }
    return prose_take(&out);
}

void vocabulary_tell(const struct vocabulary *n, struct model *m)
{
    for (int i = 0; i < n->count; i++) {
        const struct name_of_variable *item = &n->items[i];
        if (!item->used)
            continue;
        ARRAY_GROW(m->names, m->name_count, m->name_room);
        m->names[m->name_count++] = (struct model_name){ prose_make("%s", item->declared), prose_make("%s", item->variable->name) };
    }
}
