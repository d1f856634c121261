/* SPDX-License-Identifier: MIT */
#include "search/aside_internal.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#ifdef CHECKED
enum { EXECUTIONS_BETWEEN = 3 };
#else
enum { EXECUTIONS_BETWEEN = 16 };
#endif

/* ---- the key of a part ---- */

static void make_key(struct aside *a, uint64_t key[2])
{
    const struct optimal *o = a->optimal;
    const struct search *s = o->search;
    if (a->mark_room < s->depth + 2) {
        a->mark_room = 2 * (s->depth + 2);
        a->marks = memory_resize(a->marks, a->mark_room * sizeof *a->marks);
    }
    for (uint32_t i = 0; i < s->depth; i++)
        a->marks[i] = (struct mark){ s->steps[i].process, s->steps[i].choice, s->frames[i].sleep, o->past.levels[i].besides };
    a->marks[s->depth] = (struct mark){ NO_PROCESS, o->past.stride, s->frames[s->depth].sleep, dependence_seen(o->system) };
    XXH128_hash_t hash = XXH3_128bits(a->marks, (s->depth + 1) * sizeof *a->marks);
    key[0] = hash.low64;
    key[1] = hash.high64;
}

/* ---- what is known ---- */

static void enter_record(struct aside *a, uint32_t number)
{
    const uint64_t *key = a->known.records[number].key;
    uint32_t at = (uint32_t)key[0] & a->mask;
    assert(number < a->known.record_count && a->known.record_count <= a->mask);
    while (a->slots[at])
        at = (at + 1) & a->mask;
    a->slots[at] = number + 1;
}

static void make_table(struct aside *a)
{
    uint32_t room = a->mask + 1;
    while (room < 2 * a->known.record_count + 64)
        room *= 2;
    if (room == a->mask + 1 && a->slots)
        return;
    free(a->slots);
    a->slots = memory_get(room * sizeof *a->slots);
    a->mask = room - 1;
    for (uint32_t i = 0; i < a->known.record_count; i++)
        enter_record(a, i);
}

static const struct aside_part *find(const struct aside *a, const uint64_t key[2])
{
    for (uint32_t at = (uint32_t)key[0] & a->mask; a->slots && a->slots[at]; at = (at + 1) & a->mask) {
        const struct aside_part *r = &a->known.records[a->slots[at] - 1];
        if (r->key[0] == key[0] && r->key[1] == key[1])
            return r;
    }
    return NULL;
}

/* Gives its number among those that are known. */
static uint32_t add_sequence(struct insertions *to, const struct insertions *from, const struct insertion *e, uint32_t stride)
{
    struct insertion copy = insertions_begin(to, e->first, e->count);
    const uint32_t *steps = from->steps + e->steps;
    uint64_t hash = e->first;
    for (uint32_t i = 0; i < e->count; i++)
        hash = insertions_hash(hash, &from->of[steps[i]]);
    uint32_t known = insertions_find(to, hash);
    if (known != NOT_NUMBERED)
        return known;
    for (uint32_t i = 0; i < e->count; i++)
        insertions_add_step(to, &from->of[steps[i]]);
    for (uint32_t i = 0; i <= e->count; i++) {
        uint32_t at = insertions_add_clock(to, stride);
        memcpy(to->clocks + at, from->clocks + e->clocks + (size_t)i * stride, stride * sizeof *to->clocks);
    }
    return insertions_enter(to, hash, copy);
}

/* Of its entries only those above its leaf matter to others. `numbers`: 1 + what is known of those that were added already. */
static void add_record(struct aside *a, const struct told *from, const struct aside_part *r, uint32_t *numbers)
{
    struct told *to = &a->known;
    struct aside_part copy = *r;
    assert(!r->spoilt && r->entries <= r->end);
    copy.entries = to->entry_count;
    for (uint32_t i = r->entries; i < r->end; i++) {
        uint32_t e = from->entries[i];
        if (from->sequences.all[e].first >= r->depth)
            continue;
        if (!numbers[e])
            numbers[e] = 1 + add_sequence(&to->sequences, &from->sequences, &from->sequences.all[e], a->optimal->past.stride);
        ARRAY_GROW(to->entries, to->entry_count, to->entry_room);
        to->entries[to->entry_count++] = numbers[e] - 1;
    }
    copy.end = to->entry_count;
    ARRAY_GROW(to->records, to->record_count, to->record_room);
    to->records[to->record_count++] = copy;
}

void aside_add(struct aside *a, const struct told *from)
{
    uint32_t *numbers = memory_get((from->sequences.sequences.count + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < from->record_count; i++) {
        if (find(a, from->records[i].key))
            continue;
        add_record(a, from, &from->records[i], numbers);
        make_table(a);
        if (find(a, from->records[i].key) == NULL)
            enter_record(a, a->known.record_count - 1);
    }
    free(numbers);
}

/* ---- using it ---- */

static bool reaches_limit(const struct search *s, const struct aside_part *r)
{
    uint64_t most = s->settings->stop_at_state;
    return most && s->counts.states + r->counts.states >= most;
}

bool aside_knows(struct aside *a)
{
    uint64_t key[2];
    if (!a->known.record_count)
        return false;
    make_key(a, key);
    const struct aside_part *r = find(a, key);
    return r && !reaches_limit(a->optimal->search, r);
}

/* Its steps and clocks, as wakeup_insert wants them. */
static void unpack(struct aside *a, const struct insertion *e)
{
    const struct insertions *known = &a->known.sequences;
    struct sequence *s = &a->optimal->races.sequence;
    uint32_t stride = a->optimal->past.stride, clocks = (e->count + 1) * stride;
    if (a->unpacked_room < clocks + stride) {
        a->unpacked_room = 2 * (clocks + stride);
        a->unpacked = memory_resize(a->unpacked, a->unpacked_room * sizeof *a->unpacked);
        a->clocks = memory_resize(a->clocks, a->unpacked_room * sizeof *a->clocks);
    }
    for (uint32_t i = 0; i < clocks; i++)
        a->clocks[i] = known->clocks[e->clocks + i];
    for (uint32_t i = 0; i < e->count; i++) {
        a->unpacked[i] = known->of[known->steps[e->steps + i]];
        a->unpacked[i].at = a->unpacked[i].at == NOT_TAKEN ? NOT_TAKEN : i;
        s->events[i] = &a->unpacked[i];
    }
    s->clocks = a->clocks;
    memcpy(s->last_clock, a->clocks + (size_t)e->count * stride, stride * sizeof *a->clocks);
}

static void insert(struct aside *a, const struct insertion *e)
{
    struct optimal *o = a->optimal;
    struct sequence *s = &o->races.sequence;
    struct level *l = &o->past.levels[e->first];
    assert(e->count && e->count < o->past.room && e->first < o->search->depth);
    s->first = e->first;
    s->count = e->count;
    unpack(a, e);
    struct move last = *s->events[e->count - 1];
    aside_keep(o->races.aside, s);
    enum inserted inserted = wakeup_insert(&o->trees, &l->tree, s);
    aside_tell(o->races.aside, s, inserted);
    if (inserted == INSERTED_BESIDE)
        aside_note_beside(l, &last);
    s->clocks = NULL;
}

void aside_use(struct aside *a)
{
    struct search *s = a->optimal->search;
    uint64_t key[2];
    make_key(a, key);
    const struct aside_part *r = find(a, key);
    assert(r);
    search_add_counts(&s->counts, &r->counts);
    for (uint32_t i = r->entries; i < r->end; i++)
        insert(a, &a->known.sequences.all[a->known.entries[i]]);
    survey_begin(&a->optimal->races.survey);
    if (s->counts.states >= s->attention)
        search_look_up(s);
}

/* ---- parts, in a copy ---- */

/* Within another one it is done only now and then. */
static bool is_worth_it(const struct aside *a)
{
    const struct search *s = a->optimal->search;
    return !a->open_count || s->counts.executions - a->open[a->open_count - 1].counts.executions >= EXECUTIONS_BETWEEN;
}

void aside_open(struct aside *a)
{
    if (!a || !is_worth_it(a))
        return;
    struct search *s = a->optimal->search;
    struct aside_part p = { .depth = s->depth, .entries = a->told.entry_count, .records = a->told.record_count, .counts = s->counts };
    make_key(a, p.key);
    assert(!a->open_count || a->open[a->open_count - 1].depth < p.depth);        /* one within the other */
    ARRAY_GROW(a->open, a->open_count, a->open_room);
    a->open[a->open_count++] = p;
    s->counts.max_depth = s->depth;
}

static struct counts since(const struct counts *now, const struct counts *then)
{
    return (struct counts){ .states = now->states - then->states, .transitions = now->transitions - then->transitions,
                            .executions = now->executions - then->executions, .sleep_cut = now->sleep_cut - then->sleep_cut,
                            .depth_cut = now->depth_cut - then->depth_cut, .untried = now->untried - then->untried,
                            .surprises = now->surprises - then->surprises, .max_depth = now->max_depth };
}

static void take_depth(struct search *s, const struct aside_part *p)
{
    if (s->counts.max_depth < p->counts.max_depth)
        s->counts.max_depth = p->counts.max_depth;
}

void aside_close(struct aside *a)
{
    if (!a)
        return;
    struct search *s = a->optimal->search;
    while (a->open_count && a->open[a->open_count - 1].depth > s->depth) {
        struct aside_part p = a->open[--a->open_count];
        assert(p.entries <= a->told.entry_count && p.counts.states <= s->counts.states);
        struct counts counts = since(&s->counts, &p.counts);
        take_depth(s, &p);
        p.counts = counts;
        p.end = a->told.entry_count;
        p.spoilt |= counts.untried || dependence_seen(a->optimal->system) != a->seen;
        ARRAY_GROW(a->told.records, a->told.record_count, a->told.record_room);
        a->told.records[a->told.record_count++] = p;
    }
}

/* All that is open and has its leaf below this depth. */
static void spoil_below(struct aside *a, uint32_t depth)
{
    for (uint32_t i = a->open_count; i-- > 0 && a->open[i].depth > depth;)
        a->open[i].spoilt = true;
}

void aside_spoil(struct aside *a, uint32_t first)
{
    if (a)
        spoil_below(a, first);
}

enum known aside_is_known(const struct aside *a, uint32_t process, uint32_t node)
{
    return node < a->node_count[process] ? (enum known)a->nodes[process][node] : NOT_KNOWN;
}

void aside_note_known(struct aside *a, uint32_t process, uint32_t node, enum known known)
{
    uint32_t count = a->node_count[process];
    if (node >= count) {
        a->node_count[process] = 2 * node + 16;
        a->nodes[process] = memory_resize(a->nodes[process], a->node_count[process]);
        memset(a->nodes[process] + count, NOT_KNOWN, a->node_count[process] - count);
    }
    a->nodes[process][node] = (uint8_t)known;
}

void aside_entered(struct aside *a, uint32_t moved)
{
    enum known known = a && moved != NO_PROCESS ? aside_is_known(a, moved, a->optimal->system->node[moved]) : KNOWN;
    if (known == KNOWN || known == WITNESSED)
        return;
    const struct search *s = a->optimal->search;
    struct told *t = &a->told;
    struct witness w = { moved, a->optimal->system->node[moved], t->walked_count, s->depth, system_pending(a->optimal->system, (int)moved)->fingerprint[1] };
    for (uint32_t i = 0; i < s->depth; i++) {
        ARRAY_GROW(t->walked, t->walked_count, t->walked_room);
        t->walked[t->walked_count++] = (struct footstep){ s->steps[i].process, s->steps[i].choice };
    }
    ARRAY_GROW(t->witnesses, t->witness_count, t->witness_room);
    t->witnesses[t->witness_count++] = w;
    aside_note_known(a, moved, w.node, WITNESSED);
}

static void doubt(struct aside *a)
{
    const struct witness *w = &a->told.witnesses[--a->told.witness_count];
    a->told.walked_count = w->at;
    aside_note_known(a, w->process, w->node, DOUBTED);
}

/* Does it go on from the path that is left? */
static bool goes_on(const struct aside *a, const struct witness *w)
{
    const struct search *s = a->optimal->search;
    const struct footstep *walked = a->told.walked + w->at;
    for (uint32_t i = 0; i < s->depth && w->steps > s->depth; i++)
        if (walked[i].process != s->steps[i].process || walked[i].choice != s->steps[i].choice)
            return false;
    return w->steps > s->depth;
}

void aside_drop(struct aside *a)
{
    while (a && a->open_count && a->open[a->open_count - 1].depth > a->optimal->search->depth)
        take_depth(a->optimal->search, &a->open[--a->open_count]);
    while (a && a->told.witness_count && goes_on(a, &a->told.witnesses[a->told.witness_count - 1]))
        doubt(a);
}

bool aside_sure(const struct aside *a)
{
    const struct system *s = a->optimal->system;
    for (int p = 0; p < s->processes; p++)
        for (uint32_t i = 0; i < s->graphs[p].count; i++)
            if (aside_is_known(a, (uint32_t)p, i) == DOUBTED && !(s->graphs[p].nodes[i].flags & NODE_UNSEEN))
                return false;
    return true;
}

/* ---- telling, in a copy ---- */

void aside_keep(struct aside *a, const struct sequence *s)
{
    if (!a)
        return;
    if (a->kept_room < s->count) {
        a->kept_room = 2 * s->count;
        a->kept = memory_resize(a->kept, a->kept_room * sizeof *a->kept);
    }
    a->kept_count = s->count;
    memcpy(a->kept, s->events, s->count * sizeof *a->kept);
}

/* The same happens before as by the clocks of the path, by places in the sequence. */
static void add_clock(struct aside *a, const uint32_t *clock, uint32_t count)
{
    struct insertions *to = &a->told.sequences;
    uint32_t begin = insertions_add_clock(to, a->optimal->past.stride);
    for (uint32_t i = 0; i < count; i++)
        if (a->kept[i]->at != NOT_TAKEN && clock[a->kept[i]->process] > a->kept[i]->at)
            to->clocks[begin + a->kept[i]->process] = (uint16_t)(i + 1);
}

static const uint32_t *clock_of_event(const struct sequence *s, const struct move *e)
{
    if (e->at == NOT_TAKEN)
        return s->last_clock;
    return s->clocks ? s->clocks + (size_t)e->at * s->past->stride : clock_of(s->past, e->at);
}

static uint32_t add_kept(struct aside *a, const struct sequence *s, uint64_t hash)
{
    struct insertions *to = &a->told.sequences;
    struct insertion new = insertions_begin(to, s->first, a->kept_count);
    assert(a->kept_count && a->kept[a->kept_count - 1]->at == NOT_TAKEN);
    for (uint32_t i = 0; i < a->kept_count; i++) {
        insertions_add_step(to, a->kept[i]);
        add_clock(a, clock_of_event(s, a->kept[i]), i + 1);
    }
    add_clock(a, s->last_clock, a->kept_count);
    return insertions_enter(to, hash, new);
}

static uint64_t hash_of(const struct aside *a, uint32_t first)
{
    uint64_t hash = first;
    for (uint32_t i = 0; i < a->kept_count; i++)
        hash = insertions_hash(hash, a->kept[i]);
    return hash;
}

/* The innermost part that it concerns; NULL: none. */
static const struct aside_part *concerned(const struct aside *a, uint32_t first)
{
    uint32_t open = a->open_count;
    while (open && a->open[open - 1].depth <= first)
        open--;
    return open ? &a->open[open - 1] : NULL;
}

void aside_tell(struct aside *a, const struct sequence *s, enum inserted inserted)
{
    const struct aside_part *part = a && inserted != ABSORBED ? concerned(a, s->first) : NULL;
    if (!part)
        return;
    struct told *t = &a->told;
    if (a->kept_count >= LONGEST_INSERTION) {
        spoil_below(a, s->first);
        return;
    }
    uint64_t hash = hash_of(a, s->first);
    uint32_t number = insertions_find(&t->sequences, hash);
    if (number == NOT_NUMBERED)
        number = add_kept(a, s, hash);
    uint32_t *last = &t->sequences.all[number].told;
    if (*last > part->entries && *last <= t->entry_count && t->entries[*last - 1] == number)
        return;                      /* it was told since the part began: to insert it once more changes nothing */
    ARRAY_GROW(t->entries, t->entry_count, t->entry_room);
    t->entries[t->entry_count++] = number;
    *last = t->entry_count;
    if (a->optimal->past.stride != a->seen_stride)
        spoil_below(a, s->first);
}

/* ---- going back ---- */

void aside_save(struct aside *a, struct aside_mark *m)
{
    if (!a)
        return;
    if (m->room < a->open_count) {
        m->room = 2 * a->open_count;
        m->stack = memory_resize(m->stack, m->room * sizeof *m->stack);
    }
    m->sequences = a->told.sequences.sequences.count;
    m->entries = a->told.entry_count;
    m->records = a->told.record_count;
    m->witnesses = a->told.witness_count;
    m->open = a->open_count;
    if (m->open)
        memcpy(m->stack, a->open, m->open * sizeof *m->stack);
}

void aside_put_back(struct aside *a, const struct aside_mark *m)
{
    if (!a)
        return;
    assert(m->entries <= a->told.entry_count && m->records <= a->told.record_count && m->open <= a->open_room);
    insertions_cut(&a->told.sequences, m->sequences);
    a->told.entry_count = m->entries;
    a->told.record_count = m->records;
    while (a->told.witness_count > m->witnesses)
        doubt(a);
    a->open_count = m->open;
    if (m->open)
        memcpy(a->open, m->stack, m->open * sizeof *m->stack);
}

/* ---- what a copy begins and ends with ---- */

void aside_begin_copy(struct aside *a)
{
    const struct system *s = a->optimal->system;
    a->copy = a->optimal->trees.late = true;
    a->seen = dependence_seen(s);
    a->seen_stride = a->optimal->past.stride;
    for (int p = 0; p < s->processes; p++) {
        const struct graph *g = &s->graphs[p];
        a->node_count[p] = g->count;
        a->nodes[p] = memory_get(g->count + 1);
        for (uint32_t i = 0; i < g->count; i++)
            a->nodes[p][i] = g->nodes[i].flags & NODE_UNSEEN ? NOT_KNOWN : KNOWN;
    }
}

uint32_t aside_choose_records(const struct told *t, uint32_t *chosen)
{
    uint32_t count = 0;
    for (uint32_t i = t->record_count; i-- > 0;)
        if (!t->records[i].spoilt) {
            chosen[count++] = i;
            i = t->records[i].records;           /* those within it need not be told */
        }
    return count;
}

void aside_free_told(struct told *t)
{
    insertions_fini(&t->sequences);
    free(t->entries);
    free(t->records);
    free(t->witnesses);
    free(t->walked);
}
