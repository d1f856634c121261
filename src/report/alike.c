/* SPDX-License-Identifier: MIT */
#include "report/alike.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

enum { FIRST_MASK = 63, MOST_PATHS = 1 << 20 };

void alikes_init(struct alikes *a)
{
    *a = (struct alikes){ .path_mask = FIRST_MASK };
    a->paths = memory_get((FIRST_MASK + 1) * sizeof *a->paths);
}

void alikes_fini(struct alikes *a)
{
    free(a->all);
    free(a->paths);
}

/* ---- what makes two the same ---- */

/* Of one process: where it stands, and before what. Who it is does not matter: threads that run the same code are alike. */
static uint64_t standing(const struct op *op)
{
    uint64_t words[2] = { op->place, (uint64_t)op->type << 8 | op->code };
    return XXH3_64bits(words, sizeof words) | 1;
}

/* Of all that wait: the set of their standings, summed, so that order does not matter. */
static uint64_t where_they_wait(const struct system *s)
{
    uint64_t each[MAX_PROCESSES], sum = 0;
    int count = 0;
    for (int p = 0; p < s->processes; p++) {
        if (system_pending(s, p)->flags & NODE_END)
            continue;
        uint64_t one = standing(&system_pending(s, p)->op);
        bool known = false;
        for (int i = 0; i < count && !known; i++)
            known = each[i] == one;
        if (known)
            continue;
        each[count++] = one;
        sum += one;
    }
    return sum;
}

/* The words of an end may hold an address or a number; its place says enough, where it has one. */
static uint64_t words_of(const struct op *op, enum error_kind kind)
{
    bool own_words = kind == ERROR_NONDETERMINISM || kind == ERROR_UNSUPPORTED || !op->place;
    return kind == ERROR_UNSUPPORTED && op->arg[0] ? (uint64_t)op->arg[0] : own_words ? op->text : 0;
}

static XXH128_hash_t key_of(const struct system *s, struct condition c)
{
    uint64_t key[3] = { c.kind + 1 };
    assert(c.process < s->processes);
    if (c.kind == ERROR_INVARIANT) {
        key[1] = (uint64_t)c.process + 2;
    } else if (c.process < 0) {
        key[1] = where_they_wait(s);
    } else {
        const struct op *op = &system_pending(s, c.process)->op;
        key[1] = standing(op);
        key[2] = words_of(op, c.kind);
    }
    return XXH3_128bits(key, sizeof key);
}

struct alike *alikes_of(struct alikes *a, const struct system *s, struct condition c)
{
    XXH128_hash_t key = key_of(s, c);
    for (uint32_t i = 0; i < a->count; i++)
        if (a->all[i].key[0] == key.low64 && a->all[i].key[1] == key.high64)
            return &a->all[i];
    ARRAY_GROW(a->all, a->count, a->room);
    a->all[a->count] = (struct alike){ .key = { key.low64, key.high64 }, .finding = NO_FINDING };
    return &a->all[a->count++];
}

/* ---- paths ---- */

static bool add(struct alikes *a, XXH128_hash_t key);

static void widen(struct alikes *a)
{
    uint64_t (*old)[2] = a->paths;
    uint32_t old_mask = a->path_mask;
    a->path_mask = 2 * old_mask + 1;
    a->path_count = 0;
    a->paths = memory_get(((size_t)a->path_mask + 1) * sizeof *a->paths);
    for (uint32_t i = 0; i <= old_mask; i++)
        if (old[i][0] || old[i][1])
            add(a, (XXH128_hash_t){ old[i][0], old[i][1] });
    free(old);
}

static bool add(struct alikes *a, XXH128_hash_t key)
{
    if (a->path_count >= a->path_mask / 2)
        widen(a);
    for (uint32_t at = (uint32_t)key.low64; ; at++) {
        uint64_t *slot = a->paths[at & a->path_mask];
        if (slot[0] == key.low64 && slot[1] == key.high64)
            return false;
        if (!slot[0] && !slot[1]) {
            slot[0] = key.low64;
            slot[1] = key.high64;
            a->path_count++;
            assert(a->path_count <= a->path_mask / 2 + 1);
            return true;
        }
    }
}

static void mix(XXH128_hash_t *hash, uint64_t process, uint64_t choice, uint64_t result)
{
    uint64_t words[] = { hash->low64, hash->high64, process << 32 | choice, result };
    *hash = XXH3_128bits(words, sizeof words);
}

bool alikes_new_path(struct alikes *a, const struct alike *alike, const struct trace *prefix, const struct step *path, uint32_t depth)
{
    XXH128_hash_t hash = { alike->key[0], alike->key[1] };
    if (a->path_count >= MOST_PATHS)
        return true;
    for (uint32_t i = 0; i < prefix->count; i++)
        mix(&hash, prefix->events[i].op.process, prefix->events[i].choice, prefix->events[i].result);
    for (uint32_t i = 0; i < depth; i++)
        mix(&hash, path[i].process, path[i].choice, path[i].result);
    return add(a, hash);
}
