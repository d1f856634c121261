/* SPDX-License-Identifier: MIT */
#include "extractor/lower.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct lvalue { const char *text; bool shared, atomic; const char *whole, *bits; };      /* of a bit-field: what it is in, its name; else NULL */

static const char *value(struct lower *, const struct tree *);
static struct lvalue lvalue(struct lower *, const struct tree *);

static bool is(const struct tree *t, const char *op) { return !strcmp(t->op, op); }
static struct lvalue place(const char *text, bool shared, bool atomic) { return (struct lvalue){ .text = text, .shared = shared, .atomic = atomic }; }

/* ---- acts ---- */

void lower_start(struct lower *l, struct program *p, int function, int node)
{
    *l = (struct lower){ .p = p, .function = function, .node = node };
}

void lower_fini(struct lower *l)
{
    prose_fini(&l->code);
    free(l->busy);
}

void lower_code(struct lower *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    prose_add_list(&l->code, format, args);
    va_end(args);
}

void lower_flush(struct lower *l)
{
    if (!l->code.length)
        return;
    struct act *a = program_act(l->p, ACT_DO, l->function, l->node);
    a->code = program_text(l->p, "%s", l->code.text);
    a->yields = l->yields;
    prose_fini(&l->code);
    l->code = (struct prose){ 0 };
    l->yields = false;
}

/* From here on others see what is done. */
void lower_visible(struct lower *l)
{
    if (l->p->alone || (l->p->atomic && l->yielded))
        return;
    lower_flush(l);
    l->yields = l->yielded = true;
}

const char *lower_stop(struct lower *l, const struct tree *t, const char *why)
{
    const struct node *n = l->function >= 0 && l->node >= 0 ? &l->p->machines->functions[l->function].nodes[l->node] : NULL;
    char *text = tree_text(t);
    program_stop(l->p, n ? &n->place : &l->first->place, n && n->text ? n->text : !n && l->first->text ? l->first->text : text, why);
    free(text);
    return "0";
}

/* ---- temporaries ---- */

const char *lower_temporary(struct lower *l, const char *c_type)
{
    const char *type = ctype_plain(l->p, c_type);
    struct frame_of *f = &l->p->frames[l->function];
    for (int i = 0; i < f->temp_count; i++)
        if (!strcmp(f->temps[i], type) && (i >= l->busy_count || !l->busy[i])) {
            for (; l->busy_count <= i; l->busy_count++) {
                l->busy = memory_resize(l->busy, (size_t)l->busy_count + 1);
                l->busy[l->busy_count] = false;
            }
            l->busy[i] = true;
            return program_text(l->p, "f->t.t%d", i);
        }
    ARRAY_GROW(f->temps, f->temp_count, f->temp_room);
    f->temps[f->temp_count++] = type;
    return lower_temporary(l, c_type);
}

void lower_clear(struct lower *l)
{
    bool any = false;
    for (int i = 0; i < l->busy_count; i++)
        any |= l->busy[i];
    if (any)
        lower_code(l, "memset(&f->t, 0, sizeof f->t);");
}

/* ---- what needs acts of its own ---- */

static bool steps_in_call(struct program *p, int function, const struct tree *t)
{
    char *text = tree_text(t);
    struct map_entry *e = program_entry(p, text);
    free(text);
    if (!e || (strcmp(e->right, "keep") && strncmp(e->right, "c_value", 7)) || is(t->parts[0], "fun") == false)
        return true;
    for (int i = 1; i < t->count; i++)
        if (lower_has_steps(p, function, t->parts[i]) || (!strcmp(e->right, "keep") && ctype_is_pointer(t->parts[i]->type)))
            return true;
    return false;
}

bool lower_has_steps(struct program *p, int function, const struct tree *t)
{
    static const char *const always[] = { "atomic", "->", "pre*", "literal", "raw", "?:", "pre++", "pre--", "post++", "post--", "=", "+=", "-=",
                                          "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "," };
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (is(t, always[i]))
            return true;
    if (is(t, "call"))
        return steps_in_call(p, function, t);
    if (is(t, "var"))
        return program_is_shared(p, function, t->name) && !ctype_is_array(t->type);
    if (is(t, "[]") && !ctype_is_array(t->parts[0]->type))
        return true;
    if (is(t, "[]") && is(t->parts[0], "var") && program_is_shared(p, function, t->parts[0]->name))
        return true;
    for (int i = 0; i < t->count; i++)
        if (lower_has_steps(p, function, t->parts[i]))
            return true;
    return false;
}

/* ---- lvalues ---- */

static struct lvalue variable(struct lower *l, const struct tree *t)
{
    const char *name = program_variable(l->p, l->function, t->name);
    struct lvalue v = place(name, program_is_shared(l->p, l->function, t->name), ctype_is_atomic(t->type));
    if (!name)
        v.text = lower_stop(l, t, program_text(l->p, "%s is a variable of no source that was given", t->name));
    return v;
}

static struct lvalue field(struct lower *l, const struct tree *t, const char *whole, bool shared)
{
    bool bits = machines_is_bits(l->p->machines, t->name);
    return (struct lvalue){ program_text(l->p, "%s.%s", whole, t->name), shared, ctype_is_atomic(t->type), bits ? whole : NULL, bits ? t->name : NULL };
}

static struct lvalue member(struct lower *l, const struct tree *t)
{
    struct lvalue base = lvalue(l, t->parts[0]);
    return field(l, t, base.text, base.shared);
}

static struct lvalue element(struct lower *l, const struct tree *t)
{
    bool in_place = ctype_is_array(t->parts[0]->type);
    struct lvalue base = in_place ? lvalue(l, t->parts[0]) : place(value(l, t->parts[0]), true, false);
    const char *index = value(l, t->parts[1]);
    return place(program_text(l->p, "%s[%s]", base.text, index), base.shared, ctype_is_atomic(t->type));
}

/* A compound literal lives as long as its block. */
static const char *lasting(struct lower *l, const char *type)
{
    struct frame_of *f = &l->p->frames[l->function];
    ARRAY_GROW(f->lasting, f->lasting_count, f->lasting_room);
    f->lasting[f->lasting_count++] = ctype_plain(l->p, type);
    return program_text(l->p, "f->l%d", f->lasting_count - 1);
}

/* A value that must lie somewhere: the result of a call, a compound literal. */
static struct lvalue placed(struct lower *l, const struct tree *t)
{
    if (is(t, "literal") && ctype_is_array(t->type))
        return place(value(l, t), false, false);
    const char *from = value(l, t), *to = is(t, "literal") ? lasting(l, t->type) : lower_temporary(l, t->type);
    if (ctype_is_array(t->type))
        lower_code(l, "memcpy(%s, %s, sizeof %s);", to, from, to);
    else
        lower_code(l, "%s = %s;", to, from);
    return place(to, false, false);
}

static struct lvalue lvalue(struct lower *l, const struct tree *t)
{
    if (is(t, "var"))
        return variable(l, t);
    if (is(t, ".") && t->count == 1)
        return member(l, t);
    if (is(t, "->") && t->count == 1)
        return field(l, t, program_text(l->p, "(*(%s))", value(l, t->parts[0])), true);
    if (is(t, "[]") && t->count == 2)
        return element(l, t);
    if (is(t, "pre*") && t->count == 1)
        return place(program_text(l->p, "(*(%s))", value(l, t->parts[0])), true, ctype_is_atomic(t->type));
    if (is(t, "pre__extension__"))
        return lvalue(l, t->parts[0]);
    if (is(t, "str"))
        return place(value(l, t), false, false);
    return placed(l, t);
}

void lower_touch(struct lower *l, const struct tree *t)
{
    struct lvalue v = lvalue(l, t);
    const char *whole = v.bits ? v.whole : v.text;
    lower_code(l, "(void)*(const volatile char *)&(%s);", whole);
}

static bool is_record(struct lower *l, const char *type)
{
    const char *plain = ctype_plain(l->p, type);
    return (!strncmp(plain, "struct ", 7) || !strncmp(plain, "union ", 6)) && !strpbrk(plain, "*[");
}

/* Others may come before each piece. */
void lower_pieces(struct lower *l, const char *piece, const char *what, const char *more)
{
    lower_visible(l);
    int first = l->p->count;
    lower_code(l, "%s %s++;", what, piece);
    int test = lower_test(l, more);
    l->p->acts[test].next = first;
    l->p->acts[test].otherwise = test + 1;
    lower_code(l, "%s = 0;", piece);
}

/* A struct is copied in pieces of eight bytes, as a machine does, and others may come before each of them. */
static void copy(struct lower *l, const char *to, const char *from, const struct tree *t, bool atomic)
{
    bool one = atomic || l->p->alone || l->p->atomic || !is_record(l, t->type);
    const char *piece = one ? NULL : lower_temporary(l, "unsigned long");
    if (one) {
        lower_visible(l);
        lower_code(l, "%s = %s;", to, from);
        return;
    }
    lower_code(l, "%s = 0;", piece);
    lower_pieces(l, piece, program_text(l->p, "vs_piece((void *)&%s, (const void *)&%s, sizeof %s, %s);", to, from, to, piece),
                 program_text(l->p, "(8 * %s < sizeof %s)", piece, to));
}

static const char *load(struct lower *l, const struct tree *t, struct lvalue v)
{
    if (ctype_is_array(t->type) || !v.shared || l->function < 0)
        return v.text;
    const char *to = lower_temporary(l, t->type);
    copy(l, to, v.text, t, v.atomic);
    return to;
}

/* ---- assignments ---- */

static const char *braces(struct lower *l, const struct tree *t)
{
    struct prose out = { 0 };
    for (int i = 0; i < t->count; i++)
        prose_add(&out, "%s ", is(t->parts[i], "text") ? t->parts[i]->name : is(t->parts[i], "init") ? braces(l, t->parts[i])
                                                                            : value(l, t->parts[i]));
    const char *text = program_text(l->p, "%s", out.text ? out.text : "{}");
    prose_fini(&out);
    return text;
}

/* "(int[3]){ 1, 2 }" */
static const char *whole(struct lower *l, const struct tree *t, const char *type)
{
    const char *plain = ctype_plain(l->p, type);
    return is(t, "str") ? program_text(l->p, "(%s){ %s }", plain, value(l, t)) : program_text(l->p, "(%s)%s", plain, braces(l, t));
}

/* The value of an assignment is what was stored: a field may have fewer bits than its type. */
static const char *again(struct lower *l, const struct tree *to, const char *kept, struct lvalue v)
{
    bool may_be_narrow = (is(to, ".") || is(to, "->")) && ctype_is_integer(ctype_plain(l->p, to->type));
    return may_be_narrow ? program_text(l->p, " %s = %s;", kept, v.text) : "";
}

/* A bit-field is stored with the bytes that it is in, as they were when these were read. Gives where they are kept; NULL: it is none. */
static const char *neighbours(struct lower *l, struct lvalue v)
{
    if (!v.shared || !v.bits)
        return NULL;
    const char *bytes = lower_temporary(l, "unsigned long long");
    lower_visible(l);
    lower_code(l, "{ VS_BITS(%s, %s); (void)vs_new; %s = vs_bits_load(&%s, &vs_mask, sizeof vs_mask); }", v.whole, v.bits, bytes, v.whole);
    return bytes;
}

static void store(struct lower *l, struct lvalue v, const char *what, const char *bytes)
{
    if (bytes)
        lower_code(l, "{ VS_BITS(%s, %s); vs_bits_unload(&vs_new, &vs_mask, sizeof vs_mask, %s); vs_new.%s = %s; vs_bytes((void *)&%s, (void *)&vs_new, (void *)&vs_mask, "
                      "sizeof vs_mask); }", v.whole, v.bits, bytes, v.bits, what, v.whole);
    else
        lower_code(l, "%s = %s;", v.text, what);
}

static const char *assign(struct lower *l, const struct tree *t)
{
    const struct tree *to = t->parts[0], *from = t->parts[1];
    bool array = ctype_is_array(to->type);
    const char *what = is(from, "init") || (array && is(from, "str")) ? whole(l, from, to->type) : value(l, from);
    struct lvalue v = lvalue(l, to);
    if (array) {
        if (v.shared)
            lower_visible(l);
        if (is(from, "literal"))
            what = whole(l, from->parts[0], to->type);
        lower_code(l, "memcpy(%s, %s, sizeof %s);", v.text, what, v.text);
        return v.text;
    }
    if (!v.shared) {
        lower_code(l, "%s = %s;", v.text, what);
        return v.text;
    }
    const char *kept = lower_temporary(l, to->type);
    if (is_record(l, to->type)) {
        lower_code(l, "%s = %s;", kept, what);
        copy(l, v.text, kept, to, v.atomic);
        return kept;
    }
    const char *bytes = neighbours(l, v);
    lower_visible(l);
    lower_code(l, "%s = %s;", kept, what);
    store(l, v, kept, bytes);
    lower_code(l, "%s", again(l, to, kept, v));
    return kept;
}

/* x += y: a load and a store, unless x is atomic. */
static const char *update(struct lower *l, const struct tree *t)
{
    char operator[4];
    struct lvalue v = lvalue(l, t->parts[0]);
    snprintf(operator, sizeof operator, "%.*s", (int)strlen(t->op) - 1, t->op);
    const char *by = value(l, t->parts[1]), *old = lower_temporary(l, t->parts[0]->type);
    if (v.shared)
        lower_visible(l);
    if (v.atomic) {
        lower_code(l, "%s = (%s %s %s);", old, v.text, t->op, by);
        return old;
    }
    lower_code(l, "%s = %s;", old, v.text);
    const char *bytes = neighbours(l, v);
    if (v.shared)
        lower_visible(l);
    lower_code(l, "%s = %s %s (%s);", old, old, operator, by);
    store(l, v, old, bytes);
    lower_code(l, "%s", again(l, t->parts[0], old, v));
    return old;
}

static const char *step_by_one(struct lower *l, const struct tree *t)
{
    bool behind = !strncmp(t->op, "post", 4);
    const char *sign = strstr(t->op, "++") ? "+" : "-";
    struct lvalue v = lvalue(l, t->parts[0]);
    const char *old = lower_temporary(l, t->parts[0]->type), *new = lower_temporary(l, t->parts[0]->type);
    if (v.shared)
        lower_visible(l);
    if (v.atomic) {
        lower_code(l, "%s = %s%s%s;", old, behind ? "" : *sign == '+' ? "++" : "--", v.text, !behind ? "" : *sign == '+' ? "++" : "--");
        return old;
    }
    lower_code(l, "%s = %s;", old, v.text);
    const char *bytes = neighbours(l, v);
    if (v.shared)
        lower_visible(l);
    lower_code(l, "%s = %s %s 1;", new, old, sign);
    store(l, v, new, bytes);
    lower_code(l, "%s", again(l, t->parts[0], new, v));
    return behind ? old : new;
}

/* ---- choices ---- */

/* A division may fail, and a question cannot: so it is computed before. */
const char *lower_safe(struct lower *l, const char *condition, const char *type)
{
    if (!strpbrk(condition, "/%"))
        return condition;
    const char *to = lower_temporary(l, type);
    lower_code(l, "%s = %s;", to, condition);
    return to;
}

int lower_test(struct lower *l, const char *condition)
{
    condition = lower_safe(l, condition, "_Bool");
    lower_flush(l);
    struct act *a = program_act(l->p, ACT_TEST, l->function, l->node);
    a->code = condition;
    return l->p->count - 1;
}

static int go(struct lower *l)
{
    lower_flush(l);
    program_act(l->p, ACT_GO, l->function, l->node);
    return l->p->count - 1;
}

/* a && b, of which b needs acts of its own. */
static const char *both(struct lower *l, const struct tree *t)
{
    bool all = is(t, "&&");
    const char *to = lower_temporary(l, "int"), *first = value(l, t->parts[0]);
    lower_code(l, "%s = !!(%s);", to, first);
    int choice = lower_test(l, to);
    const char *second = value(l, t->parts[1]);
    lower_code(l, "%s = !!(%s);", to, second);
    lower_flush(l);
    int behind = l->p->count, next = choice + 1;
    l->p->acts[choice].next = all ? next : behind;
    l->p->acts[choice].otherwise = all ? behind : next;
    lower_code(l, "(void)0;");       /* so that something is there, behind */
    return to;
}

static const char *either(struct lower *l, const struct tree *t)
{
    bool shortened = is(t, "?:"), nothing = !strcmp(t->type, "void");
    const char *to = nothing ? "" : lower_temporary(l, t->type), *condition = value(l, t->parts[0]);
    if (shortened) {
        const char *kept = lower_temporary(l, t->parts[0]->type);
        lower_code(l, "%s = %s;", kept, condition);
        condition = kept;
    }
    int choice = lower_test(l, condition);
    const char *yes = shortened ? condition : value(l, t->parts[1]);
    if (!nothing)
        lower_code(l, "%s = %s;", to, yes);
    int out = go(l), other = l->p->count;
    const char *no = value(l, t->parts[t->count - 1]);
    if (!nothing)
        lower_code(l, "%s = %s;", to, no);
    lower_flush(l);
    l->p->acts[choice].next = choice + 1;
    l->p->acts[choice].otherwise = other;
    l->p->acts[out].next = l->p->count;
    lower_code(l, "(void)0;");
    return to;
}

/* ---- values ---- */

static const char *number(struct lower *l, const struct tree *t)
{
    bool wide = strstr(t->type, "unsigned long") || (strstr(t->type, "long") && t->value < 0);
    if (t->value == -9223372036854775807LL - 1 && !strstr(t->type, "unsigned"))
        return program_text(l->p, "((%s)(-9223372036854775807LL-1))", t->type);
    if (strstr(t->type, "unsigned"))
        return program_text(l->p, "((%s)%lluULL)", t->type, (unsigned long long)t->value);
    return program_text(l->p, wide ? "((%s)%lldLL)" : "((%s)%lldLL)", t->type, t->value);
}

static const char *string(struct lower *l, const struct tree *t)
{
    const char *text = t->name ? t->name : "";
    bool name = !strcmp(text, "__func__") || !strcmp(text, "__FUNCTION__") || !strcmp(text, "__PRETTY_FUNCTION__");
    return name ? program_text(l->p, "\"%s\"", l->function >= 0 ? l->p->machines->functions[l->function].name : "") : text;
}

static const char *function_name(struct lower *l, const struct tree *t)
{
    int which = program_function(l->p, t->name);
    if (which < 0)
        return program_text(l->p, "%s", t->name);
    l->p->frames[which].address = true;
    return program_text(l->p, "((void *)&vs_code[%d])", which);
}

static const char *unary(struct lower *l, const struct tree *t)
{
    const char *operator = t->op + 3;
    if (!strcmp(operator, "&"))
        return is(t->parts[0], "fun") ? value(l, t->parts[0]) : program_text(l->p, "(&%s)", lvalue(l, t->parts[0]).text);
    if (!strcmp(operator, "__extension__"))
        return value(l, t->parts[0]);
    if (!strchr("-+~!", *operator) || operator[1])
        return lower_stop(l, t, "this operator is not known here");
    return program_text(l->p, "(%s%s)", operator, value(l, t->parts[0]));
}

static const char *atomic(struct lower *l, const struct tree *t)
{
    struct prose out = { 0 };
    bool nothing = !strcmp(t->type, "void");
    const char *arguments[8];
    for (int i = 0; i < t->count && i < 8; i++)
        arguments[i] = value(l, t->parts[i]);
    const char *to = nothing ? "" : lower_temporary(l, t->type);
    lower_visible(l);
    for (int i = 0; i < t->count && i < 8; i++)
        prose_add(&out, "%s%s", i ? ", " : "", arguments[i]);
    lower_code(l, "%s%s%s(%s);", to, nothing ? "" : " = ", t->name, out.text);
    prose_fini(&out);
    return to;
}

static const char *binary(struct lower *l, const struct tree *t)
{
    if (is(t, "="))
        return assign(l, t);
    if (is(t, ",")) {
        lower_effect(l, t->parts[0]);
        return value(l, t->parts[1]);
    }
    bool logical = is(t, "&&") || is(t, "||"), compares = is(t, "==") || is(t, "!=") || is(t, "<=") || is(t, ">=");
    if (logical && lower_has_steps(l->p, l->function, t->parts[1]))
        return both(l, t);
    if (!compares && t->op[strlen(t->op) - 1] == '=')
        return update(l, t);
    const char *a = value(l, t->parts[0]), *b = value(l, t->parts[1]);
    return program_text(l->p, "(%s %s %s)", a, t->op, b);
}

static const char *cast(struct lower *l, const struct tree *t)
{
    if (!strcmp(t->type, "void")) {
        lower_effect(l, t->parts[0]);
        return "";
    }
    const char *what = value(l, t->parts[0]);
    return program_text(l->p, "((%s)%s)", t->type, what);
}

static const char *choice(struct lower *l, const struct tree *t)
{
    if (lower_has_steps(l->p, l->function, t->parts[1]) || lower_has_steps(l->p, l->function, t->parts[2]) || !strcmp(t->type, "void"))
        return either(l, t);
    const char *condition = value(l, t->parts[0]), *yes = value(l, t->parts[1]), *no = value(l, t->parts[2]);
    return program_text(l->p, "(%s ? %s : %s)", condition, yes, no);
}

static const char *literal(struct lower *l, const struct tree *t)
{
    const char *text = whole(l, t->parts[0], t->type);
    if (!ctype_is_array(t->type) || l->function < 0)
        return program_text(l->p, "(%s)", text);
    const char *to = lasting(l, t->type);        /* its address is its value */
    lower_code(l, "memcpy(%s, %s, sizeof %s);", to, text, to);
    return to;
}

static const char *value(struct lower *l, const struct tree *t)
{
    static const struct { const char *op; const char *(*lowered)(struct lower *, const struct tree *); int parts; } table[] = {
        { "int", number, 0 }, { "str", string, 0 }, { "fun", function_name, 0 }, { "atomic", atomic, -1 }, { "cast", cast, 1 },
        { "?", choice, 3 }, { "?:", either, 2 }, { "literal", literal, 1 }, { "pre++", step_by_one, 1 }, { "pre--", step_by_one, 1 },
        { "post++", step_by_one, 1 }, { "post--", step_by_one, 1 },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (is(t, table[i].op) && (table[i].parts < 0 || table[i].parts == t->count))
            return table[i].lowered(l, t);
    if (is(t, "float"))
        return program_text(l->p, "%s", t->name);
    if (is(t, "none"))
        return "";
    if (is(t, "var") || is(t, ".") || is(t, "->") || is(t, "[]") || is(t, "pre*"))
        return load(l, t, lvalue(l, t));
    if (is(t, "call"))
        return lower_call(l, t, true);
    if (t->count == 1 && !strncmp(t->op, "pre", 3))
        return unary(l, t);
    if (t->count == 2 && ispunct((unsigned char)*t->op))
        return binary(l, t);
    return lower_stop(l, t, is(t, "raw") ? "what it means is not known here" : "this is not known here");
}

const char *lower_value(struct lower *l, const struct tree *t)
{
    return value(l, t);
}

void lower_effect(struct lower *l, const struct tree *t)
{
    if (is(t, "call"))
        lower_call(l, t, false);
    else if (!is(t, "none"))
        value(l, t);
}

const char *lower_constant(struct program *p, const struct variable_of *v)
{
    struct lower l;
    lower_start(&l, p, -1, -1);
    l.first = v;
    const char *text = is(v->value, "init") ? braces(&l, v->value) : value(&l, v->value);
    lower_fini(&l);
    return text;
}
