/* SPDX-License-Identifier: MIT */
#include "backlog.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

void backlog_init(struct backlog *b)
{
    *b = (struct backlog){ .first = NO_JOB, .last = NO_JOB };
}

void backlog_fini(struct backlog *b)
{
    free(b->entries);
    backlog_init(b);
}

static int grow(struct backlog *b)
{
    if (b->count < b->room)
        return 0;
    uint32_t room = b->room ? 2 * b->room : 8;
    struct entry *entries = realloc(b->entries, room * sizeof *entries);
    if (!entries)
        return -ENOMEM;
    b->entries = entries;
    b->room = room;
    return 0;
}

static void append(struct backlog *b, uint32_t id)
{
    b->entries[id].next = NO_JOB;
    if (b->last == NO_JOB)
        b->first = id;
    else
        b->entries[b->last].next = id;
    b->last = id;
}

static void prepend(struct backlog *b, uint32_t id)
{
    b->entries[id].next = b->first;
    b->first = id;
    if (b->last == NO_JOB)
        b->last = id;
}

int backlog_add(struct backlog *b, const struct job *job, uint32_t *id)
{
    int error = grow(b);
    if (error)
        return error;
    *id = b->count++;
    b->entries[*id] = (struct entry){ .job = *job, .state = WAITING };
    append(b, *id);
    b->open++;
    return 0;
}

uint32_t backlog_begin(struct backlog *b)
{
    uint32_t id = b->first;
    if (id == NO_JOB)
        return NO_JOB;
    struct entry *e = &b->entries[id];
    assert(e->state == WAITING);
    b->first = e->next;
    if (b->first == NO_JOB)
        b->last = NO_JOB;
    e->state = RUNNING;
    e->attempts++;
    return id;
}

void backlog_again(struct backlog *b, uint32_t id)
{
    assert(id < b->count && b->entries[id].state == RUNNING);
    b->entries[id].state = WAITING;
    prepend(b, id);
}

void backlog_finish(struct backlog *b, uint32_t id)
{
    assert(id < b->count && b->entries[id].state == RUNNING);
    b->entries[id].state = FINISHED;
    b->open--;
}

const struct entry *backlog_entry(const struct backlog *b, uint32_t id)
{
    return id < b->count ? &b->entries[id] : NULL;
}
