/* SPDX-License-Identifier: MIT */
#include "search/abroad.h"

#include "base/memory.h"
#include "search/mission.h"
#include "search/source.h"
#include "search/visited.h"
#include "system/foresight.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#ifdef CHECKED
enum { STEPS_BETWEEN = 4, PAUSE = 0, WORTH = 0, PATIENT = true };        /* small searches are to have missions, too, and use what they tell */
#else
enum { STEPS_BETWEEN = 128, PAUSE = 10, WORTH = 1, PATIENT = false };    /* between two looks: at the clock; in milliseconds, at the missions */
#endif
enum { MOST_LESSONS = 1 << 20 };     /* steps of lessons with which a mission is sent */
enum { WAIT = 100 };                 /* milliseconds between two looks at whether everything has to end */

/* One that is under way. */
struct under_way { uint64_t number, mark; uint32_t level, depth; bool hurried; };     /* depth: of the first states of its parts */
struct reply { struct harvest harvest; };
struct berth { uint64_t key[2]; uint32_t reply, plot; };

struct abroad {
    struct search  *search;          /* borrowed */
    const struct dispatch *dispatch; /* borrowed */
    enum reduction  reduction;
    uint32_t        bound;
    struct harvest  lessons;         /* all that was learnt, by the paths on which it was */
    uint64_t        pace, knowledge;
    struct under_way    *sent;
    uint32_t        sent_count, sent_room;
    uint64_t        numbers;         /* of missions so far */
    uint64_t        used, used_states;           /* parts, and states of these */
    struct visited *marks;           /* what was asked for already */
    struct reply   *replies;
    uint32_t        reply_count, reply_room;
    struct berth   *places;          /* hash table of parts that were told; plot UINT32_MAX: free */
    uint32_t        place_count, place_mask;
    uint32_t       *watched;         /* for each depth: parts and missions that begin there */
    uint32_t        watched_room;
    double         *since;           /* when each state of the path was entered, about */
    uint32_t        since_room, lowest;          /* the least depth since the last look */
    struct visited *states[MAX_PROCESSES];       /* local states that others came to */
    uint64_t        told[MAX_PROCESSES];         /* so many */
    const struct plot *found;        /* what abroad_knows has found, and in which reply */
    struct reply   *found_in;
    uint64_t        looks;
    double          looked;
    bool            alone;           /* nothing more is sent */
    struct abroad_lent lent;         /* of optimal */
    struct step    *put_aside;       /* steps that are taken again later */
    uint32_t        aside_room;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

struct abroad *abroad_new(struct search *s)
{
    struct abroad *a = memory_get(sizeof *a);
    a->search = s;
    a->dispatch = &s->settings->dispatch;
    a->marks = visited_new(WITHOUT_NUMBERS);
    return a;
}

/* ---- what is known of the program ---- */

void abroad_lesson(struct abroad *a, uint32_t steps)
{
    const struct search *s = a->search;
    uint32_t at = a->lessons.tread_count;
    for (uint32_t i = 0; i < steps; i++)
        harvest_tread(&a->lessons, s->steps[i].process, s->steps[i].choice);
    harvest_lesson(&a->lessons, (struct track){ at, steps });
    a->alone |= a->lessons.tread_count > MOST_LESSONS;
    a->pace = harvest_pace(s->system);
    a->knowledge = dependence_knowledge(s->system);
}

void abroad_note(struct abroad *a)
{
    if (harvest_pace(a->search->system) != a->pace)
        abroad_lesson(a, a->search->depth);
}

/* ---- what was told ---- */

static void watch(struct abroad *a, uint32_t depth, int32_t more)
{
    while (depth >= a->watched_room) {
        uint32_t room = memory_more(a->watched_room);
        a->watched = memory_resize(a->watched, room * sizeof *a->watched);
        memset(a->watched + a->watched_room, 0, (room - a->watched_room) * sizeof *a->watched);
        a->watched_room = room;
    }
    assert(more > 0 || a->watched[depth]);
    a->watched[depth] += (uint32_t)more;
}

static struct berth *place_of(const struct abroad *a, const uint64_t key[2])
{
    uint32_t at = (uint32_t)key[0] & a->place_mask;
    while (a->places[at].plot != UINT32_MAX && (a->places[at].key[0] != key[0] || a->places[at].key[1] != key[1]))
        at = (at + 1) & a->place_mask;
    return &a->places[at];
}

static void make_places(struct abroad *a)
{
    struct berth *old = a->places;
    uint32_t room = old ? a->place_mask + 1 : 0;
    if (a->place_count + 1 < room / 2)
        return;
    a->place_mask = room ? 2 * room - 1 : 255;
    a->places = memory_get(((size_t)a->place_mask + 1) * sizeof *a->places);
    for (uint32_t i = 0; i <= a->place_mask; i++)
        a->places[i].plot = UINT32_MAX;
    for (uint32_t i = 0; i < room; i++)
        if (old[i].plot != UINT32_MAX)
            *place_of(a, old[i].key) = old[i];
    free(old);
}

static void enter_plots(struct abroad *a, uint32_t reply)
{
    const struct harvest *h = &a->replies[reply].harvest;
    for (uint32_t i = 0; i < h->plot_count; i++) {
        make_places(a);
        struct berth *p = place_of(a, h->plots[i].key);
        if (p->plot != UINT32_MAX)
            continue;
        *p = (struct berth){ { h->plots[i].key[0], h->plots[i].key[1] }, reply, i };
        a->place_count++;
        watch(a, h->plots[i].depth, 1);
    }
}

static void take_reply(struct abroad *a, uint64_t *words, uint32_t count)
{
    struct parcel in = { .words = words, .count = count };
    struct reply r = { 0 };
    if (words && parcel_open(&in) && harvest_get(&in, &r.harvest)) {
        ARRAY_GROW(a->replies, a->reply_count, a->reply_room);
        a->replies[a->reply_count++] = r;
        enter_plots(a, a->reply_count - 1);
        for (int i = 0; i < HELPER_NUMBERS && a->dispatch->work; i++)
            a->dispatch->work[i] += r.harvest.work[i];
    } else {
        harvest_fini(&r.harvest);
    }
    parcel_fini(&in);
}

static void forget(struct abroad *a, uint32_t i)
{
    watch(a, a->sent[i].depth, -1);
    a->sent[i] = a->sent[--a->sent_count];
}

/* False: none has come back. */
static bool hear(struct abroad *a, int milliseconds)
{
    uint64_t number, *words;
    uint32_t count;
    if (!a->sent_count || !a->dispatch->hear(a->dispatch->self, milliseconds, &number, &words, &count))
        return false;
    take_reply(a, words, count);
    for (uint32_t i = a->sent_count; i-- > 0;)
        if (a->sent[i].number == number)
            forget(a, i);
    return true;
}

/* ---- asking ---- */

static uint64_t mix(uint64_t mark, uint32_t process, uint32_t choice) { return (mark ^ ((uint64_t)process << 32 | choice)) * UINT64_C(0x9e3779b97f4a7c15) + 1; }

/* A state of the path, who is to go there, and who sleeps then. */
static uint64_t mark_of(const struct abroad *a, uint32_t level, uint32_t process, uint64_t sleep)
{
    const struct search *s = a->search;
    uint64_t mark = a->bound + sleep * UINT64_C(0xc2b2ae3d27d4eb4f);
    for (uint32_t i = 0; i < level; i++)
        mark = mix(mark, s->steps[i].process, s->steps[i].choice);
    uint64_t words[] = { mark, level, process };
    return XXH3_64bits(words, sizeof words);
}

static void put_begin(const struct abroad *a, struct parcel *out)
{
    parcel_put(out, a->reduction);
    parcel_put(out, a->bound);
    harvest_put_lessons(out, &a->lessons);
}

static void put_mission(const struct abroad *a, struct parcel *out, uint32_t level, uint32_t process, uint32_t choice, uint64_t sleep)
{
    const struct search *s = a->search;
    put_begin(a, out);
    parcel_put(out, level);
    for (uint32_t i = 0; i < level; i++)
        parcel_put(out, (uint64_t)s->steps[i].process << 32 | s->steps[i].choice);
    parcel_put(out, process);
    parcel_put(out, choice);
    parcel_put(out, sleep);
}

/* Takes the parcel. */
static void send_off(struct abroad *a, struct parcel *out, struct under_way sent)
{
    parcel_seal(out);
    a->alone |= !a->dispatch->send(a->dispatch->self, ++a->numbers, out->words, out->count);
    parcel_fini(out);
    if (a->alone)
        return;
    sent.number = a->numbers;
    ARRAY_GROW(a->sent, a->sent_count, a->sent_room);
    a->sent[a->sent_count++] = sent;
    watch(a, sent.depth, 1);
}

/* Unless it was asked for before. */
static void ask(struct abroad *a, uint32_t level, uint32_t process, uint32_t choice, uint64_t sleep)
{
    uint64_t mark = mark_of(a, level, process, sleep);
    struct parcel out = { 0 };
    if (!visited_add(a->marks, (uint64_t[]){ mark, a->knowledge + choice }, NULL))
        return;
    put_mission(a, &out, level, process, choice, sleep);
    send_off(a, &out, (struct under_way){ .mark = mark, .level = level, .depth = level + 1 });
}

bool abroad_is_full(const struct abroad *a, uint32_t most) { return a->alone || a->sent_count >= most; }

void abroad_ask_leaf(struct abroad *a, uint32_t level, const struct waypoint *way, uint32_t count)
{
    uint64_t mark = a->bound, slept = 0;
    assert(count > level && level <= a->search->depth);
    struct parcel out = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        mark = mix(mark, way[i].process, way[i].choice);
        slept = mix(slept ^ way[i].sleep, (uint32_t)way[i].besides, (uint32_t)(way[i].besides >> 32));
    }
    if (!visited_add(a->marks, (uint64_t[]){ mark, a->knowledge + slept }, NULL))
        return;
    put_begin(a, &out);
    parcel_put(&out, count);
    for (uint32_t i = 0; i < count; i++) {
        parcel_put(&out, (uint64_t)way[i].process << 32 | way[i].choice);
        parcel_put(&out, way[i].sleep);
        parcel_put(&out, way[i].besides);
        parcel_put(&out, way[i].done);
        parcel_put(&out, (uint64_t)(way[i].picky + 2 * way[i].exact));
    }
    send_off(a, &out, (struct under_way){ .mark = mark, .level = level, .depth = count });
}

/* What is still to be tried in a state of the path: other results of the step that is being tried, then those of others, in their order. */
static void ask_at(struct abroad *a, uint32_t level, uint32_t most)
{
    const struct search *s = a->search;
    const struct frame *f = &s->frames[level];
    bool sleeps = search_reducers[a->reduction]->sleep, here = level == s->depth;
    uint64_t sleep = sleeps ? f->sleep : 0, todo = f->todo;
    if (here && todo)
        todo &= todo - 1;            /* the next one is this process's own */
    if (here)
        sleep |= sleeps && f->todo ? f->todo & -f->todo : 0;
    else if (f->choices > 1 && f->choice + 1 < f->choices)
        ask(a, level, f->process, f->choice + 1, sleep);
    sleep |= sleeps && f->process != NO_PROCESS ? BIT(f->process) : 0;
    for (; todo && !abroad_is_full(a, most); todo &= todo - 1) {
        ask(a, level, (uint32_t)__builtin_ctzll(todo), 0, sleep);
        sleep |= sleeps ? todo & -todo : 0;
    }
}

/* In the first so many states of the path: the nearest to the first state, for there is most to be done. Those that are so deep that no look has come to them yet are not old. */
static void ask_for_more(struct abroad *a, uint32_t states, uint32_t most)
{
    double early = now() - WORTH * a->dispatch->worth;
    assert(states <= a->search->depth + 1);
    for (uint32_t level = 0; level < states && level < a->since_room && !abroad_is_full(a, most) && a->since[level] <= early; level++)
        if (a->lent.self)
            a->lent.ask_at(a->lent.self, a, level, most);
        else
            ask_at(a, level, most);
}

/* Those to which the path does not lead any more. */
static void drop_late(struct abroad *a, uint32_t depth)
{
    for (uint32_t i = a->sent_count; i-- > 0;)
        if (a->sent[i].level > depth) {
            a->dispatch->drop(a->dispatch->self, a->sent[i].number);
            forget(a, i);
        }
}

/* ---- looking up ---- */

static void note_times(struct abroad *a, double time)
{
    const struct search *s = a->search;
    if (a->since_room < s->room) {
        a->since = memory_resize(a->since, s->room * sizeof *a->since);
        for (uint32_t i = a->since_room; i < s->room; i++)
            a->since[i] = time;
        a->since_room = s->room;
    }
    for (uint32_t i = a->lowest + 1; i <= s->depth; i++)
        a->since[i] = time;
    a->lowest = s->depth;
}

void abroad_look(struct abroad *a)
{
    const struct search *s = a->search;
    if (s->depth < a->lowest)
        a->lowest = s->depth;
    if (++a->looks % STEPS_BETWEEN || s->first_only)
        return;
    double time = now();
    if (time - a->looked < PAUSE)
        return;
    a->looked = time;
    drop_late(a, a->lowest);
    note_times(a, time);
    while (hear(a, 0))
        ;
    ask_for_more(a, s->depth + 1, (uint32_t)a->dispatch->tasks);
}

/* ---- meeting one ---- */

static uint64_t mark_here(const struct abroad *a)
{
    const struct search *s = a->search;
    uint32_t level = s->depth - 1;
    uint64_t mark = a->bound;
    if (!a->lent.self)
        return mark_of(a, level, s->steps[level].process, search_reducers[a->reduction]->sleep ? s->frames[level].sleep : 0);
    for (uint32_t i = 0; i < s->depth; i++)
        mark = mix(mark, s->steps[i].process, s->steps[i].choice);
    return mark;
}

/* The one that was asked for the state where the search stands now; NULL: none. */
static struct under_way *met(const struct abroad *a)
{
    uint64_t mark = a->sent_count ? mark_here(a) : 0;
    for (uint32_t i = 0; i < a->sent_count; i++)
        if (a->sent[i].mark == mark)
            return &a->sent[i];
    return NULL;
}

/* While one is waited for, there may be one more. The state where the search stands is only being entered: what is to be tried there nobody knows yet. */
static void wait_for(struct abroad *a)
{
    struct under_way *there;
    while (!search_over(a->search) && (there = met(a))) {
        if (!PATIENT && a->dispatch->far && !a->dispatch->begun(a->dispatch->self, there->number)) {
            a->dispatch->drop(a->dispatch->self, there->number);
            forget(a, (uint32_t)(there - a->sent));
            return;
        }
        if (!there->hurried)
            a->dispatch->hurry(a->dispatch->self, there->number);
        there->hurried = true;
        ask_for_more(a, a->search->depth, (uint32_t)a->dispatch->tasks + 1);
        if (!hear(a, WAIT))
            search_look_up(a->search);
    }
}

/* ---- walking elsewhere ---- */

/* Puts aside the steps of the path that this one does not begin with, and gives how many are left. */
static uint32_t leave_path(struct abroad *a, const struct tread *path, uint32_t count)
{
    struct search *s = a->search;
    uint32_t common = 0;
    while (common < count && common < s->depth && s->steps[common].process == path[common].process && s->steps[common].choice == path[common].choice)
        common++;
    if (a->aside_room < s->room) {
        a->aside_room = s->room;
        a->put_aside = memory_resize(a->put_aside, a->aside_room * sizeof *a->put_aside);
    }
    while (s->depth > common) {
        a->put_aside[s->depth - 1] = s->steps[s->depth - 1];
        search_back(s, s->system);
    }
    return common;
}

static void come_back(struct abroad *a, uint32_t common, uint32_t depth)
{
    struct search *s = a->search;
    while (s->depth > common)
        search_back(s, s->system);
    while (s->depth < depth) {
        bool same = system_execute_again(s->system, &a->put_aside[s->depth], &s->steps[s->depth]);
        assert(same);
        s->depth++;
    }
    assert(s->depth == depth);       /* the path is what it was */
}

static enum took step(struct search *s, const struct tread *t)
{
    if (!s->foresight)
        return search_step(s, s->system, t->process, t->choice);
    enum took took = foresight_execute(s->foresight, (int)t->process, t->choice, ASK, &s->steps[s->depth], s->err);
    s->depth += took == STEP_TAKEN;
    return took == STEP_TAKEN ? took : search_took(s, took);
}

/* To its end, if it goes so far; there an error may be told. And back. */
static bool walk(struct abroad *a, const struct tread *path, uint32_t count, const struct mistake *wrong)
{
    struct search *s = a->search;
    struct counts counts = s->counts;
    uint32_t depth = s->depth, common = leave_path(a, path, count);
    bool can = true;
    while (s->depth < count && can) {
        const struct tread *t = &path[s->depth];
        search_room(s);
        can = s->system->enabled & BIT(t->process) && t->choice < system_choices(s->system, (int)t->process) && step(s, t) == STEP_TAKEN;
    }
    if (can && wrong)
        search_tell(s, wrong->kind, wrong->process);
    abroad_note(a);
    if (!s->failure)
        come_back(a, common, depth);
    s->counts = counts;
    return can;
}

/* ---- using what was told ---- */

/* What was learnt there is learnt here. False: it is something else. */
static bool learn(struct abroad *a, const struct harvest *h, const struct plot *p)
{
    for (uint32_t i = p->lessons.begin; i < p->lessons.end && a->knowledge != p->after && !a->search->failure; i++)
        walk(a, h->treads + h->lessons[i].at, h->lessons[i].count, NULL);
    return !a->search->failure && a->knowledge == p->after;
}

static bool is_usable(const struct abroad *a, const struct plot *p)
{
    const struct search *s = a->search;
    uint64_t most = s->settings->stop_at_state;
    return !(most && s->counts.states + p->counts.states >= most) && !(a->dispatch->stops && p->mistakes.begin < p->mistakes.end);
}

static bool find(struct abroad *a, uint64_t sleep)
{
    uint64_t key[2];
    if (!a->places)
        return false;
    harvest_key(a->search, a->bound, sleep, a->knowledge, a->lent.self ? *a->lent.levels : NULL, key);
    const struct berth *at = place_of(a, key);
    if (at->plot == UINT32_MAX)
        return false;
    a->found_in = &a->replies[at->reply];
    a->found = &a->found_in->harvest.plots[at->plot];
    return is_usable(a, a->found);
}

static bool find_and_learn(struct abroad *a, uint64_t sleep) { return find(a, sleep) && learn(a, &a->found_in->harvest, a->found); }

bool abroad_awaits(struct abroad *a, uint64_t sleep)
{
    const struct search *s = a->search;
    return !s->first_only && s->depth < a->watched_room && a->watched[s->depth] && (find(a, sleep) || met(a));
}

bool abroad_knows(struct abroad *a, uint64_t sleep)
{
    if (find_and_learn(a, sleep))
        return true;
    wait_for(a);
    return !search_over(a->search) && find_and_learn(a, sleep);
}

static void note_states(struct abroad *a, const struct harvest *h, const struct plot *plot)
{
    for (uint32_t i = plot->states.begin; i < plot->states.end; i++) {
        uint64_t p = h->states[i][0];
        if (p == MAX_PROCESSES)
            continue;
        if (!a->states[p])
            a->states[p] = visited_new(WITHOUT_NUMBERS);
        a->told[p] += visited_add(a->states[p], h->states[i] + 1, NULL);
    }
}

/* Nothing is lost where one cannot be walked: then the program does not do the same, which others find. */
static void walk_courses(struct abroad *a, const struct harvest *h, const struct plot *p)
{
    struct search *s = a->search;
    struct counts counts = s->counts;
    for (uint32_t i = p->courses.begin; i < p->courses.end && !search_over(s); i++)
        if (h->courses[i].lowest < p->depth && !a->lent.course(a->lent.self, h->treads + h->courses[i].track.at, h->courses[i].track.count, h->courses[i].asleep)
            && !search_over(s))
            search_differs(s);
    s->counts = counts;
}

void abroad_use(struct abroad *a)
{
    struct search *s = a->search;
    const struct harvest *h = &a->found_in->harvest;
    const struct plot p = *a->found;
    assert(p.depth == s->depth && a->found < h->plots + h->plot_count);          /* known by its key, which has the depth */
    note_states(a, h, &p);
    for (uint32_t i = p.sights.begin; i < p.sights.end && !s->failure; i++)
        walk(a, h->treads + h->sights[i].at, h->sights[i].count, NULL);
    for (uint32_t i = p.mistakes.begin; i < p.mistakes.end && !search_over(s); i++)
        walk(a, h->treads + h->mistakes[i].track.at, h->mistakes[i].track.count, &h->mistakes[i]);
    if (s->failure)
        return;
    for (uint32_t i = p.asks.begin; i < p.asks.end; i++)
        source_add(s, h->asks[i].first, h->asks[i].initials);
    walk_courses(a, h, &p);
    search_add_counts(&s->counts, &p.counts);
    a->used++;
    a->used_states += p.counts.states;
    if (s->counts.states >= s->attention)
        search_look_up(s);
}

void abroad_count(const struct abroad *a, struct search_result *result)
{
    const struct system *s = a->search->system;
    result->divided.missions = a->numbers;
    result->divided.used = a->used;
    result->divided.states = a->used_states;
    for (int p = 0; p < MAX_PROCESSES; p++) {
        result->elsewhere[p] = a->told[p];
        for (uint32_t i = 0; p < s->processes && a->states[p] && i < s->graphs[p].count; i++)
            result->elsewhere[p] -= !(s->graphs[p].nodes[i].flags & (NODE_UNSEEN | NODE_ALONE)) && visited_has(a->states[p], s->graphs[p].nodes[i].fingerprint);
    }
}

/* ---- from beginning to end ---- */

void abroad_begin(struct abroad *a, enum reduction reduction, uint32_t bound)
{
    a->reduction = reduction;
    a->bound = bound;
    a->lowest = 0;
    abroad_note(a);
    note_times(a, now());
}

void abroad_end(struct abroad *a)
{
    while (a->sent_count) {
        a->dispatch->drop(a->dispatch->self, a->sent[a->sent_count - 1].number);
        forget(a, a->sent_count - 1);
    }
    a->lent = (struct abroad_lent){ 0 };
    assert(!a->sent_count);          /* nobody will come to them */
}

void abroad_lend(struct abroad *a, const struct abroad_lent *lent) { a->lent = *lent; }

void abroad_free(struct abroad *a)
{
    if (!a)
        return;
    abroad_end(a);
    for (uint32_t i = 0; i < a->reply_count; i++)
        harvest_fini(&a->replies[i].harvest);
    for (int p = 0; p < MAX_PROCESSES; p++)
        visited_free(a->states[p]);
    harvest_fini(&a->lessons);
    visited_free(a->marks);
    free(a->sent);
    free(a->replies);
    free(a->places);
    free(a->watched);
    free(a->since);
    free(a->put_aside);
    free(a);
}
