/* SPDX-License-Identifier: MIT */
#include "sharing.h"

#include "random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- making one up ---- */

struct draft { struct sharing *program; struct random random; int thread; };

static struct sharing_code *emit(struct draft *d, int kind, int object, int n)
{
    struct sharing *p = d->program;
    struct sharing_code *c = &p->code[d->thread][p->length[d->thread]++];
    assert(p->length[d->thread] < SHARING_CODE);
    *c = (struct sharing_code){ (uint8_t)kind, (uint8_t)object, (uint8_t)n, 0 };
    return c;
}

static uint8_t here(const struct draft *d) { return d->program->length[d->thread]; }

static void touch(struct draft *d, int variable)
{
    emit(d, random_percent(&d->random, 60) ? TO_ADD : TO_MIX, variable, random_between(&d->random, 1, 3));
    emit(d, TO_KEEP, variable, 0);
}

static void on_counter(struct draft *d)
{
    int counter = random_below(&d->random, SHARING_COUNTERS), roll = random_below(&d->random, 10);
    if (roll < 6) {
        emit(d, AT_POST, counter, 0);
    } else if (roll < 8) {
        emit(d, AT_WAIT, counter, 0);
    } else {
        struct sharing_code *try = emit(d, AT_TRYWAIT, counter, 0);
        emit(d, AT_POST, !counter, 0);
        try->target = here(d);
    }
}

static void critical(struct draft *d)
{
    int variable = random_below(&d->random, SHARING_VARIABLES);
    bool tries = random_percent(&d->random, 20);
    struct sharing_code *lock = emit(d, tries ? AT_TRYLOCK : AT_LOCK, variable, 0);
    touch(d, variable);
    if (random_percent(&d->random, 25)) {        /* what comes next is decided while it is locked */
        struct sharing_code *skip = emit(d, TO_SKIP_UNLESS, 0, random_below(&d->random, SHARING_VALUES));
        on_counter(d);
        skip->target = here(d);
    }
    if (!tries && variable == 0 && random_percent(&d->random, 20)) {
        emit(d, AT_LOCK, 1, 0);
        touch(d, 1);
        emit(d, AT_UNLOCK, 1, 0);
    }
    emit(d, AT_UNLOCK, variable, 0);
    if (tries)
        lock->target = here(d);
}

static void steer(struct draft *d)
{
    critical(d);
    struct sharing_code *skip = emit(d, TO_SKIP_UNLESS, 0, random_below(&d->random, SHARING_VALUES));
    if (random_percent(&d->random, 50))
        critical(d);
    else
        on_counter(d);
    struct sharing_code *jump = emit(d, TO_JUMP, 0, 0);
    skip->target = here(d);
    if (random_percent(&d->random, 50))
        on_counter(d);
    jump->target = here(d);
}

static void statements(struct draft *d, int most)
{
    for (int n = random_between(&d->random, 1, most); n > 0; n--)
        switch (random_below(&d->random, 4)) {
        case 0:  critical(d); break;
        case 1:  on_counter(d); break;
        default: steer(d); break;
        }
}

static struct draft begin(struct sharing *p, uint64_t seed, int least)
{
    memset(p, 0, sizeof *p);
    struct draft d = { .program = p, .random = { seed * 104729 } };
    p->seed = seed;
    p->threads = random_between(&d.random, least, SHARING_THREADS);
    for (int c = 0; c < SHARING_COUNTERS; c++)
        p->initial[c] = (uint8_t)random_below(&d.random, 2);
    for (int t = 1; t < p->threads; t++)
        emit(&d, AT_CREATE, 0, t);
    return d;
}

static void toss(struct draft *d)
{
    struct sharing_code *tossed = emit(d, AT_TOSS, 0, 0);
    on_counter(d);
    tossed->target = here(d);
}

static void join_all(struct draft *d, int false_of, bool tosses)
{
    for (int t = 1; t < d->program->threads; t++)
        emit(d, AT_JOIN, 0, t);
    if (tosses)
        toss(d);
    emit(d, AT_ASSERT, 0, false_of);
    emit(d, AT_LEAVE, 0, 0);
    emit(d, AT_END, 0, 0);
}

static void finish(struct draft *d)
{
    emit(d, AT_FINISH, 0, 0);
    emit(d, AT_END, 0, 0);
}

void sharing_make_up(struct sharing *p, uint64_t seed)
{
    struct draft d = begin(p, seed, 2);
    if (p->threads < 4)
        statements(&d, 1);
    join_all(&d, 0, false);
    for (d.thread = 1; d.thread < p->threads; d.thread++) {
        statements(&d, p->threads == 2 ? 2 : 1);
        finish(&d);
    }
}

/* One in two has a toss before each of the first thread's sections, fewer of these, and one at the end, so that some paths are much longer. */
void sharing_make_up_large(struct sharing *p, uint64_t seed)
{
    struct draft d = begin(p, seed, 3);
    bool tosses = seed % 4 < 2;                     /* with a look at all invariants, and without (foresight.c) */
    join_all(&d, random_between(&d.random, 1, 2 * SHARING_VALUES), tosses);
    for (d.thread = 1; d.thread < p->threads; d.thread++) {
        for (int n = (p->threads == 3 ? 4 : 3) - tosses; n > 0; n--) {
            if (d.thread == 1 && (tosses || (n == 1 && p->threads == 3)))
                toss(&d);
            int variable = random_percent(&d.random, 80) ? 0 : 1;
            emit(&d, AT_LOCK, variable, 0);
            touch(&d, variable);
            emit(&d, AT_UNLOCK, variable, 0);
        }
        struct sharing_code *skip = emit(&d, TO_SKIP_UNLESS, 0, random_below(&d.random, SHARING_VALUES));
        on_counter(&d);
        skip->target = here(&d);
        finish(&d);
    }
}

void sharing_print(const struct sharing *p, FILE *out)
{
#define X(kind, format) format,
    static const char *const formats[] = { SHARING_INSTRUCTIONS(X) };
#undef X
    fprintf(out, "counters: %d %d\n", p->initial[0], p->initial[1]);
    for (int t = 0; t < p->threads; t++) {
        fprintf(out, "thread %d:\n", t);
        for (int i = 0; i < p->length[t]; i++) {
            const struct sharing_code *c = &p->code[t][i];
            if (c->kind == TO_NOTHING)
                continue;
            fprintf(out, "  %2d  ", i);
            for (const char *f = formats[c->kind]; *f; f++)
                if (*f == '%')
                    fprintf(out, "%d", *++f == 'o' ? c->object : *f == 'n' ? c->n : c->target);
                else
                    fputc(*f, out);
            fputc('\n', out);
        }
    }
}

/* ---- memory ---- */

const struct sharing_code *sharing_at(const struct sharing *p, const struct sharing_memory *m, int thread)
{
    return &p->code[thread][m->pc[thread]];
}

static void compute(const struct sharing_code *c, struct sharing_memory *m, int thread)
{
    uint8_t *x = &m->variable[c->object], *mine = &m->mine[thread];
    m->pc[thread]++;
    switch (c->kind) {
    case TO_ADD:  *x = (uint8_t)((*x + c->n) % SHARING_VALUES); break;
    case TO_MIX:  *x = (uint8_t)((2 * *x + *mine) % SHARING_VALUES); break;
    case TO_KEEP: *mine = *x; break;
    case TO_JUMP: m->pc[thread] = c->target; break;
    case TO_SKIP_UNLESS:
        if (*mine != c->n)
            m->pc[thread] = c->target;
        break;
    }
}

void sharing_begin(const struct sharing *p, struct sharing_memory *m, int thread)
{
    while (sharing_at(p, m, thread)->kind < AT_LOCK)
        compute(sharing_at(p, m, thread), m, thread);
}

void sharing_go_on(const struct sharing *p, struct sharing_memory *m, int thread, bool worked)
{
    const struct sharing_code *c = sharing_at(p, m, thread);
    bool tried = c->kind == AT_TRYLOCK || c->kind == AT_TRYWAIT || c->kind == AT_TOSS;
    m->pc[thread] = tried && !worked ? c->target : (uint8_t)(m->pc[thread] + 1);
    sharing_begin(p, m, thread);
}

bool sharing_is_false(const struct sharing_code *c, uint8_t sum) { return !c->n || c->n == sum; }

uint8_t sharing_sum(const struct sharing_memory *m)
{
    uint8_t sum = 0;
    for (int i = 0; i < SHARING_VARIABLES; i++)
        sum = (uint8_t)(sum * SHARING_VALUES + m->variable[i]);
    return sum;
}

/* ---- brute force ---- */

enum { NOT_CREATED, CREATED, BEGUN, ENDED, JOINED };

void sharing_world_begin(const struct sharing *p, struct sharing_world *w)
{
    memset(w, 0, sizeof *w);
    memcpy(w->count, p->initial, sizeof w->count);
    w->life[0] = CREATED;
}

bool sharing_can_go(const struct sharing *p, const struct sharing_world *w, int t)
{
    const struct sharing_code *c = sharing_at(p, &w->memory, t);
    if (w->life[t] == CREATED)
        return true;
    if (w->life[t] != BEGUN)
        return false;
    switch (c->kind) {
    case AT_LOCK: return !w->holder[c->object];
    case AT_WAIT: return w->count[c->object];
    case AT_JOIN: return w->life[c->n] == ENDED;
    default:      return true;
    }
}

static bool operate(struct sharing_world *w, const struct sharing_code *c, int t, uint32_t choice)
{
    switch (c->kind) {
    case AT_TOSS:   return !choice;
    case AT_TRYLOCK:
        if (w->holder[c->object])
            return false;
        /* fall through */
    case AT_LOCK:   w->holder[c->object] = (uint8_t)(1 + t); return true;
    case AT_UNLOCK: w->holder[c->object] = 0; return true;
    case AT_POST:   w->count[c->object]++; return true;
    case AT_TRYWAIT:
        if (!w->count[c->object])
            return false;
        /* fall through */
    case AT_WAIT:   w->count[c->object]--; return true;
    case AT_CREATE: w->life[c->n] = CREATED; return true;
    case AT_JOIN:   w->life[c->n] = JOINED; return true;
    case AT_LEAVE:
    case AT_FINISH: w->life[t] = ENDED; return true;
    default:        return true;
    }
}

uint32_t sharing_choices(const struct sharing *p, const struct sharing_world *w, int t)
{
    return w->life[t] == BEGUN && sharing_at(p, &w->memory, t)->kind == AT_TOSS ? 2 : 1;
}

bool sharing_step(const struct sharing *p, struct sharing_world *w, int t, uint32_t choice)
{
    if (w->life[t] == CREATED) {
        w->life[t] = BEGUN;
        sharing_begin(p, &w->memory, t);
        return true;
    }
    bool worked = operate(w, sharing_at(p, &w->memory, t), t, choice);
    sharing_go_on(p, &w->memory, t, worked);
    return worked;
}

bool sharing_stuck(const struct sharing *p, const struct sharing_world *w)
{
    bool ended = true;
    for (int t = 0; t < p->threads; t++) {
        if (sharing_can_go(p, w, t))
            return false;
        ended &= w->life[t] >= ENDED;
    }
    return !ended;
}

uint64_t sharing_hash(const struct sharing_world *w)
{
    uint64_t hash = UINT64_C(14695981039346656037);      /* FNV-1a */
    for (size_t i = 0; i < sizeof *w; i++)
        hash = (hash ^ ((const uint8_t *)w)[i]) * UINT64_C(1099511628211);
    return hash;
}

void sharing_note_stuck(struct sharing_outcomes *o, uint64_t hash)
{
    uint32_t at = 0;
    while (at < o->stuck_count && o->stuck[at] < hash)
        at++;
    if (at < o->stuck_count && o->stuck[at] == hash)
        return;
    if (o->stuck_count == o->stuck_room) {
        o->stuck_room = 2 * o->stuck_room + 16;
        o->stuck = realloc(o->stuck, o->stuck_room * sizeof *o->stuck);
        assert(o->stuck);
    }
    memmove(o->stuck + at + 1, o->stuck + at, (o->stuck_count++ - at) * sizeof *o->stuck);
    o->stuck[at] = hash;
}

bool sharing_same_outcomes(const struct sharing_outcomes *a, const struct sharing_outcomes *b)
{
    return !memcmp(a->sums, b->sums, sizeof a->sums) && a->stuck_count == b->stuck_count
        && (!a->stuck_count || !memcmp(a->stuck, b->stuck, a->stuck_count * sizeof *a->stuck));
}

void sharing_outcomes_fini(struct sharing_outcomes *o) { free(o->stuck); }

/* The worlds that were seen: a hash table of them. */
struct seen { struct sharing_world *worlds; uint32_t *slots, count, room, mask; };

static bool add(struct seen *s, const struct sharing_world *w)
{
    uint32_t at = (uint32_t)sharing_hash(w) & s->mask;
    for (; s->slots[at]; at = (at + 1) & s->mask)
        if (!memcmp(&s->worlds[s->slots[at] - 1], w, sizeof *w))
            return true;
    if (s->count == s->room)
        return false;
    s->worlds[s->count] = *w;
    s->slots[at] = ++s->count;
    return true;
}

static bool expand(const struct sharing *p, struct seen *s, const struct sharing_world *w, struct sharing_outcomes *o)
{
    if (sharing_stuck(p, w))
        sharing_note_stuck(o, sharing_hash(w));
    for (int t = 0; t < p->threads; t++)
        for (uint32_t c = sharing_can_go(p, w, t) ? sharing_choices(p, w, t) : 0; c-- > 0;) {
            struct sharing_world next = *w;
            if (w->life[t] == BEGUN && sharing_at(p, &w->memory, t)->kind == AT_ASSERT
                && sharing_is_false(sharing_at(p, &w->memory, t), sharing_sum(&w->memory)))
                o->sums[sharing_sum(&w->memory)] = true;
            sharing_step(p, &next, t, c);
            o->transitions++;
            if (!add(s, &next))
                return false;
        }
    return true;
}

bool sharing_brute(const struct sharing *p, uint32_t most, struct sharing_outcomes *o)
{
    struct seen s = { .room = most, .mask = 1 };
    struct sharing_world first;
    while (s.mask < 2 * most)
        s.mask = 2 * s.mask + 1;
    s.worlds = calloc(most, sizeof *s.worlds);
    s.slots = calloc((size_t)s.mask + 1, sizeof *s.slots);
    assert(s.worlds && s.slots);
    sharing_world_begin(p, &first);
    bool all = add(&s, &first);
    for (uint32_t i = 0; i < s.count && all; i++) {
        struct sharing_world w = s.worlds[i];
        all = expand(p, &s, &w, o);
    }
    o->states = s.count;
    free(s.worlds);
    free(s.slots);
    return all;
}
