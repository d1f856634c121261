/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "looks.h"
#include "thread.h"

#include <string.h>

#pragma GCC poison malloc calloc free printf

void rt_demand(int how, const void *p, uint64_t bytes, uint64_t other, uint64_t place)
{
    struct rt_call call = {.event = EVENT_VISIBLE, .type = TYPE_LOCATION, .index = -1, .arg = {(int32_t)bytes, how}, .object = (uint64_t)p,
                           .argument = other, .place = place};
    if (rt->wire->group & GROUP_DEMAND)
        RT_ENTER(&call);
}

/* ---- what it wrote itself ---- */

enum { MOST_WROTE = 4 };

/* Of each process, since its first round began: words that it wrote, with what was there when it looked the last time. */
static struct wrote {
    uint64_t sum;
    uint32_t count, reserved;
    struct word { uint64_t address, value; uint32_t bytes, dirty; } at[MOST_WROTE];
} wrote[MAX_PROCESSES];

static struct wrote *own_words(void) { return &wrote[rt_running - rt_contexts]; }

void rt_looks_forget(void)
{
    if (own_words()->count)
        *own_words() = (struct wrote){0};
}

static uint64_t word_now(const struct word *w)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)w->address, w->bytes);
    return value;
}

/* NULL: it overlaps another one, or there is no room. */
static struct word *word_at(struct wrote *all, uint64_t address, uint32_t bytes)
{
    for (struct word *w = all->at; w < all->at + all->count; w++) {
        if (w->address == address && w->bytes == bytes)
            return w;
        if (w->address < address + bytes && address < w->address + w->bytes)
            return NULL;
    }
    if (all->count == MOST_WROTE)
        return NULL;
    struct word *w = &all->at[all->count++];
    *w = (struct word){.address = address, .bytes = bytes};
    w->value = word_now(w);
    return w;
}

void rt_looks_wrote(const void *p, uint64_t bytes, bool atomic)
{
    struct rt_looks *looks = &rt_running->looks;
    if (looks->count && atomic && rt_visible(p, bytes))
        return;                                          /* an operation: what became of it is known */
    bool small = looks->count && bytes <= sizeof(uint64_t) && !rt_thread.handling && !rt_visible(p, bytes);
    struct word *w = small ? word_at(own_words(), (uint64_t)p, (uint32_t)bytes) : NULL;
    looks->idle = 0;
    if (w)
        w->dirty = true;
    else
        rt_looks_away();
}

/* Nobody else has run since it wrote there. */
static uint64_t sum_of_own(void)
{
    struct wrote *all = own_words();
    for (struct word *w = all->at; w < all->at + all->count; w++)
        if (w->dirty) {
            uint64_t now = word_now(w);
            all->sum = rt_sum_add(all->sum, rt_sum_less(rt_sum_at(w->address, now), rt_sum_at(w->address, w->value)));
            w->value = now;
            w->dirty = false;
        }
    return all->sum;
}

/* ---- rounds ---- */

/* What a process looked at since it did anything else, each place once. The first of them begins a round. A loop that looks at one
 * location comes to the same look twice in a row. One that looks at several comes to the first of them again, and has added none in
 * the round before; what it looks at in a round is one object then. Of a location only the first look of a round counts as
 * having seen it, and so of a solid object: what was written since is news. In all other cases it looks, and goes on. */
static enum rt_looking begin_round(struct rt_looks *looks, struct rt_look look)
{
    look.visit = 1;
    look.state = rt_sum_less(rt_sum_add(look.state, looks->others), own_words()->sum);
    uint32_t idle = looks->idle;
    *own_words() = (struct wrote){0};
    rt_looks_clear(looks);
    looks->count = looks->now = looks->added = 1;
    looks->idle = idle;
    looks->at[0] = look;
    return RT_LOOKS;
}

/* What a look counts as having seen: the object, if that is solid; of one of several locations that one, as far as they are told apart. */
static uint64_t thing(const struct wire_visible *v)
{
    bool apart = !v->several || v->rank < LOCATION_APART - 1;
    return v->solid ? v->object : apart ? v->address : ~v->object;
}

/* One of several locations that are one solid object, of several words of one location, or of several looks at one, and not the first of its round: it
 * does not count as having seen that. Else a compare and exchange that failed, and then a load that finds what was there before, would be taken for a round
 * in which nothing has changed. */
static enum rt_looking look_in_round(const struct rt_looks *looks, const struct rt_look *look)
{
    for (uint32_t i = 0; i < looks->count; i++) {
        const struct rt_look *other = &looks->at[i];
        bool before = other->place != look->place && other->visit >= looks->at[0].visit;         /* in this round */
        bool apart = other->seen != look->seen && (look->solid || other->address == look->address);
        if (other->thing == look->thing && (apart || before))
            return RT_KEEPS;
    }
    return look->object == look->address || !look->solid ? RT_LOOKS : RT_KEEPS;
}

static enum rt_looking look_first_time(struct rt_looks *looks, struct rt_look look)
{
    if (!looks->count || looks->count == RT_MOST_LOOKS)
        return begin_round(looks, look);
    look.visit = looks->added = ++looks->now;
    looks->at[looks->count++] = look;
    return look_in_round(looks, &look);
}

/* What it did not look at in the last round is none of the loop. Nothing tells how many rounds there were. */
static void forget_before(struct rt_looks *looks, const struct rt_look *first, uint32_t visit)
{
    struct rt_looks kept = {.count = 1, .now = looks->now - visit, .added = 1, .idle = looks->idle, .others = looks->others, .at = {*first}};
    for (uint32_t i = 0; i < looks->count; i++)
        if (looks->at[i].visit > visit && looks->at[i].visit != first->visit)
            kept.at[kept.count++] = looks->at[i];
    for (uint32_t i = 0; i < kept.count; i++) {
        kept.at[i].visit -= visit;
        kept.at[i].times = 0;                            /* what it waited for may be any of them: it has to look at all again */
    }
    *looks = kept;
}

static enum rt_looking look_again(struct rt_looks *looks, struct rt_look *look)
{
    uint32_t before = look->visit;
    bool first = look == looks->at, last = before == looks->now;
    look->visit = ++looks->now;
    if (last || (first && looks->added <= before)) {
        forget_before(looks, look, before);
        return RT_STANDS;
    }
    if (first)
        return RT_LOOKS;
    if (looks->at[0].visit < before)             /* the first is none of this loop */
        return begin_round(looks, *look);
    return look_in_round(looks, look);
}

/* ---- loops that count ---- */

/* When nobody else is left, such a loop is looked at once more, with more rounds (GROUP_PATIENT). */
enum { MOST_ROUNDS = 1 << 22, MOST_ROUNDS_PATIENT = 1 << 24 };

static uint32_t most_rounds(void) { return rt->wire->group & GROUP_PATIENT ? MOST_ROUNDS_PATIENT : MOST_ROUNDS; }

void rt_note_counting(uint64_t place)
{
    if (!wire_accesses(rt->wire)->counts)
        wire_accesses(rt->wire)->counts = rt_in_first(place);
}

/* Is it as it was at its mark, and has read the same since? One round is marked, then, if it does not come back to that, the second after it, the
 * fourth, and so on: so a state that comes back is met, however many rounds that takes. */
static bool comes_back(struct rt_look *look)
{
    if (look->times && look->state == look->mark)
        return true;
    look->times++;
    if ((look->times & (look->times - 1)) == 0) {
        look->mark = look->state;
        look->marked = look->visit;
    }
    return false;
}

/* It has found what was not there the last time: that is no round in which it only counted. */
static void begin_anew(struct rt_looks *looks)
{
    looks->counting = 0;
    for (uint32_t i = 0; i < looks->count; i++)
        looks->at[i].rounds = 0;
}

void rt_look_found(uint64_t seen, uint64_t place, uint64_t value, bool whole)
{
    struct rt_looks *looks = &rt_running->looks;
    bool same = true;
    for (uint32_t i = 0; i < looks->count; i++)
        if (looks->at[i].place == place && looks->at[i].seen == seen) {
            same = whole && looks->at[i].value == value;
            looks->at[i].value = value;
        }
    for (uint32_t i = 0; i < looks->count && !same; i++)
        looks->at[i].times = 0;
    if (!same && whole)
        begin_anew(looks);
}

static enum rt_looking look_on(struct rt_looks *looks, struct rt_look *look, struct rt_look now)
{
    now.delta = rt_sum_less(now.state, look->state);
    now.kept = look->kept;
    now.value = look->value;
    now.mark = look->mark;
    now.marked = look->marked;
    now.times = look->times;
    now.rounds = now.delta == look->delta ? look->rounds + 1 : 1;
    now.visit = looks->added = ++looks->now;             /* this is not the round before once more */
    *look = now;
    if (comes_back(look)) {
        forget_before(looks, look, look->marked);
        return RT_STANDS;
    }
    if (now.rounds < rt_rounds())
        return look == looks->at ? RT_LOOKS : look_in_round(looks, look);
    looks->counting = now.rounds;
    bool known = rt_is_endless(now.place);
    if (now.rounds < most_rounds() && !known)
        return RT_COUNTS;
    if (!known && rt_endless_room())
        rt_demand(VISIBLE_ENDLESS, (const void *)now.place, 0, 0, now.place);
    rt_note_counting(now.place);
    look->rounds = rt_rounds();
    now = *look;
    *look = looks->at[0];
    looks->at[0] = now;
    return RT_STANDS;
}

/* ---- looks ---- */

enum rt_looking rt_looks_at(const struct wire_visible *v, uint64_t seen, uint64_t with, uint64_t place, const void *frame)
{
    struct rt_looks *looks = &rt_running->looks;
    if (rt_running->kept_stack)
        return RT_LOOKS;
    if (rt_called)
        rt_looks_away();
    rt_called = false;
    struct rt_look now = {.place = place, .seen = seen, .address = v->address, .object = v->object, .thing = thing(v), .solid = v->solid,
                          .state = rt_sum_less(rt_sum_add(rt_sum_add(rt_sum(frame, true), with), looks->count ? sum_of_own() : own_words()->sum), looks->others)};
    for (uint32_t i = 0; i < looks->count; i++)
        if (looks->at[i].place == place && looks->at[i].seen == seen)
            return looks->at[i].state == now.state ? look_again(looks, &looks->at[i]) : look_on(looks, &looks->at[i], now);
    return look_first_time(looks, now);
}

const struct rt_look *rt_other_look(const struct wire_visible *v)
{
    const struct rt_looks *looks = &rt_running->looks;
    if (looks->at[0].address != v->address)
        return NULL;
    for (uint32_t i = 1; i < looks->count; i++)
        if (looks->at[i].object && looks->at[i].object != v->object)
            return &looks->at[i];
    return NULL;
}

bool rt_tried_in_round(uint64_t place)
{
    bool tried = false;
    for (const struct rt_look *look = rt_running->looks.at; look < rt_running->looks.at + rt_running->looks.count; look++) {
        tried |= look->tried != RT_NOT_TRIED;
        if (look->tried == RT_TRIED_TOLD)
            rt_demand(VISIBLE_ADD, (const void *)look->address, 1, 0, place);
    }
    return tried;
}
