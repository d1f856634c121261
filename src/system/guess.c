/* SPDX-License-Identifier: MIT */
#include "system/guess.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

enum { ENTRIES = 1 << 15 };          /* one that falls on another takes its place: so this never grows */

struct entry { uint64_t key; uint32_t to, process; };
struct guess { struct entry entries[ENTRIES]; };

static const struct entry *find(const struct guess *g, uint64_t key)
{
    const struct entry *e = &g->entries[key % ENTRIES];
    return key && e->key == key ? e : NULL;              /* key 0: nothing is there yet */
}

static void note(struct guess *g, const struct system *s, uint64_t key, const struct leg *f, uint32_t to)
{
    assert(to < s->graphs[f->process].count);
    g->entries[key % ENTRIES] = (struct entry){ key, to, f->process };
}

struct guess *guess_new(void) { return memory_get(sizeof(struct guess)); }
void guess_free(struct guess *g) { free(g); }

static uint64_t mix(uint64_t a, uint64_t b)              /* as splitmix64 ends */
{
    uint64_t z = (a << 32 ^ a >> 32 ^ b) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Who used the object before, and how far each had come by it; in which order does not matter. */
static uint64_t key_of(const struct system *s, const struct leg *path, uint32_t at)
{
    const struct leg *f = &path[at];
    uint32_t slot = s->nodes[f->process][f->from].slot;
    uint64_t key = mix(mix(f->process, f->from), f->result), seen = UINT64_C(1) << f->process;
    for (uint32_t i = at; i-- > 0 && (slot == s->nothing || s->users[slot] & ~seen);) {
        const struct leg *before = &path[i];
        if (seen >> before->process & 1 || s->nodes[before->process][before->from].slot != slot)
            continue;
        seen |= UINT64_C(1) << before->process;
        key += mix(before->process, before->to);
    }
    return key;
}

uint32_t guess_where(const struct guess *g, const struct system *s, const struct leg *path, uint32_t at)
{
    const struct entry *e = find(g, key_of(s, path, at));
    assert(!e || e->process == path[at].process);
    return e ? e->to : NO_NODE;
}

void guess_remember(struct guess *g, const struct system *s, const struct leg *path, uint32_t at, uint32_t to)
{
    note(g, s, key_of(s, path, at), &path[at], to);
}

/* ---- what anybody did, when all together had done the same ---- */

uint64_t guess_add(const struct system *s, uint64_t sum, const struct leg *f)
{
    const struct node *n = &s->nodes[f->process][f->from];
    return n->op.object == NO_OBJECT ? sum : sum + mix(n->fingerprint[1], f->result);
}

/* Of one UNIX process: in another, what is at the same address is another object. */
static uint64_t common_key(const struct system *s, uint64_t sum, const struct leg *f)
{
    return mix(sum, mix(s->nodes[f->process][f->from].fingerprint[1], mix((uint64_t)f->host, f->result)));
}

const struct node *guess_common(const struct guess *g, const struct system *s, uint64_t sum, const struct leg *f)
{
    const struct entry *e = find(g, common_key(s, sum, f));
    assert(!e || e->to < s->graphs[e->process].count);
    return e ? &s->nodes[e->process][e->to] : NULL;
}

void guess_remember_common(struct guess *g, const struct system *s, uint64_t sum, const struct leg *f, uint32_t to)
{
    note(g, s, common_key(s, sum, f), f, to);
}

/* ---- what it did when it stood before the same operation, with another past ---- */

static uint64_t like_key(const struct system *s, const struct leg *f)
{
    return ~mix(mix(f->process, f->result), s->nodes[f->process][f->from].fingerprint[1]);
}

uint32_t guess_like(const struct guess *g, const struct system *s, const struct leg *f)
{
    const struct entry *e = find(g, like_key(s, f));
    assert(!e || e->process == f->process);
    return e ? e->to : NO_NODE;
}

void guess_remember_like(struct guess *g, const struct system *s, const struct leg *f, uint32_t to)
{
    note(g, s, like_key(s, f), f, to);
}
