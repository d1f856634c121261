/* SPDX-License-Identifier: MIT */
#include "history/visible.h"

#include <assert.h>
#include <string.h>

#define JOINED UINT64_MAX                                /* no address: an object that gets another name at once */

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

void visible_rank(struct visible *v, uint64_t object)
{
    assert(v->count <= MAX_VISIBLE);
    for (uint32_t i = 0; i < v->count; i++) {
        struct wire_visible *a = &v->all[i];
        a->rank = a->object == object ? 0 : a->rank;
        a->several = a->object == object ? 0 : a->several;
        for (uint32_t j = 0; j < v->count && a->object == object; j++)
            if (j != i && v->all[j].object == object) {
                a->several = 1;
                a->rank += v->all[j].address < a->address;
            }
    }
}

/* All that are this object, or the other, are `to` from now on. There is one value for all, so nobody follows it. */
static void make_one(struct visible *v, uint64_t object, uint64_t other, uint64_t to, bool solid)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (v->all[i].object == object || v->all[i].object == other) {
            v->all[i].object = to;
            v->all[i].solid = solid;
            v->all[i].unknown = 1;
        }
}

/* All that it touches is taken out, and becomes part of it; what was one object with that is so with it. */
bool visible_add(struct visible *v, uint64_t address, uint64_t size)
{
    uint64_t end = address + size;
    struct wire_visible joined = { 0 };
    assert(v->count <= MAX_VISIBLE && end > address);
    for (uint32_t i = 0; i < v->count;) {
        const struct wire_visible old = v->all[i];
        if (!touch(&old, address, end - address)) {
            i++;
            continue;
        }
        address = old.address < address ? old.address : address;
        end = old.address + old.size > end ? old.address + old.size : end;
        v->all[i] = v->all[--v->count];
        if (old.several) {
            joined = (struct wire_visible){ .object = JOINED, .solid = joined.solid | old.solid, .unknown = 1 };
            make_one(v, old.object, JOINED, JOINED, joined.solid);
        }
        i = 0;
    }
    if (v->count == MAX_VISIBLE)
        return false;
    for (uint32_t i = 0; i < v->count; i++)
        assert(!touch(&v->all[i], address, end - address));
    v->all[v->count++] = (struct wire_visible){ .address = address, .size = end - address, .object = address,
                                                .solid = joined.solid, .unknown = joined.unknown };
    if (joined.object)
        make_one(v, JOINED, address, address, joined.solid);
    visible_rank(v, address);
    return true;
}

static struct wire_visible *at(struct visible *v, uint64_t address)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (touch(&v->all[i], address, 1))
            return &v->all[i];
    return NULL;
}

bool visible_join(struct visible *v, uint64_t address, uint64_t other, bool solid)
{
    const struct wire_visible *a = at(v, address), *b = at(v, other);
    if (!a || !b || (a->object == b->object && (!solid || a->solid)))
        return false;
    uint64_t to = a->object;
    make_one(v, b->object, to, to, solid || a->solid || b->solid);
    visible_rank(v, to);
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

bool visible_loop(struct visible *v, uint64_t place, bool endless)
{
    uint32_t i = 0;
    while (i < v->loop_count && v->loops[i].place != place)
        i++;
    assert(v->loop_count <= MAX_LOOPS);
    if (i == MAX_LOOPS || (i < v->loop_count && v->loops[i].endless >= endless))
        return false;
    v->loop_count += i == v->loop_count;
    v->loops[i] = (struct visible_loop){ place, endless };
    return true;
}

/* ---- where they are ---- */

struct visible_part visible_part(const struct visible *v, uint64_t address)
{
    enum { STACK = 64 << 20 };
    for (uint32_t i = 0; i < WIRE_PARTS; i++) {
        uint64_t low = v->parts[i].base - (i == WIRE_STACK_PART ? STACK : 0);
        if (v->parts[i].end && address >= low && address < v->parts[i].end)
            return (struct visible_part){ i, (int64_t)(address - v->parts[i].base) };
    }
    return (struct visible_part){ WIRE_NO_PART, (int64_t)address };
}

uint64_t visible_part_name(const struct visible_part *part)
{
    assert(part->number <= WIRE_NO_PART);
    return part->number == WIRE_NO_PART ? (uint64_t)part->offset : WIRE_IN_PART(part->number, part->offset);
}

uint64_t visible_name(const struct visible *v, uint64_t address)
{
    struct visible_part part = visible_part(v, address);         /* what is named has a bit that no address has: it is in no part */
    return visible_part_name(&part);
}

static uint64_t address_in(const struct wire_part parts[WIRE_PARTS], uint64_t name)
{
    const struct wire_part *part = &parts[(name >> 48) % WIRE_PARTS];
    return name >> 63 && part->end ? part->base + (uint64_t)((int64_t)(name << 16) >> 16) : name;
}

uint64_t visible_address(const struct visible *v, uint64_t name) { return address_in(v->parts, name); }

static uint64_t moved(const struct visible *v, uint64_t address, const struct wire_part parts[WIRE_PARTS])
{
    return address_in(parts, visible_name(v, address));
}

void visible_move(struct visible *v, const struct wire_part parts[WIRE_PARTS])
{
    assert(v->count <= MAX_VISIBLE && v->loop_count <= MAX_LOOPS);
    if (!memcmp(v->parts, parts, sizeof v->parts))
        return;
    for (uint32_t i = 0; i < v->count; i++) {
        v->all[i].address = moved(v, v->all[i].address, parts);
        v->all[i].object = moved(v, v->all[i].object, parts);
    }
    for (uint32_t i = 0; i < v->loop_count; i++)
        v->loops[i].place = moved(v, v->loops[i].place, parts);
    v->whole = moved(v, v->whole, parts);
    memcpy(v->parts, parts, sizeof v->parts);
}
