/* SPDX-License-Identifier: MIT */
#include "search/insertions.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

/* ---- numbers ---- */

static uint32_t slot_of(const struct numbered *n, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & n->mask;
    while (n->slots[at] && n->hashes[n->slots[at] - 1] != hash)
        at = (at + 1) & n->mask;
    return at;
}

static uint32_t find(const struct numbered *n, uint64_t hash)
{
    return n->slots ? n->slots[slot_of(n, hash)] - 1 : NOT_NUMBERED;     /* an empty slot is 0 */
}

static void tabulate(struct numbered *n)
{
    uint32_t room = 64;
    while (room < 4 * n->count)
        room *= 2;
    free(n->slots);
    n->slots = memory_get(room * sizeof *n->slots);
    n->mask = room - 1;
    for (uint32_t i = 0; i < n->count; i++)
        n->slots[slot_of(n, n->hashes[i])] = i + 1;
}

static uint32_t enter(struct numbered *n, uint64_t hash)
{
    assert(find(n, hash) == NOT_NUMBERED);
    ARRAY_GROW(n->hashes, n->count, n->room);
    n->hashes[n->count++] = hash;
    if (!n->slots || 2 * n->count > n->mask)
        tabulate(n);
    else
        n->slots[slot_of(n, hash)] = n->count;
    return n->count - 1;
}

/* The last to come is the first to go: nobody went past its slot to find another one. */
static void cut(struct numbered *n, uint32_t count)
{
    assert(count <= n->count);
    for (; n->count > count; n->count--)
        n->slots[slot_of(n, n->hashes[n->count - 1])] = 0;
}

static void fini(struct numbered *n)
{
    free(n->hashes);
    free(n->slots);
}

/* ---- sequences ---- */

void insertions_fini(struct insertions *s)
{
    fini(&s->sequences);
    fini(&s->moves);
    free(s->all);
    free(s->of);
    free(s->steps);
    free(s->clocks);
}

uint64_t insertions_hash(uint64_t hash, const struct move *e)
{
    uint64_t words[] = { hash, ((uint64_t)e->process << 32) + e->choice, ((uint64_t)e->node << 32) + e->stamp, ((uint64_t)e->result << 1) + (e->at == NOT_TAKEN) };
    return XXH3_64bits(words, sizeof words);
}

uint32_t insertions_find(const struct insertions *s, uint64_t hash) { return find(&s->sequences, hash); }

struct insertion insertions_begin(const struct insertions *s, uint32_t first, uint32_t count)
{
    return (struct insertion){ .first = first, .count = count, .steps = s->step_count, .clocks = s->clock_count, .moves = s->moves.count };
}

void insertions_add_step(struct insertions *s, const struct move *e)
{
    uint64_t hash = insertions_hash(0, e);
    uint32_t number = find(&s->moves, hash);
    if (number == NOT_NUMBERED) {
        ARRAY_GROW(s->of, s->moves.count, s->of_room);
        number = enter(&s->moves, hash);
        s->of[number] = *e;
    }
    ARRAY_GROW(s->steps, s->step_count, s->step_room);
    s->steps[s->step_count++] = number;
}

uint32_t insertions_add_clock(struct insertions *s, uint32_t stride)
{
    uint32_t at = s->clock_count;
    for (uint32_t i = 0; i < stride; i++) {
        ARRAY_GROW(s->clocks, s->clock_count, s->clock_room);
        s->clocks[s->clock_count++] = 0;
    }
    return at;
}

uint32_t insertions_enter(struct insertions *s, uint64_t hash, struct insertion e)
{
    assert(e.steps + e.count == s->step_count && e.clocks <= s->clock_count && e.count < LONGEST_INSERTION);
    ARRAY_GROW(s->all, s->sequences.count, s->all_room);
    s->all[s->sequences.count] = e;
    return enter(&s->sequences, hash);
}

void insertions_cut(struct insertions *s, uint32_t count)
{
    if (count == s->sequences.count)
        return;
    s->step_count = s->all[count].steps;
    s->clock_count = s->all[count].clocks;
    cut(&s->moves, s->all[count].moves);
    cut(&s->sequences, count);
}

uint64_t insertions_size(const struct insertions *s)
{
    return (uint64_t)s->sequences.count * sizeof *s->all + (uint64_t)s->moves.count * sizeof *s->of + (uint64_t)s->step_count * sizeof *s->steps
         + (uint64_t)s->clock_count * sizeof *s->clocks;
}
