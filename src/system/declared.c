/* SPDX-License-Identifier: MIT */
#include "system/declared.h"

#include "objects/types.h"

#include <assert.h>

/* semop and the like, of which nothing can be declared, may do anything to any semaphore of the array. */
enum { ANY_CODE = 0, NO_INDEX = -1 };

/* Of an object that is several: which of them the operation is on, and as what. */
static bool on_part(const struct op *op, struct op *as, int32_t *index)
{
    const struct parts *parts = types_get(op->type)->parts;
    return parts && parts->operation(op, as, index);
}

bool declared_subject(const struct system *s, const struct op *op, struct declaration *subject)
{
    const struct created *c = op->object == NO_OBJECT ? NULL : s->objects[op->object].created;
    if (!c || about_processes(op))
        return false;
    *subject = (struct declaration){ .type = c->type, .code = op->code, .number = c->number, .index = c->index };
    struct op as;
    int32_t index;
    if (on_part(op, &as, &index))
        *subject = (struct declaration){ .type = as.type, .code = as.code, .number = c->number, .index = index };
    return true;
}

const struct declaration *declaration_of(const struct system *s, const struct op *op)
{
    struct declaration about;
    return declared_subject(s, op, &about) ? structure_declared(s->structure, about.type, about.code, about.number, about.index) : NULL;
}

bool declared_allows(const struct system *s, const struct op *op)
{
    const struct declaration *declared = declaration_of(s, op);
    return !declared || declared->allowed >> op->process & 1;
}

uint64_t declared_allowed(const struct system *s, const struct op *op, uint8_t code)
{
    struct declaration about;
    return declared_subject(s, op, &about) ? structure_allowed(s->structure, about.type, code, about.number, about.index) : UINT64_MAX;
}

static void note(struct system *s, const struct declaration *about, int process)
{
    const struct declaration *seen = structure_declared(&s->seen, about->type, about->code, about->number, about->index);
    if (seen && seen->allowed >> process & 1)
        return;
    assert(system_shares(s) && process < s->processes);
    structure_declare(&s->seen, about->type, about->code, about->number, about->index, process + 1, 0);
    s->learned++;
}

void declared_note(struct system *s, const struct op *op)
{
    struct declaration about;
    if (!s->structure || !s->structure->count || !declared_subject(s, op, &about))
        return;
    if (types_get(op->type)->parts && about.type == op->type) {          /* on several of them */
        about.code = ANY_CODE;
        if (!(types_traits(op) & OP_MAKES))
            note(s, &about, op->process);
    } else if (structure_mentions(s->structure, about.type, about.number, about.index) && !declaration_of(s, op)) {
        note(s, &about, op->process);
    }
}

/* By what was declared, or by what was seen. */
static uint64_t who_may(const struct system *s, const struct declaration *about, uint8_t code)
{
    const struct declaration *declared = structure_declared(s->structure, about->type, code, about->number, about->index);
    if (!declared)
        declared = structure_declared(&s->seen, about->type, code, about->number, about->index);
    return declared ? declared->allowed : 0;
}

static uint64_t matters_in_group(const struct system *s, const struct op *op)
{
    struct declaration about;
    if (!declared_subject(s, op, &about) || !structure_mentions(s->structure, about.type, about.number, about.index))
        return UINT64_MAX;
    const struct object_type *type = types_get(about.type);
    struct op as = *op;
    int32_t index;
    const struct declaration array = { .type = op->type, .code = ANY_CODE, .number = about.number, .index = NO_INDEX };
    uint64_t who = on_part(op, &as, &index) ? who_may(s, &array, ANY_CODE) : 0;
    for (uint32_t code = 0; code < type->operation_count; code++)
        if (!type->may_conflict || type->may_conflict(&as, (uint8_t)code))
            who |= who_may(s, &about, (uint8_t)code);
    return who;
}

static uint64_t matters_alone(const struct system *s, const struct op *op)
{
    const struct object *o = &s->objects[op->object];
    uint64_t who = 0;
    for (uint32_t code = 0; code < o->type->operation_count; code++)
        if (!o->type->may_conflict || o->type->may_conflict(op, (uint8_t)code))
            who |= s->may[o->may + code];
    return who;
}

uint64_t declared_may_matter(const struct system *s, const struct op *op)
{
    assert(op->object < s->object_count);
    return system_shares(s) ? matters_in_group(s, op) : matters_alone(s, op);
}
