/* SPDX-License-Identifier: MIT */
#include "certifier/again.h"

#include "base/memory.h"
#include "certifier/spool.h"

#include <errno.h>
#include <stdlib.h>

enum { BUFFER = 1 << 14 };

struct again {
    FILE     *spool;
    uint32_t  words[BUFFER];
    size_t    at, filled;            /* filled: of what was read */
    bool      failed;
    uint64_t *path, number, next;    /* states that are entered and not left; the next new one */
    uint32_t  depth, room;
};

struct again *again_new(const char *near)
{
    FILE *spool = spool_open(near);
    if (!spool)
        return NULL;
    struct again *a = memory_get(sizeof *a);
    a->spool = spool;
    return a;
}

void again_free(struct again *a)
{
    if (!a)
        return;
    fclose(a->spool);
    free(a->path);
    free(a);
}

/* ---- the first time ---- */

static void flush(struct again *a)
{
    a->failed |= fwrite(a->words, sizeof *a->words, a->at, a->spool) != a->at;
    a->at = 0;
}

void again_add(struct again *a, const struct script_entry *e)
{
    if (a->at + 3 > BUFFER)
        flush(a);
    a->words[a->at++] = e->label;
    if (e->label == BACK)
        return;
    a->words[a->at++] = (uint32_t)e->to;
    a->words[a->at++] = (uint32_t)(e->to >> 32);
}

static void stand_on(struct again *a, uint64_t state)
{
    ARRAY_GROW(a->path, a->depth, a->room);
    a->path[a->depth++] = state;
}

bool again_begin(struct again *a)
{
    flush(a);
    a->failed |= fflush(a->spool) || fseeko(a->spool, 0, SEEK_SET);
    a->at = a->filled = 0;
    a->next = 1;
    stand_on(a, 0);
    return !a->failed;
}

/* ---- the second ---- */

static bool take(struct again *a, uint32_t *word)
{
    if (a->at == a->filled) {
        a->filled = fread(a->words, sizeof *a->words, BUFFER, a->spool);
        a->at = 0;
    }
    if (a->at == a->filled)
        return false;
    *word = a->words[a->at++];
    return true;
}

int again_next(struct again *a, struct script_entry *e)
{
    uint32_t low, high;
    if (!a->depth)
        return 0;
    *e = (struct script_entry){ .number = ++a->number, .from = a->path[a->depth - 1] };
    if (!take(a, &e->label))
        return -EIO;
    if (e->label == BACK) {
        a->depth--;
        return 1;
    }
    if (!take(a, &low) || !take(a, &high))
        return -EIO;
    e->to = (uint64_t)high << 32 | low;
    e->is_new = e->to == a->next;
    if (e->is_new) {
        a->next++;
        stand_on(a, e->to);
    }
    return 1;
}
