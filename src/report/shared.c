/* SPDX-License-Identifier: MIT */
#include "report/shared.h"

#include "base/prose.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK "clock"                /* the word that says: timers and waits with time limits go by one clock */

static void add_part(struct prose *w, const struct visible_part *part)
{
    long long offset = part->offset;
    unsigned long long distance = (unsigned long long)(offset < 0 ? -offset : offset);
    if (part->number == WIRE_NO_PART)
        prose_add(w, "0x%llx", distance);
    else if (part->number == WIRE_STACK_PART)
        prose_add(w, "stack%c0x%llx", offset < 0 ? '-' : '+', distance);
    else if (part->number == WIRE_PROGRAM_PART)
        prose_add(w, "program+0x%llx", distance);
    else
        prose_add(w, "part%u+0x%llx", part->number, distance);
}

static uint32_t object_of(const struct visible *v, uint32_t i)           /* the first location that is the same object */
{
    uint32_t first = 0;
    while (v->all[first].object != v->all[i].object)
        first++;
    assert(first <= i);
    return first;
}

char *shared_words(const struct native *native)
{
    const struct visible *v = native_visible(native);
    struct prose w = { 0 };
    if (v && v->timed)
        prose_add(&w, CLOCK);
    for (uint32_t i = 0; v && i < v->count; i++) {
        struct visible_part part = visible_part(v, v->all[i].address);
        prose_add(&w, "%s", w.length ? " " : "");
        add_part(&w, &part);
        prose_add(&w, "/%llu", (unsigned long long)v->all[i].size);
        if (object_of(v, i) != i)
            prose_add(&w, "@%u", object_of(v, i) + 1);
        if (v->all[i].unknown)
            prose_add(&w, v->all[i].solid ? "!" : "?");
    }
    return w.length ? prose_take(&w) : NULL;
}

/* Past the name of the part; NULL: it has none that is known. */
static const char *read_part(const char *at, struct visible_part *part)
{
    size_t length = strcspn(at, "+-");
    char *end;
    part->number = WIRE_NO_PART;
    if (!strncmp(at, "0x", 2))
        return at;
    if (length == 5 && !strncmp(at, "stack", 5))
        part->number = WIRE_STACK_PART;
    else if (length == 7 && !strncmp(at, "program", 7))
        part->number = WIRE_PROGRAM_PART;
    else if (!strncmp(at, "part", 4) && isdigit((unsigned char)at[4])) {
        part->number = (uint32_t)strtoul(at + 4, &end, 10);
        if (end != at + length || part->number >= WIRE_PARTS)
            return NULL;
    } else
        return NULL;
    return at[length] ? at + length : NULL;
}

/* Of which object it is a part; that its value is not followed (?), that it is solid (!). Past it, or NULL. */
static const char *read_more(struct visible *v, const char *at)
{
    struct wire_visible *last = &v->all[v->count - 1];
    if (*at == '@') {
        char *end;
        unsigned long first = isdigit((unsigned char)at[1]) ? strtoul(at + 1, &end, 10) : 0;
        if (!first || first > v->count)
            return NULL;
        last->object = v->all[first - 1].object;
        at = end;
    }
    last->solid = *at == '!';
    last->unknown = *at == '?' || last->solid;
    at += last->unknown;
    visible_rank(v, last->object);
    return *at && !isspace((unsigned char)*at) ? NULL : at;
}

/* One of them; past it, or NULL. */
static const char *read_one(struct visible *v, const char *at)
{
    struct visible_part part;
    char *end;
    const char *number = read_part(at, &part);
    if (!number)
        return NULL;
    bool minus = *number == '-';
    number += *number == '-' || *number == '+';
    errno = 0;
    unsigned long long distance = strtoull(number, &end, 16);
    if (errno || strncmp(number, "0x", 2) || *end != '/' || distance >= UINT64_C(1) << 47 || !isdigit((unsigned char)end[1]))
        return NULL;
    unsigned long long size = strtoull(end + 1, &end, 10);
    part.offset = minus ? -(int64_t)distance : (int64_t)distance;
    if (errno || !size || size > UINT32_MAX || !visible_add(v, visible_part_name(&part), size))
        return NULL;
    return read_more(v, end);
}

/* Past the word; NULL: it is another one. */
static const char *read_clock(struct visible *v, const char *at)
{
    size_t length = strlen(CLOCK);
    bool clock = !strncmp(at, CLOCK, length) && (!at[length] || isspace((unsigned char)at[length]));
    v->timed |= clock;
    return clock ? at + length : NULL;
}

int shared_read(struct visible *v, const char *words, const char *file, struct err *err)
{
    for (const char *at = words; at && *at;) {
        while (isspace((unsigned char)*at))
            at++;
        const char *clock = read_clock(v, at), *next = clock ? clock : *at ? read_one(v, at) : at;
        if (!next)
            return fail(err, "%s: in the line `shared:`: %.40s: must be a place and a size in bytes, as in program+0x4014/4", file, at);
        at = next;
    }
    return 0;
}
