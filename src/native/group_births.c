/* The names of objects that are on the stack and in the heap, as the program reached them when they were made.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include "native/variable.h"
#include "base/memory.h"
#include "objects/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct born *born_at(const struct native *n, uint32_t object, uint64_t place)
{
    const struct group_run *g = &n->group;
    for (uint32_t i = g->birth_count; i-- > 0;)
        if (g->births[i].object == object && (!place || g->births[i].place == place))
            return &g->births[i];
    return NULL;
}

/* Who comes to an object first need not be the first to use it; but as long as nobody makes it anew, it is the same one. */
static const char *name_on_arrival(const struct native *n, uint32_t object)
{
    const struct group_run *g = &n->group;
    for (uint32_t i = g->birth_count; i-- > 0;)
        if (g->births[i].object == object && !g->births[i].made && g->births[i].name)
            return g->births[i].name;
    return NULL;
}

const char *native_object_name(const struct native *n, uint32_t object, uint64_t place)
{
    const struct born *b = born_at(n, object, place);
    return b && b->name ? b->name : name_on_arrival(n, object);
}

/* How many other objects have this name already? */
static unsigned namesakes(const struct native *n, uint32_t object, const char *name)
{
    size_t length = strlen(name);
    unsigned count = 0;
    for (uint32_t i = 0; i < n->group.birth_count; i++) {
        const struct born *b = &n->group.births[i];
        bool same = b->name && !strncmp(b->name, name, length) && (!b->name[length] || b->name[length] == ' ');
        if (same && b->object == object)
            return count;
        count += same && born_at(n, b->object, 0) == b;
    }
    return count;
}

static void name_object(struct native *n, uint32_t slot, const struct wire_slot *s, const struct op *op, bool made)
{
    struct group_run *g = &n->group;
    char name[256], numbered[280];
    struct born b = {.object = op->object, .place = op->place, .made = made};
    places_unwind(n, slot, s->object_stack ? s->object_stack : s->stack);
    if (variable_seen(native_where(n), n->members[slot].pid, &g->frames, s->object, name, sizeof name)) {
        unsigned before = namesakes(n, op->object, name);
        snprintf(numbered, sizeof numbered, before ? "%s #%u" : "%s", name, before + 1);
        b.name = memory_text(numbered);
    }
    ARRAY_GROW(g->births, g->birth_count, g->birth_room);
    g->births[g->birth_count++] = b;
}

/* Known by its address, and not in a variable that is always there. */
static bool needs_name(struct native *n, const struct wire_slot *s)
{
    return types_get(s->type)->memory && s->stack && !where_module(native_where(n), s->object);
}

/* Was it made just now, or used for the first time? */
void births_note(struct native *n, uint32_t slot, const struct wire_slot *s, const struct op *op, bool first)
{
    bool makes = s->fresh || types_traits(op) & OP_MAKES;
    if ((first || makes) && needs_name(n, s) && !born_at(n, op->object, op->place))
        name_object(n, slot, s, op, makes);
}
