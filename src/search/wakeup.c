/* SPDX-License-Identifier: MIT */
#include "search/wakeup.h"

#include "base/memory.h"

#include <string.h>

/* ---- branches ---- */

/* Before a branch that others may know changes: what it was. */
static void remember(struct optimal *o, uint32_t b)
{
    if (!o->system->group)
        return;
    ARRAY_GROW(o->undo, o->undo_count, o->undo_room);
    o->undo[o->undo_count++] = (struct old_branch){ b, o->pool[b] };
}

void wakeup_undo(struct optimal *o, uint32_t count)
{
    while (o->undo_count > count) {
        const struct old_branch *old = &o->undo[--o->undo_count];
        o->pool[old->number] = old->was;
    }
}

uint32_t wakeup_new(struct optimal *o, const struct event *e)
{
    uint32_t b = o->unused;
    if (b) {
        remember(o, b);
        o->unused = o->pool[b].next;
    } else {
        ARRAY_GROW(o->pool, o->pool_count, o->pool_room);
        b = o->pool_count++;
    }
    o->pool[b] = (struct branch){ .event = *e };
    return b;
}

void wakeup_free(struct optimal *o, uint32_t b)
{
    remember(o, b);
    o->pool[b].next = o->unused;
    o->unused = b;
}

void wakeup_free_list(struct optimal *o, uint32_t list)
{
    while (list) {
        uint32_t next = o->pool[list].next;
        wakeup_free_list(o, o->pool[list].child);
        wakeup_free(o, list);
        list = next;
    }
}

uint32_t wakeup_chain(struct optimal *o, const struct event *const *events, uint32_t count)
{
    uint32_t chain = 0;
    while (count-- > 0) {
        uint32_t b = wakeup_new(o, events[count]);
        o->pool[b].child = chain;
        chain = b;
    }
    return chain;
}

uint32_t wakeup_same_result(const struct optimal *o, uint32_t branch, uint32_t choice, uint32_t *last)
{
    uint32_t process = o->pool[branch].event.process;
    for (; branch && o->pool[branch].event.process == process; branch = o->pool[branch].next) {
        if (o->pool[branch].event.choice == choice)
            return branch;
        *last = branch;
    }
    return 0;
}

/* ---- what a sequence can begin with ---- */

static bool goes_before(const struct optimal *o, const struct event *a, const struct event *b)
{
    if (a->at == NOT_TAKEN)
        return false;                /* it is the last of the sequence */
    return (b->at == NOT_TAKEN ? o->second_clock : clock_of(o, b->at))[a->process] > a->at;
}

uint32_t wakeup_find(const struct event *const *sequence, uint32_t count, uint32_t process)
{
    uint32_t i = 0;
    while (i < count && sequence[i]->process != process)
        i++;
    return i;
}

bool wakeup_initial(const struct optimal *o, const struct event *const *sequence, uint32_t count, const struct event *e,
                    uint32_t found)
{
    if (found < count) {
        if (sequence[found]->at != NOT_TAKEN && o->levels[sequence[found]->at].last <= o->free_first)
            return true;
        for (uint32_t i = 0; i < found; i++)
            if (goes_before(o, sequence[i], sequence[found]))
                return false;
        return true;
    }
    for (uint32_t i = 0; i < count; i++)
        if (in_conflict(o, e, sequence[i]))
            return false;
    return true;
}

/* ---- inserting ---- */

/* To the end of what comes after a branch, or of a level's tree. */
static void append(struct optimal *o, uint32_t parent, uint32_t level, uint32_t branch)
{
    uint32_t last = 0, *list = parent ? &o->pool[parent].child : &o->levels[level].tree;
    for (uint32_t b = *list; b; b = o->pool[b].next)
        last = b;
    if (last || parent)
        remember(o, last ? last : parent);
    *(last ? &o->pool[last].next : list) = branch;
}

static void remove_event(const struct event **sequence, uint32_t *count, uint32_t at)
{
    (*count)--;
    memmove(&sequence[at], &sequence[at + 1], (*count - at) * sizeof *sequence);
}

/* Moves an event to the front. */
static void bring_forward(const struct event **sequence, uint32_t at)
{
    const struct event *e = sequence[at];
    memmove(&sequence[1], &sequence[0], at * sizeof *sequence);
    sequence[0] = e;
}

/* The first branch of the list with which an execution that begins with the sequence could begin as well; 0: none. */
static uint32_t compatible(const struct optimal *o, uint32_t list, const struct event *const *sequence, uint32_t count,
                           uint32_t *found)
{
    for (uint32_t b = list; b; b = o->pool[b].next) {
        *found = wakeup_find(sequence, count, o->pool[b].event.process);
        if (wakeup_initial(o, sequence, count, &o->pool[b].event, *found))
            return b;
    }
    return 0;
}

void wakeup_insert(struct optimal *o, uint32_t level, const struct event **sequence, uint32_t count)
{
    uint32_t parent = 0, found, last = 0;
    while (count) {
        uint32_t b = compatible(o, parent ? o->pool[parent].child : o->levels[level].tree, sequence, count, &found);
        if (!b) {
            uint32_t chain = wakeup_chain(o, sequence, count);
            append(o, parent, level, chain);
            return;
        }
        if (found < count && sequence[found]->at != NOT_TAKEN
            && !(b = wakeup_same_result(o, b, sequence[found]->choice, &last))) {
            bring_forward(sequence, found);
            uint32_t chain = wakeup_chain(o, sequence, count);
            o->pool[chain].next = o->pool[last].next;
            remember(o, last);
            o->pool[last].next = chain;
            return;
        }
        if (!o->pool[b].child)
            return;
        if (found < count)
            remove_event(sequence, &count, found);
        parent = b;
    }
}
