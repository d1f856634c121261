/* SPDX-License-Identifier: MIT */
#include "report/shared.h"

#include "base/prose.h"
#include "native/linked.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PATIENT "patient"            /* loops that count are run for longer before they are taken to wait */
#define ROUNDS "rounds="             /* how many rounds of a loop that counts are operations, where that is not as usual */
#define CANCELS "cancels"            /* threads cancel each other: what is nothing but a cancellation point is an operation */
#define FILES "files"                /* processes act on each other by plain files: what looks at one, or changes it, is an operation */
#define CLOCK "clock"                /* the word that says: timers and waits with time limits go by one clock */

/* False: no name is known for it. */
static bool add_name(struct prose *w, const struct visible_part *part, const char *executable)
{
    char name[256];
    uint64_t begin;
    if (part->number != WIRE_PROGRAM_PART || part->offset < 0 || !linked_at(executable, (uint64_t)part->offset, name, sizeof name, &begin))
        return false;
    prose_add(w, "&%s", name);
    if ((uint64_t)part->offset != begin)
        prose_add(w, "+0x%llx", (unsigned long long)part->offset - (unsigned long long)begin);
    return true;
}

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

char *shared_words(struct native *native)
{
    const struct visible *v = native_visible(native);
    const struct habits *h = native_habits(native);
    struct prose w = { 0 };
    if (h && h->timed)
        prose_add(&w, CLOCK);
    if (h && h->cancels)
        prose_add(&w, "%s" CANCELS, w.length ? " " : "");
    if (h && h->files)
        prose_add(&w, "%s" FILES, w.length ? " " : "");
    if (h && h->patient)
        prose_add(&w, "%s" PATIENT, w.length ? " " : "");
    if (habits_rounds(h) != USUAL_ROUNDS)
        prose_add(&w, "%s" ROUNDS "%u", w.length ? " " : "", h->rounds);
    for (uint32_t i = 0; v && i < v->count; i++) {
        struct visible_part part = visible_part(v, v->all[i].address);
        prose_add(&w, "%s", w.length ? " " : "");
        if (!add_name(&w, &part, native_executable(native)))
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

/* -0x58, +0x10 or 0x130: past it, or NULL. */
static const char *read_distance(const char *at, int64_t *offset)
{
    char *end;
    bool minus = *at == '-';
    at += *at == '-' || *at == '+';
    errno = 0;
    unsigned long long distance = strtoull(at, &end, 16);
    if (errno || strncmp(at, "0x", 2) || distance >= UINT64_C(1) << 47)
        return NULL;
    *offset = minus ? -(int64_t)distance : (int64_t)distance;
    return end;
}

/* &counter or &queue+0x10: past it, or NULL, also if the program has no such variable (any more), or it is smaller. */
static const char *read_name(const char *at, const char *executable, struct visible_part *part)
{
    char name[256];
    size_t length = strcspn(++at, "+/ \t");
    uint64_t begin, size;
    int64_t within = 0;
    if (!length || length >= sizeof name)
        return NULL;
    memcpy(name, at, length);
    name[length] = '\0';
    at = at[length] == '+' ? read_distance(at + length, &within) : at + length;
    if (!at || !linked_find(executable, name, &begin, &size) || (uint64_t)within >= size)
        return NULL;
    *part = (struct visible_part){ WIRE_PROGRAM_PART, (int64_t)begin + within };
    return at;
}

static const char *read_place(const char *at, const char *executable, struct visible_part *part)
{
    if (*at == '&')
        return read_name(at, executable, part);
    at = read_part(at, part);
    return at ? read_distance(at, &part->offset) : NULL;
}

/* One of them; past it, or NULL. */
static const char *read_one(struct visible *v, const char *at, const char *executable)
{
    struct visible_part part;
    char *end;
    at = read_place(at, executable, &part);
    if (!at || *at != '/' || !isdigit((unsigned char)at[1]))
        return NULL;
    errno = 0;
    unsigned long long size = strtoull(at + 1, &end, 10);
    if (errno || !size || size > UINT32_MAX || !visible_add(v, visible_part_name(&part), size))
        return NULL;
    return read_more(v, end);
}

/* Past the word; NULL: it is another one. */
static const char *read_word(const char *word, bool *said, const char *at)
{
    size_t length = strlen(word);
    bool is_it = !strncmp(at, word, length) && (!at[length] || isspace((unsigned char)at[length]));
    *said |= is_it;
    return is_it ? at + length : NULL;
}

static const char *read_rounds(uint32_t *rounds, const char *at)
{
    const char *number = at + strlen(ROUNDS);
    char *end;
    if (strncmp(at, ROUNDS, strlen(ROUNDS)) || !isdigit((unsigned char)*number))
        return NULL;
    unsigned long value = strtoul(number, &end, 10);
    if (value < 2 || value > LARGEST_ROUNDS || (*end && !isspace((unsigned char)*end)))
        return NULL;
    *rounds = (uint32_t)value;
    return end;
}

static const char *read_habit(struct habits *h, const char *at)
{
    const char *past = read_word(CLOCK, &h->timed, at);
    past = past ? past : read_word(CANCELS, &h->cancels, at);
    past = past ? past : read_word(FILES, &h->files, at);
    past = past ? past : read_word(PATIENT, &h->patient, at);
    return past ? past : read_rounds(&h->rounds, at);
}

int shared_read(const struct native_settings *s, const char *words, const char *file, struct err *err)
{
    for (const char *at = words; at && *at;) {
        while (isspace((unsigned char)*at))
            at++;
        const char *habit = read_habit(s->habits, at), *next = habit ? habit : *at ? read_one(s->visible, at, s->executable) : at;
        if (!next)
            return fail(err, "%s: in the line `shared:`: %.40s: must be a variable of the program, or a place in it, and a size in bytes, as in &counter/4 or program+0x4014/4", file, at);
        at = next;
    }
    return 0;
}
