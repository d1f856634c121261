/* SPDX-License-Identifier: MIT */
#include "properties/invariant.h"

#include "base/memory.h"
#include "native/frames.h"
#include "properties/term.h"
#include "base/prose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct invariant { char *text; struct term *term; bool transition, every, watched; };    /* every: meant for every process; watched: it need not be true */

struct invariants {
    struct invariant *all;
    uint32_t          count, room, noted_count, noted_room;
    struct term     **places;        /* whose values are noted, in that order */
    struct noted     *noted;         /* of the last process */
    const struct where *found;       /* where the variables were looked for; NULL: nowhere yet */
};

struct invariants *invariants_new(void) { return memory_get(sizeof(struct invariants)); }

void invariants_free(struct invariants *v)
{
    for (uint32_t i = 0; v && i < v->count; i++) {
        free(v->all[i].text);
        term_free(v->all[i].term);
    }
    if (!v)
        return;
    free(v->all);
    free(v->places);
    free(v->noted);
    free(v);
}

void invariants_restart(struct invariants *v) { v->found = NULL; }

uint32_t    invariants_count(const struct invariants *v)             { return v->count; }
const char *invariants_text(const struct invariants *v, uint32_t i)  { return v->all[i].text; }

bool invariants_of_transitions(const struct invariants *v)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (v->all[i].transition)
            return true;
    return false;
}

/* ---- reading ---- */

static bool has(const struct term *t, enum term_kind kind)
{
    return t && (t->kind == kind || has(t->left, kind) || has(t->right, kind));
}

static bool has_any_process(const struct term *t)                /* a variable without @ */
{
    return t && ((t->kind == TERM_NAME && t->process < 0) || has_any_process(t->left) || has_any_process(t->right));
}

static const char *called(bool watched) { return watched ? "" : "--invariant "; }

static int add(struct invariants *v, const char *text, bool watched, struct err *err)
{
    struct err why;
    struct term *term = term_read(text, &why);
    if (!term)
        return fail(err, "%s'%s': %s", called(watched), text, why.text);
    if (!watched && !has(term, TERM_NAME)) {
        term_free(term);
        return fail(err, "--invariant '%s': there is no variable in it", text);
    }
    ARRAY_GROW(v->all, v->count, v->room);
    v->all[v->count++] = (struct invariant){ memory_text(text), term, has(term, TERM_NEXT), has_any_process(term), watched };
    return 0;
}

int invariants_add(struct invariants *v, const char *text, struct err *err)   { return add(v, text, false, err); }
int invariants_watch(struct invariants *v, const char *text, struct err *err) { return add(v, text, true, err); }

static int highest(const struct term *t)
{
    if (!t)
        return 0;
    int left = highest(t->left), right = highest(t->right), most = left > right ? left : right;
    return t->process + 1 > most ? t->process + 1 : most;
}

int invariants_highest(const struct invariants *v)
{
    int most = 0;
    for (uint32_t i = 0; i < v->count; i++)
        most = highest(v->all[i].term) > most ? highest(v->all[i].term) : most;
    return most;
}

/* ---- finding variables ---- */

static int find(struct where *, struct term *, struct err *);

static bool is_place(const struct term *t)
{
    return t->kind == TERM_NAME || t->kind == TERM_MEMBER || t->kind == TERM_INDEX || t->kind == TERM_TARGET;
}

static int find_name(struct where *w, struct term *t, struct err *err)
{
    struct err why;
    if (!symbol_find(w, t->owner, t->name, &t->address, &t->type, &why)) {
        t->kind_of_type = symbol_kind(&t->type, &t->bytes);
        return 0;
    }
    if (t->owner || !symbol_constant(w, t->name, &t->number))
        return fail(err, "%s", why.text);
    t->kind = TERM_NUMBER;
    return 0;
}

static int find_target(struct where *w, struct term *t, struct err *err)
{
    int rc = find(w, t->left, err);
    if (!rc && t->right)
        rc = find(w, t->right, err);
    if (rc)
        return rc;
    if (is_place(t->left) && symbol_target(&t->left->type, &t->type)) {
        t->kind_of_type = symbol_kind(&t->type, &t->bytes);
        t->left->count = symbol_count(&t->left->type);
        if (t->bytes)
            return 0;
    }
    return fail(err, "'%.*s' is no pointer or array that one could look into", 40, t->left->name ? t->left->name : "this");
}

static int find_member(struct where *w, struct term *t, struct err *err)
{
    int rc = find(w, t->left, err);
    if (rc)
        return rc;
    if (!is_place(t->left) || t->left->kind_of_type != SYMBOL_STRUCT)
        return fail(err, ".%s: what stands before it is no struct or union", t->name);
    rc = symbol_member(&t->left->type, t->name, &t->member, err);
    t->type = t->member.type;
    t->kind_of_type = rc ? SYMBOL_OTHER : symbol_kind(&t->type, &t->bytes);
    return rc;
}

static int find(struct where *w, struct term *t, struct err *err)
{
    int rc = 0;
    switch (t->kind) {
    case TERM_NUMBER: return 0;
    case TERM_NAME:   return find_name(w, t, err);
    case TERM_MEMBER: return find_member(w, t, err);
    case TERM_INDEX:
    case TERM_TARGET: return find_target(w, t, err);
    default:
        rc = find(w, t->left, err);
        return rc || !t->right ? rc : find(w, t->right, err);
    }
}

static int process_of(const struct term *t)                       /* of the variable that a place is in; -1: not said */
{
    return t->kind == TERM_NAME ? t->process : process_of(t->left);
}

static bool all_of(const struct term *t, int process)
{
    return !t || ((t->kind != TERM_NAME || t->process == process) && all_of(t->left, process) && all_of(t->right, process));
}

/* The places whose values the expression needs, each whole; those in them are read on the way. */
static int note_places(struct invariants *v, struct term *t, struct err *err)
{
    if (!is_place(t)) {
        int rc = t->left ? note_places(v, t->left, err) : 0;
        return rc || !t->right ? rc : note_places(v, t->right, err);
    }
    enum symbol_kind kind = t->kind_of_type;
    int process = process_of(t);
    if (!all_of(t, process))
        return fail(err, "'%.*s' names variables of several processes; an index is read in the process of its array", 40,
                    t->name ? t->name : "this");
    t->process = process;
    if (kind == SYMBOL_ARRAY)
        return fail(err, "'%s' is an array, and only whole numbers, enumerations and pointers have a value here; name an element",
                    t->name ? t->name : "this");
    if (kind > SYMBOL_POINTER || t->bytes > 8 || !t->bytes)
        return fail(err, "'%s' is of type '%s', and only whole numbers, enumerations and pointers have a value here%s", t->name ? t->name : "*",
                    symbol_type_name(&t->type), kind == SYMBOL_STRUCT ? "; name a member" : "");
    ARRAY_GROW(v->places, v->noted_count, v->noted_room);
    t->is_place = true;
    t->noted = v->noted_count;
    v->places[v->noted_count++] = t;
    return 0;
}

static int find_all(struct invariants *v, struct where *w, struct err *err)
{
    struct err why;
    v->noted_count = 0;
    for (uint32_t i = 0; i < v->count; i++)
        if (find(w, v->all[i].term, &why) || note_places(v, v->all[i].term, &why))
            return fail(err, "%s'%s': %s", called(v->all[i].watched), v->all[i].text, why.text);
    free(v->noted);
    v->noted = memory_get((v->noted_count + 1) * sizeof *v->noted);
    v->found = w;
    return 0;
}

/* ---- values ---- */

struct source {                      /* either memory, or what was noted */
    struct memory_view          *memory;
    const struct invariant_view *view;
    int                          process;        /* for variables without @ */
    bool                         next;
    bool                        *died;           /* set where a process is asked for that died; NULL: nobody wants to know */
};

static bool value_of(const struct term *, const struct source *, int64_t *);

static bool address_of(const struct term *t, const struct source *s, uint64_t *address)
{
    int64_t index = 0;
    switch (t->kind) {
    case TERM_NAME:
        *address = t->address;
        return true;
    case TERM_MEMBER:
        return address_of(t->left, s, address) && (*address += t->member.offset, true);
    default:                         /* an element, or what a pointer points to */
        if ((t->right && !value_of(t->right, s, &index)) || (t->left->count > 1 && (uint64_t)index >= t->left->count))
            return false;            /* one element may stand for as many as there is room for */
        if (t->left->kind_of_type == SYMBOL_ARRAY ? !address_of(t->left, s, address)
                                                  : !value_of(t->left, s, (int64_t *)address) || !*address)
            return false;
        *address += (uint64_t)index * t->bytes;
        return true;
    }
}

static bool read_place(const struct term *t, const struct source *s, int64_t *value)
{
    uint64_t address = 0, raw = 0;
    if (!address_of(t, s, &address) || !t->bytes || t->bytes > 8 || !memory_view_read(s->memory, address, &raw, t->bytes))
        return false;
    unsigned bits = t->kind == TERM_MEMBER && t->member.bits ? t->member.bits : (unsigned)(8 * t->bytes);
    raw >>= t->kind == TERM_MEMBER && t->member.bits ? t->member.first_bit : 0;
    raw <<= 64 - bits;
    *value = t->kind_of_type == SYMBOL_SIGNED ? (int64_t)raw >> (64 - bits) : (int64_t)(raw >> (64 - bits));
    return true;
}

static bool noted_place(const struct term *t, const struct source *s, int64_t *value)
{
    int process = s->view->shared ? 0 : t->process < 0 ? s->process : t->process;
    const struct noted *of = process >= s->view->processes ? NULL : s->next ? s->view->next[process] : s->view->now[process];
    if (s->died && !of && process < s->view->processes)
        *s->died = true;
    if (!of || !of[t->noted].known)
        return false;
    *value = of[t->noted].value;
    return true;
}

static bool compute(enum term_operator op, int64_t a, int64_t b, int64_t *value)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case TERM_EQUAL:    *value = a == b; return true;
    case TERM_UNEQUAL:  *value = a != b; return true;
    case TERM_LESS:     *value = a < b; return true;
    case TERM_MORE:     *value = a > b; return true;
    case TERM_AT_MOST:  *value = a <= b; return true;
    case TERM_AT_LEAST: *value = a >= b; return true;
    case TERM_PLUS:     *value = (int64_t)(x + y); return true;
    case TERM_MINUS:    *value = (int64_t)(x - y); return true;
    case TERM_TIMES:    *value = (int64_t)(x * y); return true;
    case TERM_BIT_AND:  *value = a & b; return true;
    case TERM_BIT_OR:   *value = a | b; return true;
    case TERM_BIT_XOR:  *value = a ^ b; return true;
    case TERM_LEFT:     *value = y < 64 ? (int64_t)(x << y) : 0; return true;
    case TERM_RIGHT:    *value = y < 64 ? a >> y : 0; return true;
    case TERM_DIVIDE:
    case TERM_REST:
        if (!b || (b == -1 && a == INT64_MIN))
            return false;
        *value = op == TERM_DIVIDE ? a / b : a % b;
        return true;
    default:
        return false;
    }
}

/* What is decided by the left side does not need the right one. */
static bool value_of_binary(const struct term *t, const struct source *s, int64_t *value)
{
    int64_t a, b;
    if (!value_of(t->left, s, &a))
        return false;
    bool decided = (t->op == TERM_AND && !a) || (t->op == TERM_OR && a) || (t->op == TERM_IMPLIES && !a);
    if (decided) {
        *value = t->op != TERM_AND;
        return true;
    }
    if (!value_of(t->right, s, &b))
        return false;
    if (t->op == TERM_AND || t->op == TERM_OR || t->op == TERM_IMPLIES) {
        *value = b != 0;
        return true;
    }
    return compute(t->op, a, b, value);
}

/* False: it has none. */
static bool value_of(const struct term *t, const struct source *s, int64_t *value)
{
    struct source then = *s;
    switch (t->kind) {
    case TERM_NUMBER:
        *value = t->number;
        return true;
    case TERM_BINARY:
        return value_of_binary(t, s, value);
    case TERM_NEXT:
        then.next = true;
        return value_of(t->left, &then, value);
    case TERM_UNARY:
        if (!value_of(t->left, s, value))
            return false;
        *value = t->op == TERM_NOT ? !*value : t->op == TERM_INVERT ? ~*value : (int64_t)(0 - (uint64_t)*value);
        return true;
    default:
        return s->memory ? read_place(t, s, value) : noted_place(t, s, value);
    }
}

int invariants_note(void *self, struct where *w, struct memory_view *memory, const struct noted **noted, uint32_t *count, struct err *err)
{
    struct invariants *v = self;
    int rc = v->found == w ? 0 : find_all(v, w, err);
    if (rc)
        return rc;
    struct source s = { .memory = memory };
    for (uint32_t i = 0; i < v->noted_count; i++)
        v->noted[i].known = read_place(v->places[i], &s, &v->noted[i].value);
    *noted = v->noted;
    *count = v->noted_count;
    return 0;
}

/* ---- are they true? ---- */

static bool holds(const struct invariant *one, const struct invariant_view *view, int process)
{
    bool died = false;
    struct source s = { .view = view, .process = process, .died = &died };
    int64_t value;
    return (value_of(one->term, &s, &value) && value) || died;
}

bool invariants_broken(const struct invariants *v, const struct invariant_view *view, struct breach *breach)
{
    for (uint32_t i = 0; i < v->count; i++) {
        const struct invariant *one = &v->all[i];
        if (one->transition != view->transition || one->watched)
            continue;
        bool each = one->every && !view->shared;
        for (int p = 0; p < (each ? view->processes : 1); p++)
            if (!holds(one, view, p)) {
                *breach = (struct breach){ i, each ? p : -1 };
                return true;
            }
    }
    return false;
}

bool invariants_value(const struct invariants *v, const struct invariant_view *view, uint32_t invariant, int64_t *value)
{
    struct source s = { .view = view };
    assert(invariant < v->count && !v->all[invariant].transition);
    return value_of(v->all[invariant].term, &s, value);
}

/* Where it lies, if that is always the same place; 0: it is not. */
static uint64_t fixed(const struct term *t)
{
    uint64_t base = t->kind == TERM_NAME ? t->address : t->left ? fixed(t->left) : 0;
    if (t->kind == TERM_MEMBER)
        return base ? base + t->member.offset : 0;
    if (t->kind == TERM_INDEX)
        return base && t->left->kind_of_type == SYMBOL_ARRAY && t->right && t->right->kind == TERM_NUMBER ? base + (uint64_t)t->right->number * t->bytes : 0;
    return t->kind == TERM_NAME ? base : 0;
}

static void each_place(const struct term *t, void (*each)(void *, uint64_t, uint64_t), void *arg)
{
    if (!t)
        return;
    if (t->is_place && fixed(t))
        each(arg, fixed(t), t->bytes);
    each_place(t->left, each, arg);
    each_place(t->right, each, arg);
}

void invariants_places(const struct invariants *v, void (*each)(void *, uint64_t, uint64_t), void *arg)
{
    for (uint32_t i = 0; v->found && i < v->count; i++)
        each_place(v->all[i].term, each, arg);
}

static void add_values(const struct invariant *one, const struct term *t, const struct source *s, struct prose *w)
{
    int64_t value;
    struct source then = *s;
    then.next |= t->kind == TERM_NEXT;
    if (!t->is_place) {
        if (t->left)
            add_values(one, t->left, &then, w);
        if (t->right)
            add_values(one, t->right, &then, w);
        return;
    }
    prose_add(w, "%s%s%.*s", w->length ? ", " : "", s->next ? "next " : "", (int)(t->end - t->begin), one->text + t->begin);
    if (t->process < 0 && !s->view->shared)
        prose_add(w, "@%d", s->process + 1);
    if (noted_place(t, s, &value))
        prose_add(w, t->kind_of_type == SYMBOL_POINTER ? " = 0x%llx" : " = %lld", (long long)value);
    else
        prose_add(w, " has no value");
}

char *invariants_values(const struct invariants *v, const struct invariant_view *view, struct breach breach)
{
    struct prose w = { 0 };
    struct source s = { .view = view, .process = breach.process };
    add_values(&v->all[breach.invariant], v->all[breach.invariant].term, &s, &w);
    return prose_take(&w);
}
