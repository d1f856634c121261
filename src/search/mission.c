/* SPDX-License-Identifier: MIT */
#include "search/mission.h"

#include "base/memory.h"
#include "search/visited.h"
#include "search/wakeup.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#ifdef CHECKED
enum { STEPS_BETWEEN = 1 };
#else
enum { STEPS_BETWEEN = 256 };        /* between two looks at whether it is late */
#endif
enum { MOST_MISTAKES = 10000, MOST_SIGHTS = 4096, MOST_TOLD = 1 << 26 };         /* errors, operations, bytes of what one tells: then it gives back the rest */
enum { RECENT = 1024 };              /* asks that are known to be told: a power of two */
enum { RARELY = 64 };                /* of so many transitions one state is the first of a part, about */

struct insert { uint64_t hash; uint32_t course; };

struct mission {
    struct search  *search;          /* borrowed */
    const struct commission *commission;         /* borrowed, as are the settings */
    enum reduction  reduction;
    uint32_t        bound;
    struct harvest  asked;           /* its lessons, and the path */
    struct track    path;
    uint32_t        process, choice;
    uint64_t        sleep;
    struct harvest  told;
    struct plot    *open;
    uint32_t        open_count, open_room;
    uint64_t        opened;          /* so far */
    uint32_t        deepest;         /* states below this depth are no first ones any more: there are too many of them */
    uint32_t        floor;           /* depth of the first one */
    uint64_t        pace, knowledge; /* of what is known of the program, and when: dependence_seen */
    uint32_t        recent[RECENT];  /* 1 + where an ask was told last */
    struct visited *sights;          /* operations that were told, and as a list */
    uint64_t      (*sighted)[2];
    uint32_t        sighted_room;
    uint32_t       *nodes, node_room;            /* of each local state that is told */
    uint8_t        *known[MAX_PROCESSES];        /* of each local state: was it come to, or known before? */
    uint32_t        known_room[MAX_PROCESSES];
    /* of optimal */
    struct level  **levels;          /* borrowed; NULL: it is another reduction */
    struct waypoint *way;
    uint32_t        way_count;
    struct insert  *inserts;         /* sequences that were put into trees, and the course that tells it; a hash table of them: 1 + number */
    uint32_t        insert_count, insert_room, *insert_slots, insert_mask;
    bool            tells;           /* the path that is looked at is to be told */
    uint32_t        lowest;          /* because of this state, and later ones */
    struct watcher  silent;
    uint64_t        looks;
    bool            late, spoilt;    /* spoilt: something happened that cannot be told */
};

static uint32_t *slot_of(const struct mission *m, uint64_t hash)
{
    uint32_t at = (uint32_t)(hash >> 20) & m->insert_mask;
    while (m->insert_slots[at] && m->inserts[m->insert_slots[at] - 1].hash != hash)
        at = (at + 1) & m->insert_mask;
    return &m->insert_slots[at];
}

/* ---- what is asked ---- */

static void read_way(struct mission *m, struct parcel *in)
{
    m->way_count = parcel_count(in);
    m->way = memory_get((m->way_count + 1) * sizeof *m->way);
    for (uint32_t i = 0; i < m->way_count; i++) {
        uint64_t step = parcel_get(in);
        struct waypoint w = { .process = (uint32_t)(step >> 32), .choice = (uint32_t)step };
        w.sleep = parcel_get(in);
        w.besides = parcel_get(in);
        w.done = parcel_get(in);
        uint64_t flags = parcel_get(in);
        w.picky = flags & 1;
        w.exact = flags & 2;
        in->torn |= w.process >= MAX_PROCESSES;
        m->way[i] = w;
    }
}

static bool read_mission(struct mission *m)
{
    struct parcel in = { .count = m->commission->count };
    in.words = memory_get((in.count + 1) * sizeof *in.words);
    memcpy(in.words, m->commission->words, in.count * sizeof *in.words);
    bool fine = parcel_open(&in);
    m->reduction = (enum reduction)parcel_get(&in);
    m->bound = (uint32_t)parcel_get(&in);
    for (uint32_t count = parcel_count(&in); count && !in.torn; count--)
        harvest_lesson(&m->asked, harvest_get_track(&in, &m->asked));
    if (m->reduction == REDUCTION_OPTIMAL) {
        read_way(m, &in);
    } else {
        m->path = harvest_get_track(&in, &m->asked);
        m->process = (uint32_t)parcel_get(&in);
        m->choice = (uint32_t)parcel_get(&in);
        m->sleep = parcel_get(&in);
    }
    fine = fine && !in.torn && m->reduction < REDUCTION_COUNT && m->process < MAX_PROCESSES;
    parcel_fini(&in);
    return fine;
}

/* An error of the program: who asked will tell of it. In a loop nobody goes further. */
static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    struct mission *m = self;
    (void)path, (void)depth;
    if (kind == ERROR_DIVERGENCE || kind == ERROR_NONDETERMINISM)
        m->spoilt = true;
    else
        harvest_mistake(&m->told, kind, process, harvest_track(&m->told, m->search));
    return m->spoilt ? STOP : GO_ON;
}

struct mission *mission_new(struct search *s)
{
    struct mission *m = memory_get(sizeof *m);
    m->search = s;
    m->commission = &s->settings->commission;
    m->sights = visited_new(WITHOUT_NUMBERS);
    m->deepest = m->floor = UINT32_MAX;
    m->silent = (struct watcher){ .self = m, .found = found };
    if (read_mission(m)) {
        s->watcher = &m->silent;
        return m;
    }
    mission_free(m);
    return NULL;
}

void mission_free(struct mission *m)
{
    if (!m)
        return;
    harvest_fini(&m->asked);
    harvest_fini(&m->told);
    visited_free(m->sights);
    for (int p = 0; p < MAX_PROCESSES; p++)
        free(m->known[p]);
    free(m->nodes);
    free(m->sighted);
    free(m->open);
    free(m->way);
    free(m->inserts);
    free(m->insert_slots);
    free(m);
}

const struct waypoint *mission_way(const struct mission *m, uint32_t *count)
{
    *count = m->way_count;
    return m->way;
}

enum reduction mission_reduction(const struct mission *m) { return m->reduction; }
uint32_t mission_bound(const struct mission *m) { return m->bound; }

struct destination mission_destination(const struct mission *m)
{
    return (struct destination){ m->asked.treads + m->path.at, m->path.count, m->process, m->choice, m->sleep };
}

/* ---- what is known ---- */

static void walk(struct search *s, const struct tread *path, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        search_room(s);
        if (!(s->system->enabled & BIT(path[i].process)) || path[i].choice >= system_choices(s->system, (int)path[i].process)
            || search_step(s, s->system, path[i].process, path[i].choice) != STEP_TAKEN)
            return;
    }
}

bool mission_learn(struct mission *m)
{
    struct search *s = m->search;
    for (uint32_t i = 0; i < m->asked.lesson_count && !s->failure; i++) {
        walk(s, m->asked.treads + m->asked.lessons[i].at, m->asked.lessons[i].count);        /* as far as it goes: it may only have been foreseen */
        while (s->depth)
            search_back(s, s->system);
    }
    return !s->failure;
}

/* Something that was not known before: here it can be learnt. */
static void note_lesson(struct mission *m)
{
    uint64_t pace = harvest_pace(m->search->system);
    if (pace == m->pace)
        return;
    m->pace = pace;
    m->knowledge = dependence_knowledge(m->search->system);
    harvest_lesson(&m->told, harvest_track(&m->told, m->search));
}

static void know(struct mission *m, uint32_t p, uint32_t node, bool known)
{
    uint32_t room = m->known_room[p];
    if (node >= room) {
        m->known_room[p] = 2 * node + 64;
        m->known[p] = memory_resize(m->known[p], m->known_room[p]);
        memset(m->known[p] + room, 0, m->known_room[p] - room);
    }
    m->known[p][node] = known;
}

/* A local state that was not come to before. */
static void note_state(struct mission *m, uint32_t p)
{
    const struct system *s = m->search->system;
    uint32_t node = s->node[p], room = m->node_room;
    if ((node < m->known_room[p] && m->known[p][node]) || system_pending(s, (int)p)->flags & NODE_ALONE)
        return;
    know(m, p, node, true);
    ARRAY_GROW(m->nodes, m->told.state_count, room);
    m->node_room = room;
    m->nodes[m->told.state_count] = node;
    harvest_state(&m->told, p, system_pending(s, (int)p)->fingerprint);
}

static void know_all(struct mission *m)
{
    const struct system *s = m->search->system;
    for (uint32_t p = 0; p < (uint32_t)s->processes; p++)
        for (uint32_t i = 0; i < s->graphs[p].count; i++)
            if (!(s->graphs[p].nodes[i].flags & NODE_UNSEEN))
                know(m, p, i, true);
}

/* An operation that nobody stood before yet: who asked may want to name its object, or its process. */
static void note_sight(struct mission *m, uint32_t process)
{
    const struct op *op = &system_pending(m->search->system, (int)process)->op;
    uint64_t words[] = { process, op->place, (uint64_t)op->type << 8 | op->code, op->object, op->object == NO_OBJECT ? (uint64_t)op->arg[0] : 0 };
    XXH128_hash_t hash = XXH3_128bits(words, sizeof words);
    uint64_t sight[2] = { hash.low64, hash.high64 };
    if (m->told.sight_count >= MOST_SIGHTS || !visited_add(m->sights, sight, NULL))
        return;
    ARRAY_GROW(m->sighted, m->told.sight_count, m->sighted_room);
    memcpy(m->sighted[m->told.sight_count], sight, sizeof sight);
    harvest_sight(&m->told, harvest_track(&m->told, m->search));
}

/* The others were seen where the program does not go. */
static void cut_sights(struct mission *m, uint32_t count)
{
    if (m->told.sight_count == count)
        return;
    m->told.sight_count = count;
    visited_free(m->sights);
    m->sights = visited_new(WITHOUT_NUMBERS);
    for (uint32_t i = 0; i < count; i++)
        visited_add(m->sights, m->sighted[i], NULL);
}

/* Was it learnt there? Then somewhere else, if at all. */
static void cut_lessons(struct mission *m, uint32_t count)
{
    if (m->told.lesson_count == count)
        return;
    assert(count < m->told.lesson_count);
    m->told.lesson_count = count;
    m->pace = 0;
}

void mission_begin(struct mission *m)
{
    m->pace = harvest_pace(m->search->system);
    m->knowledge = dependence_knowledge(m->search->system);
    m->floor = m->search->depth;
    know_all(m);
    m->search->counts = (struct counts){ 0 };
    assert(!m->open_count);          /* one destination after the other */
}

/* ---- parts ---- */

/* Those near to the first one, as long as there are not many. */
static bool is_first(struct mission *m)
{
    const struct search *s = m->search;
    if (s->depth > m->deepest)
        return false;
    if (m->opened > RARELY + s->counts.transitions / RARELY && s->depth > m->floor + 1) {
        m->deepest = s->depth - 1;
        return false;
    }
    return true;
}

static void open_part(struct mission *m, uint64_t sleep)
{
    struct search *s = m->search;
    const struct harvest *t = &m->told;
    struct plot p = { .depth = s->depth, .counts = s->counts, .within = t->plot_count, .asks.begin = t->ask_count, .courses.begin = t->course_count,
                      .lessons.begin = t->lesson_count, .mistakes.begin = t->mistake_count, .sights.begin = t->sight_count, .states.begin = t->state_count };
    harvest_key(s, m->bound, sleep, m->knowledge, m->levels ? *m->levels : NULL, p.key);
    assert(!m->open_count || m->open[m->open_count - 1].depth < p.depth);        /* one within the other */
    ARRAY_GROW(m->open, m->open_count, m->open_room);
    m->open[m->open_count++] = p;
    m->opened++;
    s->counts.max_depth = 0;
}

void mission_enter(struct mission *m, uint64_t sleep, uint32_t moved, enum mission_state state)
{
    note_lesson(m);
    if (state == MISSION_LEAF && is_first(m))
        open_part(m, sleep);
    if (moved != NO_PROCESS)
        note_state(m, moved);
    if (moved != NO_PROCESS && system_shares(m->search->system))         /* elsewhere all objects are known from the start */
        note_sight(m, moved);
}

static struct counts since(const struct counts *now, const struct counts *then)
{
    return (struct counts){ .states = now->states - then->states, .transitions = now->transitions - then->transitions,
                            .executions = now->executions - then->executions, .sleep_cut = now->sleep_cut - then->sleep_cut,
                            .depth_cut = now->depth_cut - then->depth_cut, .untried = now->untried - then->untried,
                            .surprises = now->surprises - then->surprises, .max_depth = now->max_depth };
}

static bool was_asked(const struct harvest *t, uint32_t from, uint32_t to, struct ask a)
{
    for (uint32_t i = to; i-- > from;)
        if (t->asks[i].first == a.first && t->asks[i].initials == a.initials)
            return true;
    return false;
}

/* Only what concerns states above it, each once, in the order in which it came. */
static void tidy_asks(struct harvest *t, const struct plot *p)
{
    uint32_t kept = p->asks.begin;
    for (uint32_t i = p->asks.begin; i < t->ask_count; i++)
        if (t->asks[i].first < p->depth && !was_asked(t, p->asks.begin, kept, t->asks[i]))
            t->asks[kept++] = t->asks[i];
    t->ask_count = kept;
}

static void close_part(struct mission *m)
{
    struct search *s = m->search;
    struct harvest *t = &m->told;
    struct plot p = m->open[--m->open_count];
    assert(p.within <= t->plot_count && p.counts.states < s->counts.states);
    if (m->reduction != REDUCTION_OPTIMAL) {
        t->plot_count = p.within;    /* those within it need not be told */
        tidy_asks(t, &p);
    }
    struct counts then = p.counts;
    p.counts = since(&s->counts, &then);
    if (s->counts.max_depth < then.max_depth)
        s->counts.max_depth = then.max_depth;
    p.asks.end = t->ask_count;
    p.courses.end = t->course_count;
    p.lessons.end = t->lesson_count;
    p.mistakes.end = t->mistake_count;
    p.sights.end = t->sight_count;
    p.states.end = t->state_count;
    p.after = m->knowledge;
    harvest_plot(t, &p);
}

static bool is_late(const struct mission *m)
{
    const struct harvest *t = &m->told;
    uint64_t size = (uint64_t)t->tread_count * sizeof *t->treads + (uint64_t)t->ask_count * sizeof *t->asks;
    return size > MOST_TOLD || t->mistake_count > MOST_MISTAKES || m->commission->late(m->commission->self);
}

bool mission_goes_on(struct mission *m)
{
    while (m->open_count && m->open[m->open_count - 1].depth > m->search->depth)
        close_part(m);
    if (m->looks++ % STEPS_BETWEEN == 0)
        m->late |= is_late(m);
    return !m->late && !m->spoilt;
}

static void tell_ask(struct mission *m, struct ask a)
{
    struct harvest *t = &m->told;
    uint32_t begin = m->open[m->open_count - 1].asks.begin, *last = &m->recent[(a.initials * UINT64_C(0x9e3779b97f4a7c15) + a.first * 31) >> 7 & (RECENT - 1)];
    if (*last > begin && *last <= t->ask_count && was_asked(t, *last - 1, *last, a))
        return;                      /* since the part began: once more changes nothing */
    if (!was_asked(t, begin, t->ask_count, a))
        harvest_ask(t, a.first, a.initials);
    *last = t->ask_count;
}

bool mission_asks(struct mission *m, uint32_t first, uint64_t initials)
{
    if (m->open_count && first < m->open[m->open_count - 1].depth)
        tell_ask(m, (struct ask){ first, initials });
    return first < m->floor;
}

void mission_end(struct mission *m, bool whole)
{
    if (whole && !search_over(m->search) && !m->late && !m->spoilt)
        mission_goes_on(m);
    m->open_count = 0;
    m->floor = UINT32_MAX;
}

/* ---- of optimal ---- */

void mission_lend(struct mission *m, struct level **levels) { m->levels = levels; }

/* The innermost part that it concerns; NULL: none. */
static const struct plot *concerned(const struct mission *m, uint32_t first)
{
    uint32_t open = m->open_count;
    while (open && m->open[open - 1].depth <= first)
        open--;
    return open ? &m->open[open - 1] : NULL;
}

static void make_slots(struct mission *m)
{
    if (m->insert_slots && m->insert_count < m->insert_mask / 2)
        return;
    free(m->insert_slots);
    m->insert_mask = m->insert_mask ? 2 * m->insert_mask + 1 : 1023;
    m->insert_slots = memory_get(((size_t)m->insert_mask + 1) * sizeof *m->insert_slots);
    for (uint32_t i = 0; i < m->insert_count; i++)
        *slot_of(m, m->inserts[i].hash) = i + 1;
}

/* Does it go on below where the search stands? */
static bool goes_below(const struct mission *m, struct track t)
{
    const struct search *s = m->search;
    const struct tread *path = m->told.treads + t.at;
    for (uint32_t i = 0; i < s->depth && t.count > s->depth; i++)
        if (path[i].process != s->steps[i].process || path[i].choice != s->steps[i].choice)
            return false;
    return t.count > s->depth;
}

void mission_drop(struct mission *m)
{
    struct search *s = m->search;
    const struct harvest *t = &m->told;
    uint32_t sights = t->sight_count, lessons = t->lesson_count;
    while (sights && goes_below(m, t->sights[sights - 1]))
        sights--;
    while (lessons && goes_below(m, t->lessons[lessons - 1]))
        lessons--;
    cut_sights(m, sights);
    cut_lessons(m, lessons);
    for (; m->open_count && m->open[m->open_count - 1].depth > s->depth; m->open_count--)
        if (s->counts.max_depth < m->open[m->open_count - 1].counts.max_depth)
            s->counts.max_depth = m->open[m->open_count - 1].counts.max_depth;
}

void mission_adds(struct mission *m, uint32_t first)
{
    if (!concerned(m, first))
        return;
    m->lowest = m->tells && m->lowest < first ? m->lowest : first;
    m->tells = true;
}

void mission_inserts(struct mission *m, const struct sequence *s)
{
    const struct plot *part = concerned(m, s->first);
    uint64_t hash = s->first + 1;
    if (!part)
        return;
    for (uint32_t i = 0; i < s->count; i++)
        hash = (hash ^ ((uint64_t)s->events[i]->process << 33 | (uint64_t)s->events[i]->choice << 1 | (s->events[i]->at == NOT_TAKEN))) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    make_slots(m);
    uint32_t *slot = slot_of(m, hash);
    if (*slot && m->inserts[*slot - 1].course >= part->courses.begin)
        return;                      /* it was told since the part began: once more changes nothing */
    ARRAY_GROW(m->inserts, m->insert_count, m->insert_room);
    m->inserts[m->insert_count++] = (struct insert){ hash, m->told.course_count };
    *slot = m->insert_count;
    mission_adds(m, s->first);
}

void mission_looked(struct mission *m)
{
    const struct search *s = m->search;
    if (m->tells)
        harvest_course(&m->told, (struct course){ harvest_track(&m->told, s), s->frames[s->depth].sleep, m->lowest });
    m->tells = false;
}

void mission_save(const struct mission *m, struct mission_mark *to)
{
    const struct harvest *t = &m->told;
    if (to->room < m->open_count) {
        to->room = 2 * m->open_count;
        to->stack = memory_resize(to->stack, to->room * sizeof *to->stack);
    }
    *to = (struct mission_mark){ t->plot_count, t->course_count, t->mistake_count, t->sight_count, t->lesson_count, t->state_count, m->insert_count, m->open_count,
                                 to->room, to->stack };
    if (to->open)
        memcpy(to->stack, m->open, to->open * sizeof *to->stack);
}

void mission_put_back(struct mission *m, const struct mission_mark *to)
{
    struct harvest *t = &m->told;
    assert(to->plots <= t->plot_count && to->courses <= t->course_count && to->sequences <= m->insert_count && to->open <= m->open_room);
    t->plot_count = to->plots;
    t->course_count = to->courses;
    t->mistake_count = to->mistakes;
    cut_sights(m, to->sights);
    cut_lessons(m, to->lessons);
    while (t->state_count > to->states) {
        t->state_count--;
        know(m, (uint32_t)t->states[t->state_count][0], m->nodes[t->state_count], false);
    }
    m->insert_count = to->sequences;
    free(m->insert_slots);
    m->insert_slots = NULL;
    m->insert_mask /= 2;
    make_slots(m);
    m->tells = false;
    m->open_count = to->open;
    if (to->open)
        memcpy(m->open, to->stack, to->open * sizeof *to->stack);
}

/* The largest alone; and those of which something cannot be told not at all. */
static void choose_plots(struct harvest *t)
{
    struct plot *kept = memory_get((t->plot_count + 1) * sizeof *kept);
    uint32_t count = 0;
    for (uint32_t i = t->plot_count; i-- > 0;)
        if (!t->plots[i].counts.untried) {
            kept[count++] = t->plots[i];
            i = t->plots[i].within;
        }
    if (count)
        memcpy(t->plots, kept, count * sizeof *kept);
    t->plot_count = count;
    free(kept);
}

/* ---- the answer ---- */

/* Those that were only thought to be come to are nobody's. */
static void tidy_states(struct mission *m)
{
    const struct system *s = m->search->system;
    for (uint32_t i = 0; i < m->told.state_count; i++) {
        uint64_t *p = &m->told.states[i][0];
        if (s->graphs[*p].nodes[m->nodes[i]].flags & NODE_UNSEEN)
            *p = MAX_PROCESSES;
    }
}

void mission_answer(struct mission *m)
{
    const struct commission *c = m->commission;
    struct parcel out = { 0 };
    assert(!m->open_count);          /* what is not done is not told */
    if (m->reduction == REDUCTION_OPTIMAL)
        choose_plots(&m->told);
    tidy_states(m);
    if (c->work)
        memcpy(m->told.work, c->work, sizeof m->told.work);
    harvest_put(&out, &m->told);
    parcel_seal(&out);
    c->answer(c->self, out.words, out.count);
    parcel_fini(&out);
}
