/* SPDX-License-Identifier: MIT */
#include "search/cache.h"

#include "base/memory.h"

#include <assert.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLASSES   = 4096,                /* queues: a bit set of 64 words, and a word that says which of these are not empty */
    STRATA    = 4,                   /* of the policy stratified: every fourth level is replaced before the next is */
    MOST_HITS = 31, MOST_DEGREE = 63, MOST_ON_PATH = 127
};

struct entry {
    uint64_t key[2];
    uint32_t chain;                  /* next with the same hash; all links count from 1, 0: none */
    uint32_t next, previous;         /* in its queue */
    float    weight;                 /* COST: work; SUM: the sum */
    float    base;                   /* COST: the age when it came into its queue */
    uint32_t class : 12, queued : 1, between : 1, hits : 5, degree : 6, on_path : 7;       /* between: two strata that are replaced */
};
_Static_assert(sizeof(struct entry) == 40, "what a state in the cache takes, beside two links of the hash table");

struct queue { uint32_t first, last; };

struct cache {
    enum cache_policy   policy;
    struct cache_extras extras;
    struct entry       *entries;
    uint64_t           *sleep, *numbers;         /* NULL: not kept */
    uint32_t            count, grown, room;      /* grown: as many as there is memory for now */
    uint32_t           *heads, mask;             /* hash table */
    struct queue       *queues;
    float              *bases;                   /* of the first of each queue, close together */
    uint64_t            filled[CLASSES / 64], summary;
    uint32_t            stratum;
    double              age;                     /* COST: what the one that was replaced last counted as */
    float               come[MOST_DEGREE + 1][MOST_HITS + 1], again[MOST_DEGREE + 1][MOST_HITS + 1];
    uint64_t            replaced, random;
};

uint64_t cache_room_of(uint64_t bytes, struct cache_extras extras)
{
    uint64_t room = bytes / (sizeof(struct entry) + 2 * sizeof(uint32_t) + 8 * (extras.sleep + extras.numbers));
    return room ? room : 1;
}

struct cache *cache_new(uint64_t room, enum cache_policy policy, struct cache_extras extras, uint64_t seed)
{
    struct cache *c = memory_get(sizeof *c);
    assert(room && policy < CACHE_POLICY_COUNT);
    c->policy = policy;
    c->extras = extras;
    c->room = room < NO_PLACE ? (uint32_t)room : NO_PLACE - 1;   /* more states than there are numbers for take 170 GB */
    c->heads = memory_get(sizeof *c->heads);
    c->queues = memory_get(CLASSES * sizeof *c->queues);
    c->bases = memory_get(CLASSES * sizeof *c->bases);
    c->random = seed | 1;
    return c;
}

void cache_free(struct cache *c)
{
    if (!c)
        return;
    free(c->entries);
    free(c->sleep);
    free(c->numbers);
    free(c->heads);
    free(c->queues);
    free(c->bases);
    free(c);
}

uint64_t *cache_sleep(struct cache *c, uint32_t place) { return &c->sleep[place]; }
uint64_t *cache_number(struct cache *c, uint32_t place) { return &c->numbers[place]; }
uint64_t  cache_replaced(const struct cache *c) { return c->replaced; }

/* ---- the hash table ---- */

static uint32_t *head_of(const struct cache *c, const uint64_t key[2]) { return &c->heads[key[0] & c->mask]; }

static void hash_again(struct cache *c)
{
    free(c->heads);
    c->mask = 2 * c->mask + 1;
    c->heads = memory_get(((size_t)c->mask + 1) * sizeof *c->heads);
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t *head = head_of(c, c->entries[i].key);
        c->entries[i].chain = *head;
        *head = i + 1;
    }
}

static uint32_t find(const struct cache *c, const uint64_t key[2])
{
    for (uint32_t i = *head_of(c, key); i; i = c->entries[i - 1].chain)
        if (c->entries[i - 1].key[0] == key[0] && c->entries[i - 1].key[1] == key[1])
            return i - 1;
    return NO_PLACE;
}

static void unhash(struct cache *c, uint32_t place)
{
    uint32_t *link = head_of(c, c->entries[place].key);
    while (*link != place + 1)
        link = &c->entries[*link - 1].chain;
    *link = c->entries[place].chain;
}

/* ---- the queues ---- */

static void mark(struct cache *c, uint32_t class, bool filled)
{
    uint64_t *word = &c->filled[class / 64], bit = UINT64_C(1) << class % 64, whole = UINT64_C(1) << class / 64;
    *word = filled ? *word | bit : *word & ~bit;
    c->summary = *word ? c->summary | whole : c->summary & ~whole;
}

enum end { FIRST, LAST };

static void enqueue(struct cache *c, uint32_t place, uint32_t class, enum end end)
{
    struct entry *e = &c->entries[place];
    struct queue *q = &c->queues[class];
    assert(!e->queued);
    e->class = class & (CLASSES - 1);
    e->queued = true;
    e->base = (float)c->age;
    e->previous = end == LAST ? q->last : 0;
    e->next = end == LAST ? 0 : q->first;
    *(e->previous ? &c->entries[e->previous - 1].next : &q->first) = place + 1;
    *(e->next ? &c->entries[e->next - 1].previous : &q->last) = place + 1;
    if (q->first == place + 1)
        c->bases[class] = e->base;
    mark(c, class, true);
}

static void dequeue(struct cache *c, uint32_t place)
{
    struct entry *e = &c->entries[place];
    struct queue *q = &c->queues[e->class];
    if (!e->queued)
        return;
    e->queued = false;
    *(e->previous ? &c->entries[e->previous - 1].next : &q->first) = e->next;
    *(e->next ? &c->entries[e->next - 1].previous : &q->last) = e->previous;
    if (!q->first)
        mark(c, e->class, false);
    else if (!e->previous)
        c->bases[e->class] = c->entries[q->first - 1].base;
}

static uint32_t lowest(const struct cache *c)
{
    uint32_t word = (uint32_t)__builtin_ctzll(c->summary);
    return 64 * word + (uint32_t)__builtin_ctzll(c->filled[word]);
}

static uint32_t highest(const struct cache *c)
{
    uint32_t word = 63 - (uint32_t)__builtin_clzll(c->summary);
    return 64 * word + 63 - (uint32_t)__builtin_clzll(c->filled[word]);
}

/* ---- classes ---- */

/* The exponent of a positive number and the first bits of its mantissa: classes of a factor of two are 2^bits. */
static uint32_t magnitude(float value, int bits)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word >> (23 - bits);
}

static float of_magnitude(uint32_t class, int bits)
{
    uint32_t word = class << (23 - bits);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

enum { BETWEEN = 32 };               /* COST: states of the levels between count for so many times more */
enum { FINE = 4, COARSE = 1 };       /* COST looks at all classes, so these are few */

static float chance(const struct cache *c, const struct entry *e)
{
    return (c->again[e->degree][e->hits] + 1) / (c->come[e->degree][e->hits] + 2);
}

static uint32_t class_of(const struct cache *c, const struct entry *e, uint32_t depth)
{
    float p;
    switch (c->policy) {
    case CACHE_COST:
        p = chance(c, e);
        return magnitude(e->weight * p * p * (e->between ? BETWEEN : 1), COARSE);
    case CACHE_SUM:        return magnitude(e->weight, FINE);
    case CACHE_HITS:
    case CACHE_HITS_MOST:  return e->hits;
    case CACHE_STRATIFIED: return depth % STRATA;
    case CACHE_DEPTH:      return magnitude((float)depth + 1, FINE);
    default:               return 0;
    }
}

/* ---- who is replaced ---- */

static uint32_t cheapest(struct cache *c)
{
    uint32_t best = NO_PLACE;
    double least = DBL_MAX;
    for (uint64_t words = c->summary; words; words &= words - 1) {
        uint32_t word = (uint32_t)__builtin_ctzll(words);
        for (uint64_t bits = c->filled[word]; bits; bits &= bits - 1) {
            uint32_t class = 64 * word + (uint32_t)__builtin_ctzll(bits);
            double counts = (double)c->bases[class] + (double)of_magnitude(class, COARSE);
            if (counts < least)
                least = counts, best = c->queues[class].first - 1;
        }
    }
    c->age = least > c->age && best != NO_PLACE ? least : c->age;
    return best;
}

/* The one that was entered first. Those on the path leave the queue on the way; who leaves the path and the queue is behind it is older
 * than all that are in it, for the path is left in the reverse order: so it comes to its front (cache_leave). */
static uint32_t oldest(struct cache *c)
{
    uint32_t first = c->queues[0].first;
    while (first && c->entries[first - 1].on_path) {
        dequeue(c, first - 1);
        first = c->queues[0].first;
    }
    return first ? first - 1 : NO_PLACE;
}

static uint32_t any(struct cache *c)
{
    enum { TRIES = 1000 };
    for (int i = 0; i < TRIES; i++) {
        c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t place = (uint32_t)((c->random >> 33) % c->count);
        if (!c->entries[place].on_path)
            return place;
    }
    for (uint32_t place = 0; place < c->count; place++)          /* nearly all are on the path */
        if (!c->entries[place].on_path)
            return place;
    return NO_PLACE;
}

static uint32_t of_stratum(struct cache *c)
{
    for (uint32_t i = 0; i < STRATA && !c->queues[c->stratum].first; i++)
        c->stratum = (c->stratum + 1) % STRATA;
    return c->queues[c->stratum].first - 1;
}

static uint32_t victim(struct cache *c)
{
    if (c->policy == CACHE_RANDOM)
        return any(c);
    if (c->policy == CACHE_AGE)
        return oldest(c);
    if (!c->summary)
        return NO_PLACE;
    switch (c->policy) {
    case CACHE_COST:       return cheapest(c);
    case CACHE_STRATIFIED: return of_stratum(c);
    case CACHE_HITS_MOST:
    case CACHE_DEPTH:      return c->queues[highest(c)].first - 1;
    default:               return c->queues[lowest(c)].first - 1;
    }
}

/* ---- states ---- */

static void make_room(struct cache *c)
{
    uint32_t more = memory_more(c->grown);
    c->grown = more < c->room ? more : c->room;
    c->entries = memory_resize(c->entries, c->grown * sizeof *c->entries);
    if (c->extras.sleep)
        c->sleep = memory_resize(c->sleep, c->grown * sizeof *c->sleep);
    if (c->extras.numbers)
        c->numbers = memory_resize(c->numbers, c->grown * sizeof *c->numbers);
}

static uint32_t free_place(struct cache *c)
{
    if (c->count < c->room) {
        if (c->count == c->grown)
            make_room(c);
        return c->count++;
    }
    uint32_t place = victim(c);
    if (place == NO_PLACE)
        return NO_PLACE;
    assert(!c->entries[place].on_path);
    dequeue(c, place);
    unhash(c, place);
    c->replaced++;
    return place;
}

/* Of a state of this kind: it was come to so often. */
static void note_hit(struct cache *c, struct entry *e)
{
    c->again[e->degree][e->hits]++;
    e->hits += e->hits < MOST_HITS;
    c->come[e->degree][e->hits]++;
}

uint32_t cache_find(struct cache *c, const uint64_t fingerprint[2])
{
    uint32_t place = find(c, fingerprint);
    if (place == NO_PLACE)
        return NO_PLACE;
    struct entry *e = &c->entries[place];
    bool moves = e->queued && (c->policy == CACHE_COST || c->policy == CACHE_HITS || c->policy == CACHE_HITS_MOST);
    note_hit(c, e);
    if (moves) {
        dequeue(c, place);
        enqueue(c, place, class_of(c, e, 0), LAST);
    }
    return place;
}

uint32_t cache_enter(struct cache *c, const uint64_t fingerprint[2], uint32_t degree)
{
    uint32_t place = free_place(c);
    if (place == NO_PLACE)
        return NO_PLACE;
    struct entry *e = &c->entries[place];
    *e = (struct entry){ .key = { fingerprint[0], fingerprint[1] }, .weight = 1, .on_path = 1 };
    e->degree = degree < MOST_DEGREE ? degree : MOST_DEGREE;
    c->come[e->degree][0]++;
    uint32_t *head = head_of(c, e->key);
    e->chain = *head;
    *head = place + 1;
    if (c->policy == CACHE_AGE)
        enqueue(c, place, 0, LAST);
    if (c->count > c->mask)
        hash_again(c);
    return place;
}

void cache_enter_again(struct cache *c, uint32_t place)
{
    struct entry *e = &c->entries[place];
    assert(e->on_path < MOST_ON_PATH);           /* a state is entered again only for what slept in it before: at most once for each process */
    e->on_path++;
    if (c->policy != CACHE_AGE)
        dequeue(c, place);
}

static float sum(float a, float b) { return a < FLT_MAX - b ? a + b : FLT_MAX; }

void cache_leave(struct cache *c, uint32_t place, uint32_t parent, uint32_t depth, uint64_t work)
{
    struct entry *e = &c->entries[place];
    assert(e->on_path);
    if (c->policy == CACHE_SUM && parent != NO_PLACE)
        cache_add_known(c, parent, place);
    if (c->policy == CACHE_COST) {
        e->weight = (float)work;
        e->between = depth % STRATA != 0;
    }
    if (--e->on_path || c->policy == CACHE_RANDOM)
        return;
    if (c->policy == CACHE_AGE && !e->queued)
        enqueue(c, place, 0, FIRST);
    else if (c->policy != CACHE_AGE)
        enqueue(c, place, class_of(c, e, depth), LAST);
}

void cache_add_known(struct cache *c, uint32_t from, uint32_t to)
{
    if (c->policy == CACHE_SUM)
        c->entries[from].weight = sum(c->entries[from].weight, c->entries[to].weight);
}

/* ---- for tests ---- */

void cache_check(const struct cache *c)
{
    uint32_t queued = 0, waiting = 0;
    assert(c->count <= c->room && c->count <= c->grown);
    for (uint32_t i = 0; i < c->count; i++) {
        const struct entry *e = &c->entries[i];
        assert(find(c, e->key) == i);
        assert(!(e->queued && e->on_path) || c->policy == CACHE_AGE);
        assert(e->queued || e->on_path || c->policy == CACHE_RANDOM);
        waiting += e->queued;
    }
    for (uint32_t class = 0; class < CLASSES; class++) {
        assert(!c->queues[class].first == !(c->filled[class / 64] >> class % 64 & 1));
        for (uint32_t i = c->queues[class].first; i; i = c->entries[i - 1].next, queued++)
            assert(c->entries[i - 1].queued && c->entries[i - 1].class == class && queued <= c->count);
    }
    assert(queued == waiting);
}
