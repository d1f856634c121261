/* SPDX-License-Identifier: MIT */
#include "system/declared.h"

#include "objects/types.h"

/* semop and the like, of which nothing can be declared, may do anything to any semaphore of the array. */
enum { ANY_CODE = 0, NO_INDEX = -1 };

static bool is_manual(const struct op *op)
{
    return op->type == TYPE_SEMSET && (op->code == SEMSET_WAIT || op->code == SEMSET_SIGNAL);
}

bool declared_subject(const struct system *s, const struct op *op, struct rule *subject)
{
    const struct created *c = op->object == NO_OBJECT ? NULL : s->objects[op->object].created;
    if (!c || op->type == TYPE_PROCESS)
        return false;
    *subject = (struct rule){ .type = c->type, .code = op->code, .number = c->number, .index = c->index };
    if (is_manual(op)) {
        subject->type = TYPE_SEMAPHORE;
        subject->code = op->code == SEMSET_WAIT ? SEMAPHORE_WAIT : SEMAPHORE_SIGNAL;
        subject->index = op->arg[0];
    }
    return true;
}

const struct rule *declared_rule(const struct system *s, const struct op *op)
{
    struct rule about;
    return declared_subject(s, op, &about) ? structure_rule(s->structure, about.type, about.code, about.number, about.index) : NULL;
}

bool declared_allows(const struct system *s, const struct op *op)
{
    const struct rule *rule = declared_rule(s, op);
    return !rule || rule->allowed >> op->process & 1;
}

uint64_t declared_allowed(const struct system *s, const struct op *op, uint8_t code)
{
    struct rule about;
    return declared_subject(s, op, &about) ? structure_allowed(s->structure, about.type, code, about.number, about.index) : UINT64_MAX;
}

static void note(struct system *s, const struct rule *about, int process)
{
    const struct rule *seen = structure_rule(&s->seen, about->type, about->code, about->number, about->index);
    if (seen && seen->allowed >> process & 1)
        return;
    structure_declare(&s->seen, about->type, about->code, about->number, about->index, process + 1, 0);
    s->learned++;
}

void declared_note(struct system *s, const struct op *op)
{
    struct rule about;
    if (!s->structure || !s->structure->count || !declared_subject(s, op, &about))
        return;
    if (op->type == TYPE_SEMSET && !is_manual(op)) {
        about.code = ANY_CODE;
        if (op->code != SEMSET_INIT)
            note(s, &about, op->process);
    } else if (structure_mentions(s->structure, about.type, about.number, about.index) && !declared_rule(s, op)) {
        note(s, &about, op->process);
    }
}

/* By rule, or by what was seen. */
static uint64_t who_may(const struct system *s, const struct rule *about, uint8_t code)
{
    const struct rule *rule = structure_rule(s->structure, about->type, code, about->number, about->index);
    if (!rule)
        rule = structure_rule(&s->seen, about->type, code, about->number, about->index);
    return rule ? rule->allowed : 0;
}

uint64_t declared_may_matter(const struct system *s, const struct op *op)
{
    struct rule about;
    if (!declared_subject(s, op, &about) || !structure_mentions(s->structure, about.type, about.number, about.index))
        return UINT64_MAX;
    const struct object_type *type = types_get(about.type);
    const struct op as = { .type = about.type, .code = about.code, .arg = { is_manual(op) ? op->arg[1] : op->arg[0] } };
    const struct rule array = { .type = TYPE_SEMSET, .code = ANY_CODE, .number = about.number, .index = NO_INDEX };
    uint64_t who = is_manual(op) ? who_may(s, &array, ANY_CODE) : 0;
    for (uint32_t code = 0; code < type->operation_count; code++)
        if (!type->may_conflict || type->may_conflict(&as, (uint8_t)code))
            who |= who_may(s, &about, (uint8_t)code);
    return who;
}
