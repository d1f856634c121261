/* SPDX-License-Identifier: MIT */
#include "search/wakeup.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- branches ---- */

void wakeup_init(struct trees *t, bool undoable)
{
    *t = (struct trees){ .undoable = undoable };
    wakeup_new(t, &(struct move){ 0 });         /* number 0 is none */
}

void wakeup_fini(struct trees *t)
{
    free(t->pool);
    free(t->undo);
}

/* Before a branch that others may know changes: what it was. */
static void remember(struct trees *t, uint32_t b)
{
    assert(b < t->pool_count);
    if (!t->undoable)
        return;
    ARRAY_GROW(t->undo, t->undo_count, t->undo_room);
    t->undo[t->undo_count++] = (struct old_branch){ b, t->pool[b] };
}

void wakeup_undo(struct trees *t, uint32_t count)
{
    assert(count <= t->undo_count);
    while (t->undo_count > count) {
        const struct old_branch *old = &t->undo[--t->undo_count];
        assert(old->number < t->pool_count);
        t->pool[old->number] = old->was;
    }
}

uint32_t wakeup_new(struct trees *t, const struct move *e)
{
    uint32_t b = t->unused;
    if (b) {
        remember(t, b);
        t->unused = t->pool[b].next;
    } else {
        ARRAY_GROW(t->pool, t->pool_count, t->pool_room);
        b = t->pool_count++;
    }
    t->pool[b] = (struct branch){ .event = *e, .late = t->late };
    return b;
}

void wakeup_free(struct trees *t, uint32_t b)
{
    assert(b && b < t->pool_count);
    remember(t, b);
    t->pool[b].next = t->unused;
    t->unused = b;
}

/* What comes after a branch is put behind it in the list, instead of freed by recursion: it may be as long as a path. */
void wakeup_free_list(struct trees *t, uint32_t list)
{
    while (list) {
        uint32_t next = t->pool[list].next, child = t->pool[list].child, last = child;
        while (last && t->pool[last].next)
            last = t->pool[last].next;
        if (last) {
            remember(t, last);
            t->pool[last].next = next;
        }
        wakeup_free(t, list);
        list = child ? child : next;
    }
}

uint32_t wakeup_chain(struct trees *t, const struct sequence *s)
{
    uint32_t chain = 0;
    assert(s->count);
    for (uint32_t i = s->count; i-- > 0;) {
        uint32_t b = wakeup_new(t, s->events[i]);
        t->pool[b].child = chain;
        chain = b;
    }
    return chain;
}

uint32_t wakeup_same_result(const struct trees *t, uint32_t list, const struct move *e, uint32_t *last)
{
    for (uint32_t b = list; b && t->pool[b].event.process == e->process; b = t->pool[b].next) {
        if (t->pool[b].event.choice == e->choice)
            return b;
        *last = b;
    }
    return 0;
}

/* ---- what a sequence can begin with ---- */

static const uint32_t *clock_in(const struct sequence *s, const struct move *e)
{
    if (e->at == NOT_TAKEN)
        return s->last_clock;
    return s->clocks ? s->clocks + (size_t)e->at * s->past->stride : clock_of(s->past, e->at);
}

static bool goes_before(const struct sequence *s, const struct move *a, const struct move *b)
{
    if (a->at == NOT_TAKEN)
        return false;                /* it is the last of the sequence */
    return clock_in(s, b)[a->process] > a->at;
}

uint32_t wakeup_find(const struct sequence *s, uint32_t process)
{
    uint32_t i = 0;
    while (i < s->count && s->events[i]->process != process)
        i++;
    return i;
}

bool wakeup_initial(const struct sequence *s, const struct move *e, uint32_t found)
{
    if (found < s->count) {
        const struct move *own = s->events[found];
        if (own->at != NOT_TAKEN && !s->clocks && s->past->levels[own->at].last <= s->first)
            return true;
        for (uint32_t i = 0; i < found; i++)
            if (goes_before(s, s->events[i], own))
                return false;
        return true;
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (in_conflict(s->past, e, s->events[i]))
            return false;
    return true;
}

/* ---- inserting ---- */

/* To the end of what comes after a branch, or of a tree. */
static void append(struct trees *t, uint32_t parent, uint32_t *tree, uint32_t branch)
{
    uint32_t last = 0, *list = parent ? &t->pool[parent].child : tree;
    assert(!t->pool[branch].next);
    for (uint32_t b = *list; b; b = t->pool[b].next)
        last = b;
    if (last || parent)
        remember(t, last ? last : parent);
    *(last ? &t->pool[last].next : list) = branch;
}

static void remove_event(struct sequence *s, uint32_t at)
{
    assert(at < s->count);
    s->count--;
    memmove(&s->events[at], &s->events[at + 1], (s->count - at) * sizeof *s->events);
}

static void bring_forward(struct sequence *s, uint32_t at)
{
    assert(at < s->count);
    const struct move *e = s->events[at];
    memmove(&s->events[1], &s->events[0], at * sizeof *s->events);
    s->events[0] = e;
}

/* The first branch of the list with which an execution that begins with the sequence could begin as well; 0: none. */
static uint32_t compatible(const struct trees *t, uint32_t list, const struct sequence *s, uint32_t *found)
{
    for (uint32_t b = list; b; b = t->pool[b].next) {
        *found = wakeup_find(s, t->pool[b].event.process);
        if (wakeup_initial(s, &t->pool[b].event, *found))
            return b;
    }
    return 0;
}

/* The branches of a process are side by side. */
static void insert_beside(struct trees *t, uint32_t last, uint32_t branch)
{
    assert(last && t->pool[last].event.process == t->pool[branch].event.process);
    t->pool[branch].next = t->pool[last].next;
    remember(t, last);
    t->pool[last].next = branch;
}

enum inserted wakeup_insert(struct trees *t, uint32_t *tree, struct sequence *s)
{
    uint32_t parent = 0, found, last = 0;
    enum inserted absorbed = ABSORBED;
    while (s->count) {
        uint32_t b = compatible(t, parent ? t->pool[parent].child : *tree, s, &found);
        if (!b) {
            uint32_t chain = wakeup_chain(t, s);
            append(t, parent, tree, chain);
            return INSERTED_LAST;
        }
        bool has_result = found < s->count && s->events[found]->at != NOT_TAKEN;
        if (has_result && !(b = wakeup_same_result(t, b, s->events[found], &last))) {
            bring_forward(s, found);
            insert_beside(t, last, wakeup_chain(t, s));
            return INSERTED_BESIDE;
        }
        absorbed = t->pool[b].late ? ABSORBED_LATE : absorbed;
        if (!t->pool[b].child)
            return absorbed;
        if (found < s->count)
            remove_event(s, found);
        parent = b;
    }
    return absorbed;
}

/* ---- checking ---- */

/* Side by side, with different results: once another process was there, the one before it does not come again. */
static void check_list(const struct trees *t, uint32_t list)
{
    uint64_t over = 0;
    for (uint32_t b = list; b; b = t->pool[b].next) {
        uint32_t next = t->pool[b].next, last;
        assert(b < t->pool_count && !(over & BIT(t->pool[b].event.process)));
        if (next && t->pool[next].event.process != t->pool[b].event.process)
            over |= BIT(t->pool[b].event.process);
        else if (next)
            assert(!wakeup_same_result(t, next, &t->pool[b].event, &last));
    }
}

uint32_t wakeup_check(const struct trees *t, uint32_t tree)
{
    uint32_t count = 0;
    check_list(t, tree);
    for (uint32_t b = tree; b; b = t->pool[b].next) {
        count += 1 + wakeup_check(t, t->pool[b].child);
        assert(count < t->pool_count);           /* else some are there twice */
    }
    return count;
}

uint32_t wakeup_size(const struct trees *t, uint32_t tree)
{
    uint32_t count = 0;
    for (uint32_t b = tree; b; b = t->pool[b].next)
        count += 1 + wakeup_size(t, t->pool[b].child);
    return count;
}

uint32_t wakeup_count_unused(const struct trees *t)
{
    uint32_t count = 0;
    for (uint32_t b = t->unused; b && count < t->pool_count; b = t->pool[b].next)
        count++;
    return count;
}
