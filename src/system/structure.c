/* SPDX-License-Identifier: MIT */
#include "system/structure.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

void structure_init(struct structure *s)
{
    *s = (struct structure){ 0 };
}

void structure_fini(struct structure *s)
{
    free(s->rules);
    *s = (struct structure){ 0 };
}

static struct rule *find(const struct structure *s, uint8_t type, uint8_t code, uint32_t number, int32_t index)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct rule *r = &s->rules[i];
        if (r->type == type && r->code == code && r->number == number && r->index == index)
            return r;
    }
    return NULL;
}

void structure_declare(struct structure *s, uint8_t type, uint8_t code, uint32_t number, int32_t index, int process, int line)
{
    struct rule *r = find(s, type, code, number, index);
    assert(process >= 0 && process <= 64);
    if (!r) {
        ARRAY_GROW(s->rules, s->count, s->room);
        r = &s->rules[s->count++];
        *r = (struct rule){ .type = type, .code = code, .number = number, .index = index, .line = line };
    }
    if (process) {
        r->allowed |= UINT64_C(1) << (process - 1);
        r->lines[process - 1] = line;
    }
}

const struct rule *structure_rule(const struct structure *s, uint8_t type, uint8_t code, uint32_t number, int32_t index)
{
    return s ? find(s, type, code, number, index) : NULL;
}

uint64_t structure_allowed(const struct structure *s, uint8_t type, uint8_t code, uint32_t number, int32_t index)
{
    const struct rule *rule = structure_rule(s, type, code, number, index);
    return rule ? rule->allowed : UINT64_MAX;
}

bool structure_mentions(const struct structure *s, uint8_t type, uint32_t number, int32_t index)
{
    for (uint32_t i = 0; s && i < s->count; i++) {
        const struct rule *r = &s->rules[i];
        if (r->type == type && r->number == number && r->index == index)
            return true;
    }
    return false;
}
