/* Timers against the definition of independence. What they do is spread over the table of processes, the channels that count, and the system; so
 * small made-up programs with timers are walked through, and in each state both orders of every two transitions are tried.
 * SPDX-License-Identifier: MIT */
#include "history/graph.h"
#include "objects/types.h"
#include "system/dependence.h"
#include "system/system.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { LENGTH = 8, SCRIPTS = 4, DEEPEST = 18, MOST_STATES = 1 << 16 };

/* Script 0 is the first process; those that it creates follow, each with the next one. */
struct program {
    const char *name;
    struct op   code[SCRIPTS][LENGTH];
    bool        timed;
};

struct stage {
    const struct program *program;
    struct created        objects[1];
    struct start          start;
    struct history       *history;
    struct texts         *texts;
    struct runner         runner;
    struct system        *system;
    uint64_t              seen[MOST_STATES];
    uint32_t              seen_count, pairs, dependent, wrong;
};

/* ---- the program, run along a path ---- */

struct actor { int script[MAX_PROCESSES], at[MAX_PROCESSES], created; bool begun[MAX_PROCESSES]; };

static const struct op *stands_before(const struct program *p, const struct actor *a, int process)
{
    return &p->code[a->script[process]][a->at[process]];
}

/* A timer expires for ever, until it is deleted. */
static void go(const struct program *p, struct actor *a, const struct leg *leg)
{
    int process = (int)leg->process;
    const struct op *op = stands_before(p, a, process);
    if (!a->begun[process]) {
        a->begun[process] = true;
        return;
    }
    if (is_process(op, PROCESS_CREATE))
        a->script[leg->result] = ++a->created;
    if (!is_process(op, PROCESS_EXPIRE) || leg->result & EXPIRE_GONE)
        a->at[process]++;
}

static void arrive(const struct program *p, const struct actor *a, int process, struct arrival *arrival)
{
    *arrival = (struct arrival){ .op = *stands_before(p, a, process), .mergeable = true };
    arrival->op.process = (uint8_t)process;
    arrival->fingerprint[1] = 1 + (uint64_t)(a->script[process] * LENGTH + a->at[process]);
}

static int run(void *self, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    struct stage *s = self;
    struct actor actor = { 0 };
    (void)err;
    for (*right = 0; *right < count; ++*right) {
        const struct leg *leg = &path[*right];
        go(s->program, &actor, leg);
        arrive(s->program, &actor, (int)leg->process, a);
        if (leg->to == NO_NODE || s->history->graphs[leg->process].nodes[leg->to].fingerprint[1] != a->fingerprint[1])
            return 0;
    }
    return 0;
}

static void stage_open(struct stage *s, const struct program *p)
{
    memset(s, 0, sizeof *s);
    s->program = p;
    s->history = history_new();
    s->texts = texts_new();
    s->objects[0] = (struct created){ .type = TYPE_STREAMS, .index = -1, .address = 1 };
    s->start = (struct start){ .processes = 1, .objects = s->objects, .group = true, .timed = p->timed };
    s->runner = (struct runner){ .self = s, .run = run };
    s->system = system_new(&(struct system_parts){ .start = &s->start, .history = s->history, .runner = &s->runner, .texts = s->texts }, NULL);
    assert(s->system);
}

static void stage_close(struct stage *s)
{
    system_free(s->system);
    history_free(s->history);
    texts_free(s->texts);
}

/* ---- states ---- */

/* Where everybody stands, and the words that tell two states apart. */
static uint64_t state_of(const struct system *s)
{
    static uint32_t words[1 << 16];
    uint32_t used = 0;
    for (uint32_t i = 0; i <= s->table; i = i + 1 < s->object_count ? i + 1 : i < s->table ? s->table : s->table + 1) {
        const struct object *o = &s->objects[i];
        const uint32_t *state = s->words + o->state;
        if (!o->type)
            continue;
        assert(used + o->words < sizeof words / sizeof *words);
        if (o->type->canonical)
            used += o->type->canonical(state, o->words, words + used);
        else
            memcpy(words + used, state, o->words * sizeof *words), used += o->words;
    }
    uint64_t hash = XXH3_64bits(words, used * sizeof *words);
    return XXH3_64bits_withSeed(s->node, (size_t)s->processes * sizeof *s->node, hash);
}

static bool is_new(struct stage *s, uint64_t state)
{
    for (uint32_t i = 0; i < s->seen_count; i++)
        if (s->seen[i] == state)
            return false;
    assert(s->seen_count < MOST_STATES);
    s->seen[s->seen_count++] = state;
    return true;
}

/* ---- two transitions ---- */

struct order { bool whole; uint32_t results[2]; uint64_t end; struct step steps[2]; uint32_t stamps[2]; };

static uint32_t execute(struct stage *s, int p, struct step *step)
{
    uint32_t stamp = dependence_stamp(s->system, p);
    enum took took = system_execute(s->system, p, 0, step, NULL);
    assert(took == STEP_TAKEN);
    return stamp;
}

static struct order try_order(struct stage *s, int first, int second, bool *met)
{
    struct order o = { .whole = false };
    o.stamps[0] = execute(s, first, &o.steps[0]);
    o.whole = s->system->enabled >> second & 1;
    *met = o.whole ? false : dependence_conflict_next(s->system, &o.steps[0], o.stamps[0], second);
    if (o.whole) {
        o.stamps[1] = execute(s, second, &o.steps[1]);
        o.end = state_of(s->system);
        *met = dependence_conflict(s->system, &o.steps[0], o.stamps[0], &o.steps[1], o.stamps[1]);
        system_undo(s->system, &o.steps[1]);
    }
    o.results[0] = o.steps[0].result;
    o.results[1] = o.steps[1].result;
    system_undo(s->system, &o.steps[0]);
    return o;
}

static void tell(struct stage *s, int p, int q, const char *what)
{
    char a[128], b[128];
    types_print(&system_pending(s->system, p)->op, "", s->texts, a, sizeof a);
    types_print(&system_pending(s->system, q)->op, "", s->texts, b, sizeof b);
    if (s->wrong++ < 5)
        printf("%s: process %d, %s, and process %d, %s: %s\n", s->program->name, p + 1, a, q + 1, b, what);
}

/* Only what the definition calls independent may be taken for that. */
static void try_pair(struct stage *s, int p, int q)
{
    bool p_meets, q_meets;
    struct order pq = try_order(s, p, q, &p_meets), qp = try_order(s, q, p, &q_meets);
    bool same = pq.whole && qp.whole && pq.results[0] == qp.results[1] && pq.results[1] == qp.results[0] && pq.end == qp.end;
    s->pairs++;
    s->dependent += !same;
    if (!same && !dependence_now(s->system, p, q))
        tell(s, p, q, "the order matters, and they are taken to be independent in this state");
    if (!same && !p_meets && !q_meets)
        tell(s, p, q, "the order matters, and they are in no conflict");
}

/* ---- all states ---- */

static void walk(struct stage *s, int depth)
{
    uint64_t enabled = s->system->enabled;
    if (!is_new(s, state_of(s->system)) || depth == DEEPEST)
        return;
    for (uint64_t m = enabled; m; m &= m - 1)
        for (uint64_t k = m & (m - 1); k; k &= k - 1)
            try_pair(s, __builtin_ctzll(m), __builtin_ctzll(k));
    for (uint64_t m = enabled; m; m &= m - 1) {
        struct step step;
        execute(s, __builtin_ctzll(m), &step);
        walk(s, depth + 1);
        system_undo(s->system, &step);
    }
}

#define PROCESS(c, ...) { .type = TYPE_PROCESS, .code = PROCESS_##c, .object = NO_OBJECT, .arg = __VA_ARGS__ }
#define ARGS(...) { __VA_ARGS__ }
#define TIMER(channel) PROCESS(CREATE, ARGS(0, CREATE_TIMER | ((channel) + 1) << CREATE_CHANNEL_SHIFT))
#define THREAD PROCESS(CREATE, ARGS(0, 0))
#define SET(timer, channel, first, interval, bits) PROCESS(SETTIME, TIMER_ARGS(timer, channel, UINT64_C(first), UINT64_C(interval), bits))
#define GET(timer) PROCESS(GETTIME, ARGS(timer))
#define EXPIRES(channel, bits) PROCESS(EXPIRE, ARGS(0, 0, (bits) | EXPIRE_ARG(channel, 0)))
#define SLEEP PROCESS(YIELD, ARGS(1))
#define END PROCESS(EXIT, ARGS(0))
#define CHANNEL(c, bits, n) { .type = TYPE_STREAMS, .code = STREAMS_##c, .object = 0, .arg = { 0, n, (bits) | STREAMS_ARG(0, 16, -1) } }
enum { TELLS = EXPIRE_TELLS, ANY = EXPIRE_TELLS | EXPIRE_ANY, NONE = -1 };

static const struct program programs[] = {
    { "two timers, set again and deleted", {
        { TIMER(NONE), SET(1, NONE, 5, 0, 0), TIMER(NONE), SET(2, NONE, 3, 0, 0), THREAD, SET(2, NONE, 9, 0, 0), SET(1, NONE, 0, 0, TIMER_DELETED), END },
        { EXPIRES(NONE, TELLS), END }, { EXPIRES(NONE, TELLS), END }, { SET(1, NONE, 2, 0, 0), GET(2), SET(2, NONE, 0, 0, 0), END } }, false },
    { "two timers, in any order", {
        { TIMER(NONE), SET(1, NONE, 5, 0, 0), TIMER(NONE), SET(2, NONE, 3, 0, 0), THREAD, SET(2, NONE, 9, 0, 0), GET(1), END },
        { EXPIRES(NONE, ANY), END }, { EXPIRES(NONE, ANY), END }, { SET(1, NONE, 2, 0, 0), GET(2), SET(2, NONE, 0, 0, TIMER_DELETED), END } }, false },
    { "timers that repeat", {
        { TIMER(NONE), SET(1, NONE, 5, 5, 0), TIMER(NONE), SET(2, NONE, 3, 4, 0), THREAD, SET(1, NONE, 0, 0, TIMER_DELETED), SET(2, NONE, 0, 0, TIMER_DELETED), END },
        { EXPIRES(NONE, TELLS), END }, { EXPIRES(NONE, TELLS), END }, { GET(1), SET(2, NONE, 7, 0, 0), END } }, false },
    { "a timer that is read", {
        { CHANNEL(OPEN, 0, 3), TIMER(0), SET(1, 0, 5, 5, 0), TIMER(NONE), SET(2, NONE, 3, 0, 0), THREAD, CHANNEL(READ, STREAMS_WHOLE | ARG_NOWAIT, STREAMS_MOST), END },
        { EXPIRES(0, 0), END }, { EXPIRES(NONE, TELLS), END }, { CHANNEL(READ, STREAMS_WHOLE, STREAMS_MOST), SET(1, 0, 0, 0, TIMER_DELETED), END } }, false },
    { "a timer that is read, in any order", {
        { CHANNEL(OPEN, 0, 3), TIMER(0), SET(1, 0, 5, 5, 0), TIMER(NONE), SET(2, NONE, 3, 0, 0), THREAD, CHANNEL(READ, STREAMS_WHOLE | ARG_NOWAIT, STREAMS_MOST), END },
        { EXPIRES(0, EXPIRE_ANY), END }, { EXPIRES(NONE, ANY), END }, { CHANNEL(READ, STREAMS_WHOLE, STREAMS_MOST), SET(1, 0, 0, 0, TIMER_DELETED), END } }, false },
    { "a timer and sleepers, by one clock", {
        { TIMER(NONE), SET(1, NONE, 5, 0, 0), THREAD, SET(0, NONE, 4, 0, 0), SLEEP, SET(1, NONE, 3, 0, 0), END },
        { EXPIRES(NONE, TELLS), END }, { SET(2, NONE, 7, 0, 0), SLEEP, GET(1), SET(1, NONE, 0, 0, TIMER_DELETED), END } }, true },
    { "two timers and a sleeper, by one clock", {
        { TIMER(NONE), SET(1, NONE, 5, 0, 0), TIMER(NONE), SET(2, NONE, 8, 4, 0), SET(0, NONE, 6, 0, 0), SLEEP, SET(2, NONE, 0, 0, TIMER_DELETED), END },
        { EXPIRES(NONE, TELLS), END }, { EXPIRES(NONE, TELLS), END } }, true },
};

int main(int argc, char **argv)
{
    static struct stage s;
    bool wrong = false;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        stage_open(&s, &programs[i]);
        walk(&s, 0);
        if (argc > 1)
            printf("%s: %u states, %u pairs, %u of them dependent\n", programs[i].name, s.seen_count, s.pairs, s.dependent);
        if (s.pairs < 20 || !s.dependent) {
            printf("%s: %u pairs, %u of them dependent: that says little\n", programs[i].name, s.pairs, s.dependent);
            wrong = true;
        }
        wrong |= s.wrong;
        stage_close(&s);
    }
    if (wrong)
        printf("again: %s\n", argv[0]);
    return wrong;
}
