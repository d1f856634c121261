/* SPDX-License-Identifier: MIT */
#include "traces.h"

#include "random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 128 };
typedef unsigned __int128 events;    /* a set of positions */

struct traces {
    struct system *system;
    struct step    steps[LONGEST];
    uint32_t       stamps[LONGEST], depth;
    uint64_t       left;             /* transitions that may still be looked at */
    uint64_t       ends;
    bool           too_long, sums;   /* sums: of the last states */
    uint64_t     (*seen)[2];         /* a hash table of hashes; { 0, 0 } is free */
    uint64_t       count, mask;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    struct random r = { a * UINT64_C(0x9e3779b97f4a7c15) ^ b };
    random_next(&r);
    r.at ^= b << 32 | b >> 32;
    return random_next(&r);
}

static uint64_t *slot_of(struct traces *t, const uint64_t hash[2])
{
    uint64_t at = hash[0] & t->mask;
    while ((t->seen[at][0] || t->seen[at][1]) && memcmp(t->seen[at], hash, sizeof t->seen[at]))
        at = (at + 1) & t->mask;
    return t->seen[at];
}

static void enlarge(struct traces *t)
{
    uint64_t (*old)[2] = t->seen, old_mask = t->mask;
    t->mask = old ? 2 * old_mask + 1 : 1023;
    t->seen = calloc(t->mask + 1, sizeof *t->seen);
    assert(t->seen);
    for (uint64_t i = 0; old && i <= old_mask; i++)
        if (old[i][0] || old[i][1])
            memcpy(slot_of(t, old[i]), old[i], sizeof *old);
    free(old);
}

static bool add(struct traces *t, const uint64_t hash[2])        /* is it a new one? */
{
    if (!t->seen || 2 * t->count >= t->mask)
        enlarge(t);
    uint64_t *slot = slot_of(t, hash);
    bool new = !slot[0] && !slot[1];
    t->count += new;
    memcpy(slot, hash, 2 * sizeof *slot);
    return new;
}

/* Which step of its process it is, and with which result. */
static uint64_t label_of(const struct traces *t, uint32_t at)
{
    uint64_t nth = 0;
    for (uint32_t i = 0; i < at; i++)
        nth += t->steps[i].process == t->steps[at].process;
    return mix(nth << 8 | t->steps[at].process, t->steps[at].choice);
}

static void hash_of(const struct traces *t, uint64_t hash[2])
{
    events before[LONGEST];
    uint64_t label[LONGEST];
    hash[0] = hash[1] = 1;
    for (uint32_t j = 0; j < t->depth; j++) {
        before[j] = 0;
        label[j] = label_of(t, j);
        for (uint32_t i = 0; i < j; i++)
            if (t->steps[i].process == t->steps[j].process
                || dependence_conflict(t->system, &t->steps[i], t->stamps[i], &t->steps[j], t->stamps[j]))
                before[j] |= before[i] | (events)1 << i;
        for (uint32_t i = 0; i <= j; i++) {
            if (i < j && !(before[j] >> i & 1))
                continue;
            hash[0] += mix(label[i], label[j]);
            hash[1] += mix(label[j] + 1, label[i]);
        }
    }
}

static void note(struct traces *t)
{
    uint64_t hash[2];
    hash_of(t, hash);
    if (!add(t, hash) || !t->sums)
        return;
    system_fingerprint(t->system, hash);
    t->ends += hash[0];
}

struct traces *traces_new(struct system *system)
{
    struct traces *t = calloc(1, sizeof *t);
    assert(t);
    t->system = system;
    return t;
}

void traces_free(struct traces *t)
{
    free(t->seen);
    free(t);
}

uint64_t traces_add(struct traces *t, const struct step *steps, uint32_t depth)
{
    uint64_t hash[2];
    assert(depth <= LONGEST && !t->depth);
    for (; t->depth < depth; t->depth++) {
        const struct step *s = &steps[t->depth];
        t->stamps[t->depth] = dependence_stamp(t->system, (int)s->process);
        enum took took = system_execute(t->system, (int)s->process, s->choice, &t->steps[t->depth], NULL);
        assert(took == STEP_TAKEN);
    }
    hash_of(t, hash);
    if (!t->system->enabled)
        add(t, hash);
    while (t->depth)
        system_undo(t->system, &t->steps[--t->depth]);
    return t->count;
}

static void go_through(struct traces *t, bool noting)
{
    uint64_t enabled = t->system->enabled;
    if (!enabled && noting)
        note(t);
    t->too_long |= enabled && (t->depth == LONGEST || !t->left);
    for (; enabled && !t->too_long; enabled &= enabled - 1) {
        int p = __builtin_ctzll(enabled);
        uint32_t choices = system_choices(t->system, p);
        for (uint32_t c = 0; c < choices && !t->too_long; c++) {
            t->stamps[t->depth] = dependence_stamp(t->system, p);
            enum took took = system_execute(t->system, p, c, &t->steps[t->depth], NULL);
            assert(took == STEP_TAKEN);
            t->depth++;
            t->left -= t->left > 0;
            go_through(t, noting);
            system_undo(t->system, &t->steps[--t->depth]);
        }
    }
}

uint64_t traces_count(struct system *system, uint64_t most, uint64_t *ends)
{
    struct traces t = { .system = system, .left = most, .sums = ends };
    go_through(&t, false);           /* what conflicts with what is known when all has been seen once */
    t.left = most;
    if (!t.too_long)
        go_through(&t, true);
    free(t.seen);
    if (ends)
        *ends = t.ends;
    return t.too_long ? UINT64_MAX : t.count;
}
