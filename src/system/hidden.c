/* SPDX-License-Identifier: MIT */
#include "system/hidden.h"
#include "system/group.h"
#include "system/numbers.h"

#include "base/memory.h"
#include "history/hiding.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- tails, each kept once ---- */

struct kept_tail { uint64_t hash; uint32_t first, count, next; };

struct tails {
    struct leg  *legs;
    uint32_t     used, legs_room;
    struct kept_tail *all;                            /* number 0 is the empty one */
    uint32_t     count, room;
    uint32_t    *buckets, bucket_count;          /* lists by hash; a power of two */
};

struct tails *tails_new(void)
{
    enum { FIRST_BUCKETS = 64 };
    struct tails *t = memory_get(sizeof *t);
    t->bucket_count = FIRST_BUCKETS;
    t->buckets = memory_get(FIRST_BUCKETS * sizeof *t->buckets);
    ARRAY_GROW(t->all, t->count, t->room);
    t->all[t->count++] = (struct kept_tail){ 0 };
    return t;
}

void tails_free(struct tails *t)
{
    if (!t)
        return;
    free(t->legs);
    free(t->all);
    free(t->buckets);
    free(t);
}

static void add_to_bucket(struct tails *t, uint32_t number)
{
    uint32_t *bucket = &t->buckets[t->all[number].hash & (t->bucket_count - 1)];
    t->all[number].next = *bucket;
    *bucket = number;
}

static void widen(struct tails *t)
{
    t->bucket_count *= 2;
    t->buckets = memory_resize(t->buckets, t->bucket_count * sizeof *t->buckets);
    memset(t->buckets, 0, t->bucket_count * sizeof *t->buckets);
    for (uint32_t i = 1; i < t->count; i++)
        add_to_bucket(t, i);
}

uint32_t tails_keep(struct tails *t, const struct leg *legs, uint32_t count)
{
    if (!count)
        return 0;
    uint64_t hash = XXH3_64bits(legs, count * sizeof *legs);
    for (uint32_t i = t->buckets[hash & (t->bucket_count - 1)]; i; i = t->all[i].next)
        if (t->all[i].hash == hash && t->all[i].count == count && !memcmp(t->legs + t->all[i].first, legs, count * sizeof *legs))
            return i;
    if (t->used + count > t->legs_room) {
        t->legs_room = 2 * (t->used + count);
        t->legs = memory_resize(t->legs, t->legs_room * sizeof *t->legs);
    }
    memcpy(t->legs + t->used, legs, count * sizeof *legs);
    ARRAY_GROW(t->all, t->count, t->room);
    t->all[t->count] = (struct kept_tail){ .hash = hash, .first = t->used, .count = count };
    t->used += count;
    add_to_bucket(t, t->count++);
    if (t->count > t->bucket_count)
        widen(t);
    return t->count - 1;
}

uint32_t hidden_tail(const struct system *s, const struct step *step, const struct leg **legs)
{
    if (!s->group || !s->group->tails)
        return 0;
    const struct tails *t = s->group->tails;
    assert(step->tail < t->count);
    *legs = t->legs + t->all[step->tail].first;
    return t->all[step->tail].count;
}

uint64_t hidden_carried(const struct system *s, const struct step *step)
{
    const struct leg *legs = NULL;
    uint64_t set = 0;
    for (uint32_t i = 0, count = hidden_tail(s, step, &legs); i < count; i++)
        set |= BIT(legs[i].process);
    return set & ~BIT(step->process);
}

uint32_t hidden_steps(const struct system *s, uint32_t legs)
{
    uint32_t steps = 0;
    if (!s->group || !s->group->tails)
        return legs;
    for (uint32_t i = 0; i < legs && i < s->group->count; i++)
        steps += !(s->nodes[s->group->path[i].process][s->group->path[i].from].flags & NODE_OUTSIDE);
    return steps;
}

/* ---- who goes next ---- */

enum { MOST_RESTS = 8 };             /* times that each process outside rests in one tail, when nobody under control can go on */
enum { MOST_TAIL = 20000 };          /* operations of one tail, before it is said that there is no end to it */

struct tail { uint32_t gone[MAX_PROCESSES], rested[MAX_PROCESSES]; };

static bool is_outside(const struct node *n) { return n->flags & NODE_OUTSIDE; }

uint64_t hidden_standing(const struct system *s)
{
    uint64_t set = 0;
    for (uint64_t m = s->hides ? s->alive : 0; m; m &= m - 1)
        set |= is_outside(s->at[__builtin_ctzll(m)]) ? m & -m : 0;
    return set;
}

static bool altogether(const struct system *s, int p) { return s->group->outsider[p] || s->at[p]->op.outside == OUTSIDE_PROCESS; }

/* Would it only let time pass, or look again? */
static bool rests(const struct system *s, int p)
{
    const struct node *n = s->at[p];
    bool waits = time_limits(&n->op) && time_would_wait(s, n) && !is_process(&n->op, PROCESS_YIELD) && !group_is_interrupted(s, &n->op);
    return waits || (altogether(s, p) && n->flags & NODE_YIELDS);
}

uint64_t hidden_resting(const struct system *s)
{
    uint64_t set = 0;
    for (uint64_t m = hidden_standing(s); m; m &= m - 1)
        set |= rests(s, __builtin_ctzll(m)) ? m & -m : 0;
    return set;
}

static uint32_t most_rests(const struct system *s, int p)
{
    return !s->enabled ? MOST_RESTS : s->at[p]->flags & NODE_YIELDS && altogether(s, p) && !time_limits(&s->at[p]->op) ? 1 : 0;
}

/* The lower the sooner; UINT64_MAX: not now. */
static uint64_t rank(const struct system *s, const struct tail *t, int p)
{
    if (!step_can_go(s, s->at[p]))
        return UINT64_MAX;
    if (rests(s, p))
        return t->rested[p] < most_rests(s, p) ? UINT64_C(2) << 40 | (uint64_t)t->rested[p] << 8 | (uint64_t)p : UINT64_MAX;
    bool yields = s->at[p]->flags & NODE_YIELDS;
    return yields ? UINT64_C(1) << 40 | (uint64_t)t->gone[p] << 8 | (uint64_t)p : (uint64_t)p;
}

static int next(const struct system *s, const struct tail *t)
{
    uint64_t best = UINT64_MAX;
    int who = -1;
    for (uint64_t m = system_aborted(s) ? 0 : hidden_standing(s); m; m &= m - 1) {
        uint64_t r = rank(s, t, __builtin_ctzll(m));
        who = r < best ? __builtin_ctzll(m) : who;
        best = r < best ? r : best;
    }
    return who;
}

/* ---- processes that are outside as a whole ---- */

/* How many others it has made where it comes by this leg: the past of a node is the same on all ways to it. */
static uint32_t made_before(const struct system *s, const struct leg *leg)
{
    const struct node *all = s->graphs[leg->process].nodes, *n = &all[leg->from];
    uint32_t made = is_process(&n->op, PROCESS_CREATE) && leg->result != UINT32_MAX;
    for (; n->parent != NO_NODE; n = &all[n->parent])
        made += is_process(&all[n->parent].op, PROCESS_CREATE) && n->result != UINT32_MAX;
    return made;
}

/* Where states are compared a node has no past, and the number is that of the state: there the creation is under control. */
void hidden_mark(const struct system *s, const struct leg *leg, struct op *op)
{
    const struct group *g = s->group;
    bool asked = g->hiding && g->hiding->numbers && !g->states && is_process(op, PROCESS_CREATE) && !(op->arg[1] & CREATE_TIMER);
    uint32_t made = asked ? made_before(s, leg) : 0;
    int kind = op->arg[0] ? A_UNIX_PROCESS : A_THREAD;
    for (const struct birth *b = g->births; asked && b < g->births + g->birth_count; b++)
        if (b->parent == (int)leg->process && b->nth == made && b->kind == kind && g->hiding->numbers & BIT(b->number))
            op->outside = OUTSIDE_OPERATION;
}

static void keep_births(struct hiding *h, const struct system *s)
{
    h->birth_count = 0;
    for (uint32_t i = 0; i < numbers_count(s) && i < BIRTHS_KEPT; i++) {
        struct system_birth b = numbers_birth(s, i);
        h->births[h->birth_count++] = (struct hiding_birth){ b.creator, b.nth, b.number, b.unix_process };
    }
    h->again = true;
}

void hidden_expect(struct system *s)
{
    struct hiding *h = s->group->hiding;
    for (uint32_t i = 0; h && i < h->birth_count; i++) {
        struct system_birth b = { h->births[i].creator, h->births[i].nth, h->births[i].number, h->births[i].unix_process };
        if (!numbers_expect(s, &b))
            break;
    }
    if (h && s->group->tails)
        h->again = false;
}

void hidden_born(struct system *s, const struct op *create, int child)
{
    struct hiding *h = s->group->hiding;
    uint64_t host = BIT(s->group->host[create->process]);
    bool forked = create->arg[0];
    if (!h || !s->group->tails)
        return;                      /* who follows a scenario learns nothing, but has the same nodes */
    if (create->outside) {
        h->hosts |= forked ? BIT(child) : 0;
        h->makers |= forked ? host : 0;
        return;
    }
    bool late = forked && ((h->closes && !h->parents) || (h->waits & host && !(h->parents & host)));
    bool found = !s->group->states && !(create->arg[1] & CREATE_TIMER) && h->numbers & ~h->met & BIT(child);
    h->parents |= forked && !found ? host : 0;
    h->met |= found ? BIT(child) : 0;
    if (late || found)
        keep_births(h, s);
}

bool hidden_begins_again(const struct system *s) { return s->group->hiding && s->group->hiding->again; }

/* ---- running it ---- */

static void stand(struct system *s, int p, uint32_t to)
{
    system_log_room(s, 1);
    object_set(&s->log, &s->node[p], to);
    step_place(s, p, to);
}

static void arrive(struct system *s, int p, uint32_t to)
{
    group_arrive(s, to);
    stand(s, p, to);
    step_refresh(s, s->alive);
    if (s->at[p]->flags & (NODE_END | NODE_ABORT))
        step_arrive(s, p, s->at[p]);
}

static void perform(struct system *s, int p, struct step *inner)
{
    step_begin(s, p, 0, inner);
    system_log_room(s, OBJECT_CHANGES_OF_GROUP);
    group_perform(s, s->at[p], inner);
}

/* A signal that comes from outside, also that a child there has ended, is seen by whom it is for. */
static void note_signal(struct system *s, const struct op *op, uint32_t result)
{
    struct hiding *h = s->group->hiding;
    if (!h || result == UINT32_MAX)
        return;
    if (is_process(op, PROCESS_KILL) && op->arg[1] && result & (SIGNAL_SENT | SIGNAL_KILLED | SIGNAL_ENDS))
        h->signalled |= BIT(op->arg[0]);
    if (is_process(op, PROCESS_LEAVE) && result & SIGNAL_SENT)
        h->signalled |= BIT((result >> SIGNAL_TARGET_SHIFT & SIGNAL_TARGET) % MAX_PROCESSES);
}

static void note_tail(struct system *s, struct step *step, uint32_t first)
{
    step->tail = tails_keep(s->group->tails, s->group->path + first, s->group->count - first);
    group_carry(s, hidden_carried(s, step));
}

static enum took no_end(struct system *s, struct step *step, int p, struct err *err)
{
    const struct op *op = &s->at[p]->op;
    int rc = fail(err, "--outside: what is outside comes to no rest: process %d does '%s' again, after %d operations in one transition; leave less outside", p + 1,
                  types_get(op->type)->operations[op->code].name, MOST_TAIL);
    step_undo(s, step);
    return system_failed(err, rc);
}

/* Nobody outside can go. Whoever waits there, and is under control elsewhere, waits for what others do under control. */
static void note_awaited(struct system *s)
{
    for (uint64_t m = hidden_standing(s); m; m &= m - 1) {
        const struct node *n = s->at[__builtin_ctzll(m)];
        if (n->op.object < s->object_count && !altogether(s, n->op.process))
            s->group->awaited[n->op.object] = 1;
    }
}

uint64_t hidden_outsiders(const struct system *s) { return s->group ? s->group->outsiders : 0; }

bool hidden_awaited(const struct system *s, uint32_t object)
{
    assert(object < MAX_OBJECTS);
    return s->group && s->group->awaited && s->group->awaited[object];
}

static enum took run(struct system *s, struct step *step, uint32_t first, struct arriving a, struct err *err)
{
    struct tail t = { .gone = { 0 } };
    struct step inner;
    uint32_t to;
    for (int p = next(s, &t); p >= 0; p = next(s, &t)) {
        t.rested[p] += rests(s, p);
        t.gone[p]++;
        perform(s, p, &inner);
        note_signal(s, &s->nodes[p][inner.node].op, inner.result);
        enum took took = a.ask(a.self, &to, err);
        if (took != STEP_TAKEN) {
            note_tail(s, step, first);
            step_undo(s, step);
            return took;
        }
        arrive(s, p, to);
        if (s->group->count - first > MOST_TAIL) {
            note_tail(s, step, first);
            return no_end(s, step, p, err);
        }
    }
    note_awaited(s);
    note_tail(s, step, first);
    return STEP_TAKEN;
}

enum took hidden_run(struct system *s, struct step *step, struct arriving a, struct err *err)
{
    uint32_t stamp = s->stamp;
    assert(s->group && s->group->tails && s->group->count);
    enum took took = run(s, step, s->group->count, a, err);
    s->stamp = stamp;
    return took;
}

static enum took ask_program(void *self, uint32_t *to, struct err *err)
{
    struct system *s = self;
    enum took took = group_run_last(s, err);
    *to = took == STEP_TAKEN ? s->group->path[s->group->count - 1].to : NO_NODE;
    return took;
}

/* The group's path may be wrong in this very step (a process was killed while it came here again): whoever takes it again will see. */
enum took system_run_outside(struct system *s, struct step *step, struct err *err)
{
    enum took took = s->group->tails ? hidden_run(s, step, (struct arriving){ ask_program, s }, err) : STEP_TAKEN;
    STEP_CHECK(s);
    return took;
}

void system_hide(struct system *s)
{
    if (s->group->tails)
        s->enabled &= ~hidden_standing(s);
}

/* ---- once more, and back ---- */

/* False: it cannot go here, or gives another result. Nothing is done then. */
static bool perform_again(struct system *s, const struct leg *leg)
{
    struct step inner;
    int p = (int)leg->process;
    if (s->node[p] != leg->from || !step_can_go(s, s->at[p]))
        return false;
    perform(s, p, &inner);
    if (inner.result == leg->result)
        return true;
    object_take_back(&s->log, s->log_start + inner.log - 1);
    group_pop(s);
    group_look_again(s);
    return false;
}

/* Whoever it is, it is led there. */
static void move(struct system *s, const struct leg *leg)
{
    struct step inner = { .process = leg->process, .choice = leg->choice, .node = s->node[leg->process], .result = leg->result };
    group_push(s, &inner);
}

void hidden_again(struct system *s, struct step *step, uint32_t tail)
{
    const struct tails *t = s->group->tails;
    uint32_t stamp = s->stamp;
    step->tail = tail;
    for (uint32_t i = 0; i < t->all[tail].count; i++) {
        const struct leg leg = t->legs[t->all[tail].first + i];
        if (!perform_again(s, &leg))
            move(s, &leg);
        arrive(s, (int)leg.process, leg.to);
    }
    s->stamp = stamp;
    group_carry(s, hidden_carried(s, step));
}

void hidden_take_back(struct system *s, const struct step *step)
{
    for (uint32_t i = s->group->tails->all[step->tail].count; i-- > 0;)
        group_pop(s);
    step_place(s, (int)step->process, step->node);
    group_look_again(s);
}
