/* SPDX-License-Identifier: MIT */
#include "search/harvest.h"

#include "base/memory.h"
#include "search/clocks.h"

#include <assert.h>
#include <stdlib.h>
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

/* ---- kept ---- */

void harvest_tread(struct harvest *t, uint32_t process, uint32_t choice)
{
    ARRAY_GROW(t->treads, t->tread_count, t->tread_room);
    t->treads[t->tread_count++] = (struct tread){ process, choice };
}

struct track harvest_track(struct harvest *t, const struct search *s)
{
    struct track w = { t->tread_count, s->depth };
    for (uint32_t i = 0; i < s->depth; i++)
        harvest_tread(t, s->steps[i].process, s->steps[i].choice);
    return w;
}

void harvest_lesson(struct harvest *t, struct track w)
{
    ARRAY_GROW(t->lessons, t->lesson_count, t->lesson_room);
    t->lessons[t->lesson_count++] = w;
}

void harvest_ask(struct harvest *t, uint32_t first, uint64_t initials)
{
    ARRAY_GROW(t->asks, t->ask_count, t->ask_room);
    t->asks[t->ask_count++] = (struct ask){ first, initials };
}

void harvest_course(struct harvest *t, struct course c)
{
    ARRAY_GROW(t->courses, t->course_count, t->course_room);
    t->courses[t->course_count++] = c;
}

void harvest_mistake(struct harvest *t, enum error_kind kind, int process, struct track w)
{
    ARRAY_GROW(t->mistakes, t->mistake_count, t->mistake_room);
    t->mistakes[t->mistake_count++] = (struct mistake){ kind, process, w };
}

void harvest_sight(struct harvest *t, struct track w)
{
    ARRAY_GROW(t->sights, t->sight_count, t->sight_room);
    t->sights[t->sight_count++] = w;
}

void harvest_plot(struct harvest *t, const struct plot *p)
{
    assert(p->asks.begin <= p->asks.end && p->lessons.begin <= p->lessons.end && p->courses.begin <= p->courses.end);
    ARRAY_GROW(t->plots, t->plot_count, t->plot_room);
    t->plots[t->plot_count++] = *p;
}

void harvest_state(struct harvest *t, uint32_t process, const uint64_t fingerprint[2])
{
    ARRAY_GROW(t->states, t->state_count, t->state_room);
    t->states[t->state_count][0] = process;
    t->states[t->state_count][1] = fingerprint[0];
    t->states[t->state_count++][2] = fingerprint[1];
}

void harvest_fini(struct harvest *t)
{
    free(t->plots);
    free(t->asks);
    free(t->courses);
    free(t->lessons);
    free(t->mistakes);
    free(t->sights);
    free(t->treads);
    free(t->states);
    *t = (struct harvest){ 0 };
}

void harvest_key(const struct search *s, uint32_t bound, uint64_t sleep, uint64_t knowledge, const struct level *levels, uint64_t key[2])
{
    uint64_t words[] = { bound, sleep, knowledge, s->depth };
    XXH3_state_t hash;
    XXH3_128bits_reset(&hash);
    XXH3_128bits_update(&hash, words, sizeof words);
    for (uint32_t i = 0; i < s->depth; i++) {
        uint64_t step[] = { (uint64_t)s->steps[i].process << 32 | s->steps[i].choice, levels ? s->frames[i].sleep : 0, levels ? levels[i].besides : 0 };
        XXH3_128bits_update(&hash, step, levels ? sizeof step : sizeof *step);
    }
    XXH128_hash_t sum = XXH3_128bits_digest(&hash);
    key[0] = sum.low64;
    key[1] = sum.high64;
}

/* ---- written ---- */

void harvest_put_track(struct parcel *l, const struct harvest *t, struct track w)
{
    parcel_put(l, w.count);
    for (uint32_t i = 0; i < w.count; i++)
        parcel_put(l, (uint64_t)t->treads[w.at + i].process << 32 | t->treads[w.at + i].choice);
}

static void put_range(struct parcel *l, struct range r)
{
    parcel_put(l, r.begin);
    parcel_put(l, r.end);
}

static void put_counts(struct parcel *l, const struct counts *c)
{
    const uint64_t all[] = { c->states, c->transitions, c->executions, c->sleep_cut, c->depth_cut, c->untried, c->surprises, c->max_depth };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        parcel_put(l, all[i]);
}

static void put_plot(struct parcel *l, const struct plot *p)
{
    parcel_put(l, p->key[0]);
    parcel_put(l, p->key[1]);
    parcel_put(l, p->depth);
    put_counts(l, &p->counts);
    parcel_put(l, p->after);
    put_range(l, p->asks);
    put_range(l, p->courses);
    put_range(l, p->lessons);
    put_range(l, p->mistakes);
    put_range(l, p->sights);
    put_range(l, p->states);
}

static void put_tracks(struct parcel *l, const struct harvest *t, const struct track *tracks, uint32_t count)
{
    parcel_put(l, count);
    for (uint32_t i = 0; i < count; i++)
        harvest_put_track(l, t, tracks[i]);
}

void harvest_put_lessons(struct parcel *l, const struct harvest *t) { put_tracks(l, t, t->lessons, t->lesson_count); }

void harvest_put(struct parcel *l, const struct harvest *t)
{
    for (int i = 0; i < HELPER_NUMBERS; i++)
        parcel_put(l, t->work[i]);
    parcel_put(l, t->ask_count);
    for (uint32_t i = 0; i < t->ask_count; i++) {
        parcel_put(l, t->asks[i].first);
        parcel_put(l, t->asks[i].initials);
    }
    parcel_put(l, t->course_count);
    for (uint32_t i = 0; i < t->course_count; i++) {
        harvest_put_track(l, t, t->courses[i].track);
        parcel_put(l, t->courses[i].asleep);
        parcel_put(l, t->courses[i].lowest);
    }
    harvest_put_lessons(l, t);
    put_tracks(l, t, t->sights, t->sight_count);
    parcel_put(l, t->mistake_count);
    for (uint32_t i = 0; i < t->mistake_count; i++) {
        parcel_put(l, (uint64_t)t->mistakes[i].kind);
        parcel_put(l, (uint64_t)(t->mistakes[i].process + 1));
        harvest_put_track(l, t, t->mistakes[i].track);
    }
    parcel_put(l, t->state_count);
    for (uint32_t i = 0; i < t->state_count; i++)
        for (int k = 0; k < 3; k++)
            parcel_put(l, t->states[i][k]);
    parcel_put(l, t->plot_count);
    for (uint32_t i = 0; i < t->plot_count; i++)
        put_plot(l, &t->plots[i]);
}

/* ---- read ---- */

struct track harvest_get_track(struct parcel *l, struct harvest *t)
{
    struct track w = { t->tread_count, parcel_count(l) };
    for (uint32_t i = 0; i < w.count; i++) {
        uint64_t word = parcel_get(l);
        l->torn |= word >> 32 >= MAX_PROCESSES;
        harvest_tread(t, (uint32_t)(word >> 32), (uint32_t)word);
    }
    return w;
}

static struct range get_range(struct parcel *l, uint32_t count)
{
    struct range r;
    r.begin = (uint32_t)parcel_get(l);
    r.end = (uint32_t)parcel_get(l);
    l->torn |= r.begin > r.end || r.end > count;
    return r;
}

static struct counts get_counts(struct parcel *l)
{
    struct counts c = { 0 };
    uint64_t *const all[] = { &c.states, &c.transitions, &c.executions, &c.sleep_cut, &c.depth_cut, &c.untried, &c.surprises };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = parcel_get(l);
    c.max_depth = (uint32_t)parcel_get(l);
    return c;
}

static void get_plot(struct parcel *l, struct harvest *t)
{
    struct plot p = { 0 };
    p.key[0] = parcel_get(l);
    p.key[1] = parcel_get(l);
    p.depth = (uint32_t)parcel_get(l);
    p.counts = get_counts(l);
    p.after = parcel_get(l);
    p.asks = get_range(l, t->ask_count);
    p.courses = get_range(l, t->course_count);
    p.lessons = get_range(l, t->lesson_count);
    p.mistakes = get_range(l, t->mistake_count);
    p.sights = get_range(l, t->sight_count);
    p.states = get_range(l, t->state_count);
    if (!l->torn)
        harvest_plot(t, &p);
}

static void get_paths(struct parcel *l, struct harvest *t)
{
    for (uint32_t count = parcel_count(l); count && !l->torn; count--) {
        struct track w = harvest_get_track(l, t);
        uint64_t asleep = parcel_get(l);
        harvest_course(t, (struct course){ w, asleep, (uint32_t)parcel_get(l) });
    }
    for (uint32_t count = parcel_count(l); count && !l->torn; count--)
        harvest_lesson(t, harvest_get_track(l, t));
    for (uint32_t count = parcel_count(l); count && !l->torn; count--)
        harvest_sight(t, harvest_get_track(l, t));
    for (uint32_t count = parcel_count(l); count && !l->torn; count--) {
        uint64_t kind = parcel_get(l), process = parcel_get(l);
        l->torn |= kind >= ERROR_KIND_COUNT || process > MAX_PROCESSES;
        harvest_mistake(t, (enum error_kind)kind, (int)process - 1, harvest_get_track(l, t));
    }
}

static void get_states(struct parcel *l, struct harvest *t)
{
    for (uint32_t count = parcel_count(l); count && !l->torn; count--) {
        uint64_t process = parcel_get(l), fingerprint[2];
        fingerprint[0] = parcel_get(l);
        fingerprint[1] = parcel_get(l);
        l->torn |= process > MAX_PROCESSES;
        harvest_state(t, (uint32_t)process, fingerprint);
    }
}

bool harvest_get(struct parcel *l, struct harvest *t)
{
    for (int i = 0; i < HELPER_NUMBERS; i++)
        t->work[i] = parcel_get(l);
    for (uint32_t count = parcel_count(l); count && !l->torn; count--) {
        uint32_t first = (uint32_t)parcel_get(l);
        harvest_ask(t, first, parcel_get(l));
    }
    get_paths(l, t);
    get_states(l, t);
    for (uint32_t count = parcel_count(l); count && !l->torn; count--)
        get_plot(l, t);
    return !l->torn;
}
