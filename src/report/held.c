/* SPDX-License-Identifier: MIT */
#include "report/held.h"

#include "base/memory.h"
#include "base/prose.h"
#include "native/variable.h"
#include "objects/types.h"
#include "properties/invariant.h"
#include "report/run.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 64 };           /* variables whose values are told: those that were the first to be seen as shared */

struct held {
    const struct visible *visible;
    struct invariants    *invariants;
    struct noted         *noted;     /* of the invariants, and then ours */
    uint32_t              theirs, ours;
};

struct held *held_new(const struct visible *visible, struct invariants *invariants)
{
    struct held *v = memory_get(sizeof *v);
    assert(visible);
    v->visible = visible;
    v->invariants = invariants;
    return v;
}

void held_free(struct held *v)
{
    if (v)
        free(v->noted);
    free(v);
}

/* ---- noting ---- */

static bool has_value(const struct wire_visible *one)
{
    return one->size <= sizeof(uint64_t) && !(one->size & (one->size - 1)) && one->address < WIRE_TOP;
}

static struct noted value_at(struct memory_view *memory, const struct wire_visible *one)
{
    struct noted n = { 0 };
    uint64_t bits = 0;
    n.known = has_value(one) && memory_view_read(memory, one->address, &bits, one->size);
    n.value = (int64_t)bits;
    return n;
}

/* A run that is followed has as many variables to look at as it had at its start. */
static void make_room(struct held *v)
{
    v->ours = v->visible->count < MOST_VALUES ? v->visible->count : MOST_VALUES;
    v->noted = memory_get((v->theirs + v->ours + 1) * sizeof *v->noted);
}

int held_note(void *self, struct where *where, struct memory_view *memory, const struct noted **noted, uint32_t *count, struct err *err)
{
    struct held *v = self;
    const struct noted *theirs = NULL;
    uint32_t before = v->theirs;
    int rc = v->invariants ? invariants_note(v->invariants, where, memory, &theirs, &v->theirs, err) : 0;
    if (rc < 0)
        return rc;
    assert(!v->noted || v->theirs == before);
    if (!v->noted)
        make_room(v);
    if (v->theirs)
        memcpy(v->noted, theirs, v->theirs * sizeof *theirs);
    for (uint32_t i = 0; i < v->ours; i++)
        v->noted[v->theirs + i] = value_at(memory, &v->visible->all[i]);
    *count = v->theirs + v->ours;
    *noted = *count ? v->noted : NULL;
    return 0;
}

/* ---- of one event ---- */

static const struct created *variable_of(const struct system *s, const struct op *op)
{
    bool accesses = op->object != NO_OBJECT && types_get(op->type)->variable;
    return accesses ? s->objects[op->object].created : NULL;
}

/* Which of the list; -1: none of those that are noted, or nobody knows. */
static int which(const struct held *v, const struct op *op, const struct created *c)
{
    for (uint32_t i = 0; i < v->ours; i++) {
        const struct wire_visible *one = &v->visible->all[i];
        bool is_it = !one->several || (op->arg[0] & LOCATION_LOOSE && one->rank == LOCATION_WHICH(op));
        if (one->object == c->address && is_it && LOCATION_SIZE(op) == one->size)
            return (int)i;
    }
    return -1;
}

void held_keep(const struct held *v, const struct system *s, struct event *event)
{
    const struct created *c = s->group ? variable_of(s, &event->op) : NULL;
    int i = c ? which(v, &event->op, c) : -1;
    uint32_t steps = i >= 0 ? system_path_length(s) : 0;
    const struct noted *before = steps ? system_noted(s, steps - 1) : NULL, *after = steps ? system_noted(s, steps) : NULL;
    if (!before || !after)
        return;
    event->before = before[v->theirs + (uint32_t)i];
    event->after = after[v->theirs + (uint32_t)i];
}

/* ---- words ---- */

/* As C would write it. Of an unknown type: what is no small number may be a pointer. */
static void add_value(struct prose *words, enum symbol_kind kind, uint32_t bytes, uint64_t bits)
{
    unsigned unused = 64 - 8 * bytes;
    int64_t number = (int64_t)(bits << unused) >> unused;
    bool small = number >= INT32_MIN && number <= INT32_MAX;
    if (kind == SYMBOL_POINTER && !bits)
        prose_add(words, "NULL");
    else if (kind == SYMBOL_POINTER || (kind == SYMBOL_UNKNOWN && !small))
        prose_add(words, "%#" PRIx64, bits);
    else if (kind == SYMBOL_UNSIGNED)
        prose_add(words, "%" PRIu64, bits);
    else
        prose_add(words, "%" PRId64, number);
}

char *held_words(const struct run *run, const struct event *e)
{
    const struct created *c = run->native ? variable_of(run->system, &e->op) : NULL;
    uint32_t bytes = c ? LOCATION_SIZE(&e->op) : 0;
    if (!bytes || bytes > sizeof(uint64_t) || !e->after.known)
        return NULL;
    enum symbol_kind kind = LOCATION_WHICH(&e->op) ? SYMBOL_UNKNOWN : variable_kind(native_where(run->native), c->address, bytes);
    if (kind == SYMBOL_OTHER)
        return NULL;
    struct prose words = { 0 };
    if (e->before.known && e->before.value != e->after.value) {
        add_value(&words, kind, bytes, (uint64_t)e->before.value);
        prose_add(&words, " to ");
    }
    add_value(&words, kind, bytes, (uint64_t)e->after.value);
    return prose_take(&words);
}
