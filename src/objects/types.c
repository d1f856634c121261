/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "objects/types.h"

#include "objects/builtin.h"
#include "wire.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { MOST_USER_TYPES = 16 };

static const struct object_type *const builtin[] = {
#define X(upper, lower) &lower##_type,
    OBJECT_TYPES(X)
#undef X
};
static const struct object_type *user[MOST_USER_TYPES];
static unsigned user_count;

const struct object_type *types_get(unsigned index)
{
    if (index < TYPE_COUNT)
        return builtin[index];
    if (index < FIRST_USER_TYPE || index - FIRST_USER_TYPE >= user_count)
        return NULL;
    return user[index - FIRST_USER_TYPE];
}

int types_find(const char *name)
{
    for (unsigned i = 0; i < FIRST_USER_TYPE + user_count; i++)
        if (types_get(i) && !strcmp(types_get(i)->name, name))
            return (int)i;
    return -1;
}

/* What is lacking in a user's type, or is not for one, and would be come upon in the middle of a search; NULL: nothing. */
static const char *lacking(const struct object_type *type)
{
    bool counts = type->units && type->units->left && type->units->gave && type->taken;
    bool any = type->ticks || type->tick || type->sees_ticks, all = type->ticks && type->tick && type->sees_ticks;
    for (const struct operation *o = type->operations; o < type->operations + type->operation_count; o++) {
        if (!o->name || !o->format)
            return "has an operation without a name or a format";
        if (o->awaits == AWAITS_UNITS && !counts)
            return "has an operation that awaits units (AWAITS_UNITS): that needs `units`, with `left` and `gave`, and `taken`";
        if (o->awaits == AWAITS_WAKING || o->awaits >= AWAITS_CHANGE)
            return "has an operation that awaits what only types of VeriSoft's own await; AWAITS_OTHER and `why` say it in words";
        if (o->limit.arg >= 3)
            return "has an operation whose `limit` names an argument that there is not";
    }
    return any != all ? "has some of `ticks`, `tick`, `sees_ticks`: all three or none" : type->operation_count ? NULL : "has no operations";
}

int types_load(const char *file, struct err *err)
{
    if (user_count == MOST_USER_TYPES)
        return fail(err, "%s: no more than %d object types can be loaded", file, MOST_USER_TYPES);
    char path[4096];
    snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fail(err, "%s", dlerror());
    const struct object_type *type = dlsym(library, "vs_type");
    if (!type)
        return fail(err, "%s: defines no `vs_type`; see doc/objects.md", file);
    if (type->version != OBJECT_VERSION)
        return fail(err, "%s: made for version %u of object.h, this is version %u; compile it again", file, type->version,
                    OBJECT_VERSION);
    if (!type->name || !type->operations || !type->size || !type->init || !type->choices || !type->execute)
        return fail(err, "%s: vs_type lacks one of name, operations, size, init, choices, execute", file);
    if (lacking(type))
        return fail(err, "%s: vs_type %s", file, lacking(type));
    if (types_find(type->name) >= 0)
        return fail(err, "%s: there is already an object type '%s'", file, type->name);
    user[user_count++] = type;       /* stays loaded until the end: graphs point into it */
    return 0;
}

bool types_operation(const char *name, unsigned *type, unsigned *code)
{
    for (unsigned t = 0; t < FIRST_USER_TYPE + user_count; t++)
        for (unsigned c = 0; types_get(t) && c < types_get(t)->operation_count; c++)
            if (!strcmp(types_get(t)->operations[c].name, name)) {
                *type = t;
                *code = c;
                return true;
            }
    return false;
}

static const struct operation *operation_of(const struct op *op) { return &types_get(op->type)->operations[op->code]; }
static bool is_known(const struct op *op) { return types_get(op->type) && op->code < types_get(op->type)->operation_count; }

uint32_t types_traits(const struct op *op)
{
    const struct object_type *type = types_get(op->type);
    return operation_of(op)->traits | (type->traits ? type->traits(op) : 0);
}

bool types_limit(const struct op *op, struct op *without)
{
    const struct limit *l = &operation_of(op)->limit;
    assert(is_known(op) && l->arg < 3);
    *without = *op;
    if (l->plain) {
        without->code = (uint8_t)(l->plain - 1);
        return true;
    }
    uint32_t said = (uint32_t)op->arg[l->arg];
    without->arg[l->arg] = (int32_t)(said & ~l->drops);
    return said & l->has && !(said & l->unless);
}

bool types_mishap(const struct op *op)
{
    assert(is_known(op));
    enum wrong wrong = operation_of(op)->wrong;
    return wrong != WRONG_NOTHING && wrong != WRONG_ASSERTION;
}

/* Where the result is no value of the operation's own, it is 0 or an error. */
static bool succeeded(const struct op *op, uint32_t result)
{
    enum result_kind kind = operation_of(op)->result;
    if (result == RESULT_REMOVED || ((result == RESULT_CANCELLED || IS_RESULT_SIGNAL(result)) && op->type < FIRST_USER_TYPE))
        return false;
    return kind == RESULT_NUMBER || kind == RESULT_TEXT || result == 0;
}

struct passage types_passage(const uint32_t *before, const struct op *op, uint32_t result)
{
    const struct object_type *type = types_get(op->type);
    struct passage p = { .role = before && succeeded(op, result) ? type->operations[op->code].role : ROLE_NONE };
    if (before && type->passage && !IS_RESULT_SIGNAL(result))
        type->passage(before, op, result, &p);
    return p;
}

/* ---- printing ---- */

struct out { char *at, *end; };

static void put(struct out *o, const char *s)
{
    while (*s && o->at < o->end)
        *o->at++ = *s++;
}

void types_escape(char byte, char out[8])
{
    if (byte == '"' || byte == '\\')
        snprintf(out, 8, "\\%c", byte);
    else if ((unsigned char)byte < ' ' || byte == 127)
        snprintf(out, 8, "\\x%02x", (unsigned char)byte);
    else
        snprintf(out, 8, "%c", byte);
}

static void put_quoted(struct out *o, const char *s)
{
    put(o, "\"");
    for (; *s; s++) {
        char one[8];
        types_escape(*s, one);
        put(o, one);
    }
    put(o, "\"");
}

static void put_number(struct out *o, int32_t n)
{
    char s[16];
    snprintf(s, sizeof s, "%d", n);
    put(o, s);
}

/* Whatever is printed ends within the room for it. */
static void end_print(struct out *o)
{
    assert(o->at <= o->end);
    *o->at = '\0';
}

/* "recv(127.0.0.1:8080/tcp", as far as the program told it; else "read(channel 3". True: the program told all of it. */
static bool put_call(struct out *o, const struct op *op, const struct texts *texts)
{
    const char *told = op->text ? texts_string(texts, op->text) : operation_of(op)->name;
    put(o, told);
    if (!strchr(told, '(')) {
        put(o, "(channel ");
        put_number(o, op->arg[0]);
    }
    return strchr(told, ')');
}

static void print_as(const char *format, const struct op *op, const char *name, const struct texts *texts, char *buffer, size_t room)
{
    struct out o = { buffer, buffer + room - 1 };
    for (const char *f = format; *f; f++) {
        if (*f != '%' || !f[1]) {
            put(&o, (char[2]){ *f });
            continue;
        }
        switch (*++f) {
        case 'o': put(&o, name); break;
        case 't': put_quoted(&o, texts_string(texts, op->text)); break;
        case 'e': put(&o, texts_string(texts, op->text)); break;
        case 'c': put(&o, op->text ? texts_string(texts, op->text) : operation_of(op)->name); break;
        case 'k': if (put_call(&o, op, texts)) return end_print(&o); break;
        case 'v': put(&o, op->text && *texts_string(texts, op->text) ? texts_string(texts, op->text) : name); break;
        case 'p': put_number(&o, op->arg[0] + 1); break;
        case '0': case '1': case '2': put_number(&o, op->arg[*f - '0']); break;
        default:  put(&o, (char[2]){ *f }); break;
        }
    }
    end_print(&o);
}

void types_print(const struct op *op, const char *name, const struct texts *texts, char *buffer, size_t room)
{
    assert(is_known(op));
    print_as(operation_of(op)->format, op, name, texts, buffer, room);
}

void types_print_waiting(const struct op *op, const char *name, const struct texts *texts, char *buffer, size_t room)
{
    const struct operation *o = operation_of(op);
    print_as(o->waiting ? o->waiting : o->format, op, name, texts, buffer, room);
}

static void put_errno(struct out *o, uint32_t result)
{
    char name[32];
    builtin_errno_name(result, name, sizeof name);
    put(o, name);
}

bool types_print_result(const struct op *op, uint32_t result, const struct texts *texts, char *buffer, size_t room)
{
    assert(is_known(op));
    struct out o = { buffer, buffer + room - 1 };
    const struct object_type *type = types_get(op->type);
    enum result_kind kind = operation_of(op)->result;
    bool ours = op->type < FIRST_USER_TYPE, signal = ours && IS_RESULT_SIGNAL(result), removed = ours && result == RESULT_REMOVED;
    bool cancelled = ours && result == RESULT_CANCELLED;
    char words[64];
    bool said = !signal && !cancelled && type->print_result && type->print_result(op, result, words, sizeof words);
    if (said) {
        put(&o, words);
    } else if (signal) {
        builtin_signal_name(result & SIGNAL_NUMBER, words, sizeof words);
        put(&o, words);
        put(&o, result & SIGNAL_INTERRUPTS ? " interrupts" : " comes");
    } else if (removed || cancelled) {
        put(&o, removed ? "removed" : "cancelled");
    } else if (kind == RESULT_TEXT) {
        put_quoted(&o, texts_string(texts, result));
    } else if (kind == RESULT_ERRNO) {
        put_errno(&o, result);
    } else if (kind == RESULT_NUMBER) {
        put_number(&o, (int32_t)result);
    }
    end_print(&o);
    return said || signal || removed || cancelled || kind != RESULT_NONE;
}
