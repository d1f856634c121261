/* A whole state: is it over, what is it as a number (fingerprint), and as words that can be put back.
 * SPDX-License-Identifier: MIT */
#include "system/group.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL              /* a call through the library for every state would be felt */
#include <xxhash.h>

bool system_aborted(const struct system *s)
{
    if (!s->aborters)
        return false;
    for (int p = 0; p < s->processes; p++)
        if (system_pending(s, p)->flags & NODE_ABORT)
            return true;
    return false;
}

static uint32_t *canonical_words(const struct object *o, const uint32_t *state, uint32_t *out)
{
    if (o->type->canonical)
        return out + o->type->canonical(state, o->words, out);
    memcpy(out, state, o->words * sizeof *out);
    return out + o->words;
}

/* Of a group: what memory comes to, before what each process stands, and the objects. An object that is as it began counts nothing, as
 * if nobody had found it yet; one that is known by other numbers in another search is known here by its address. */
static uint32_t *group_words(const struct system *s, uint32_t *out)
{
    const struct group *g = s->group;
    const uint64_t *memory = g->count ? g->memory[g->count - 1] : g->first_memory;
    assert(memory[0] | memory[1]);               /* the program was run here */
    memcpy(out, memory, 2 * sizeof *memory);
    out += 4;
    for (int p = 0; p < s->processes; p++) {
        const struct op *op = &system_pending(s, p)->op;
        if (is_process(op, PROCESS_NONE))
            continue;
        uint32_t at[OP_WORDS] = { (uint32_t)p, (uint32_t)op->type << 8 | op->code, (uint32_t)op->arg[0], (uint32_t)op->arg[1], (uint32_t)op->arg[2],
                                  (uint32_t)op->place, (uint32_t)(op->place >> 32) };
        memcpy(out, at, sizeof at);
        out += OP_WORDS;
    }
    out = canonical_words(&s->objects[s->table], group_table(s), out);
    for (uint32_t i = 0; i < s->object_count; i++) {
        const struct object *o = &s->objects[i];
        uint32_t *key = out;
        o->type->init(o->created->arg, out);
        if (!memcmp(out, s->words + o->state, o->words * sizeof *out))
            continue;
        memcpy(key, &o->created->address, sizeof o->created->address);
        key[2] = o->created->type;
        key[3] = (uint32_t)o->created->host;
        out = canonical_words(o, s->words + o->state, key + 4);
    }
    return out;
}

static uint32_t *copy_words(const uint32_t *from, const uint32_t *to, uint32_t *out)
{
    memcpy(out, from, (size_t)(to - from) * sizeof *out);
    return out + (to - from);
}

/* Of processes alone: where each is, and the objects. Those side by side that are as their words say are copied at once. */
static uint32_t *alone_words(const struct system *s, uint32_t *out)
{
    const uint32_t *rest = s->words;
    out = copy_words(s->node, s->node + s->processes, out);
    for (uint32_t i = 0; i < s->object_count; i++) {
        const struct object *o = &s->objects[i];
        if (!o->type->canonical || i == s->table)
            continue;
        out = canonical_words(o, s->words + o->state, copy_words(rest, s->words + o->state, out));
        rest = s->words + o->state + o->words;
    }
    return copy_words(rest, s->words + s->word_count, out);
}

void system_fingerprint(struct system *s, uint64_t fingerprint[2])
{
    uint32_t *out = s->group ? group_words(s, s->scratch) : alone_words(s, s->scratch);
    STEP_ASSERT((size_t)(out - s->scratch) <= s->word_count + MAX_PROCESSES);
    XXH128_hash_t hash = XXH3_128bits(s->scratch, (size_t)(out - s->scratch) * sizeof *out);
    fingerprint[0] = hash.low64;
    fingerprint[1] = hash.high64;
}

/* What a process is. One that is like no other is known by what it was given since it was like others. */
static void add_local_state(const struct system *s, int p, XXH3_state_t *hash)
{
    const struct graph *g = &s->graphs[p];
    uint32_t node = s->node[p];
    for (; g->nodes[node].flags & NODE_ALONE && g->nodes[node].parent != NO_NODE; node = g->nodes[node].parent)
        XXH3_128bits_update(hash, &g->nodes[node].result, sizeof g->nodes[node].result);
    XXH3_128bits_update(hash, g->nodes[node].fingerprint, sizeof g->nodes[node].fingerprint);
}

/* In place of a message, whose number is that of this run alone. */
static const char *digest_of_text(void *texts, uint32_t number)
{
    static _Thread_local char out[40];
    const char *text = texts_string(texts, number);
    XXH128_hash_t hash = XXH3_128bits(text, strlen(text));
    snprintf(out, sizeof out, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    return out;
}

static void add_object_state(const struct system *s, const struct object *o, XXH3_state_t *hash)
{
    if (!o->type->holds_texts) {
        size_t words = (size_t)(canonical_words(o, s->words + o->state, s->scratch) - s->scratch);
        XXH3_128bits_update(hash, s->scratch, words * sizeof *s->scratch);
        return;
    }
    size_t room = 64 + 64 * (size_t)o->words;
    char *out = memory_get(room);
    o->type->print(s->words + o->state, digest_of_text, s->texts, out, room);
    XXH3_128bits_update(hash, out, strlen(out));
    free(out);
}

bool system_lasting_fingerprint(struct system *s, uint64_t fingerprint[2])
{
    XXH3_state_t hash;
    if (s->group) {
        system_fingerprint(s, fingerprint);
        return true;
    }
    XXH3_128bits_reset(&hash);
    for (int p = 0; p < s->processes; p++)
        add_local_state(s, p, &hash);
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (s->objects[i].created && s->objects[i].created->type >= FIRST_USER_TYPE)
            return false;
        add_object_state(s, &s->objects[i], &hash);
    }
    XXH128_hash_t sum = XXH3_128bits_digest(&hash);
    fingerprint[0] = sum.low64;
    fingerprint[1] = sum.high64;
    return true;
}

uint32_t system_state_words(const struct system *s)
{
    return (uint32_t)s->processes + s->word_count;
}

void system_save(const struct system *s, uint32_t *state)
{
    memcpy(state, s->node, (size_t)s->processes * sizeof *state);
    memcpy(state + s->processes, s->words, s->word_count * sizeof *state);
}

void system_load(struct system *s, const uint32_t *state)
{
    for (int p = 0; p < s->processes; p++) {
        STEP_ASSERT(state[p] < s->graphs[p].count);
        step_place(s, p, state[p]);
    }
    memcpy(s->words, state + s->processes, s->word_count * sizeof *state);
    s->log.top = s->log_start;
    s->alive = 0;
    for (int p = 0; p < s->processes; p++)
        s->alive |= system_pending(s, p)->flags & NODE_END ? 0 : BIT(p);
    step_refresh(s, step_all(s));
    if (system_aborted(s))
        s->enabled = 0;
}
