/* SPDX-License-Identifier: MIT */
#include "history/visible.h"

#include <assert.h>

static bool touch(const struct wire_visible *v, uint64_t address, uint64_t size)
{
    return v->address < address + size && address < v->address + v->size;
}

bool visible_has(const struct visible *v, uint64_t address, uint64_t size)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (v->all[i].address <= address && address + size <= v->all[i].address + v->all[i].size)
            return true;
    return false;
}

/* All that it touches is taken out, and becomes part of it. */
bool visible_add(struct visible *v, uint64_t address, uint64_t size)
{
    uint64_t end = address + size;
    assert(v->count <= MAX_VISIBLE && end > address);
    for (uint32_t i = 0; i < v->count;) {
        const struct wire_visible *old = &v->all[i];
        if (!touch(old, address, end - address)) {
            i++;
            continue;
        }
        address = old->address < address ? old->address : address;
        end = old->address + old->size > end ? old->address + old->size : end;
        v->all[i] = v->all[--v->count];
        i = 0;
    }
    if (v->count == MAX_VISIBLE)
        return false;
    for (uint32_t i = 0; i < v->count; i++)
        assert(!touch(&v->all[i], address, end - address));
    v->all[v->count++] = (struct wire_visible){ .address = address, .size = end - address, .object = address };
    return true;
}

static struct wire_visible *at(struct visible *v, uint64_t address)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (touch(&v->all[i], address, 1))
            return &v->all[i];
    return NULL;
}

bool visible_join(struct visible *v, uint64_t address, uint64_t other)
{
    const struct wire_visible *a = at(v, address), *b = at(v, other);
    if (!a || !b || a->object == b->object)
        return false;
    uint64_t from = b->object, to = a->object;
    for (uint32_t i = 0; i < v->count; i++)
        if (v->all[i].object == from || v->all[i].object == to) {
            v->all[i].object = to;
            v->all[i].unknown = 1;               /* there is one value for all */
        }
    return true;
}

bool visible_unknown(struct visible *v, uint64_t address)
{
    struct wire_visible *a = at(v, address);
    bool known = a && !a->unknown;
    if (known)
        a->unknown = 1;
    return known;
}

bool visible_endless(struct visible *v, uint64_t place)
{
    for (uint32_t i = 0; i < v->endless_count; i++)
        if (v->endless[i] == place)
            return false;
    if (v->endless_count == MAX_ENDLESS)
        return false;
    v->endless[v->endless_count++] = place;
    return true;
}
