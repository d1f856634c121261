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
    free(s->declarations);
    *s = (struct structure){ 0 };
}

static struct declaration *find(const struct structure *s, uint8_t type, uint8_t code, uint32_t number, int32_t index)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct declaration *d = &s->declarations[i];
        if (d->type == type && d->code == code && d->number == number && d->index == index)
            return d;
    }
    return NULL;
}

void structure_declare(struct structure *s, uint8_t type, uint8_t code, uint32_t number, int32_t index, int process, int line)
{
    struct declaration *d = find(s, type, code, number, index);
    assert(process >= 0 && process <= 64);
    if (!d) {
        ARRAY_GROW(s->declarations, s->count, s->room);
        d = &s->declarations[s->count++];
        *d = (struct declaration){ .type = type, .code = code, .number = number, .index = index, .line = line };
    }
    if (process) {
        d->allowed |= UINT64_C(1) << (process - 1);
        d->lines[process - 1] = line;
    }
}

const struct declaration *structure_declared(const struct structure *s, uint8_t type, uint8_t code, uint32_t number, int32_t index)
{
    return s ? find(s, type, code, number, index) : NULL;
}

uint64_t structure_allowed(const struct structure *s, uint8_t type, uint8_t code, uint32_t number, int32_t index)
{
    const struct declaration *declared = structure_declared(s, type, code, number, index);
    return declared ? declared->allowed : UINT64_MAX;
}

bool structure_mentions(const struct structure *s, uint8_t type, uint32_t number, int32_t index)
{
    for (uint32_t i = 0; s && i < s->count; i++) {
        const struct declaration *d = &s->declarations[i];
        if (d->type == type && d->number == number && d->index == index)
            return true;
    }
    return false;
}
