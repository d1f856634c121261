/* The optimal reduction on random programs whose processes do anything with the objects of threads: it must search exactly one
 * execution of each kind (as many as there are by going through all of them), come to the same last states, and cut nothing.
 *
 *     optimal [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "random.h"
#include "search/search.h"
#include "traces.h"
#include "wire.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 4000, MOST_TRANSITIONS = 60000, MOST_BAD = 3, PATIENCE = 300, PROCESSES = 4, LENGTH = 24 };

/* X(name, type, arg[0] and arg[1] as it is created) */
#define OBJECTS(X) \
    X(LOCK, MUTEX, 0, 0) X(OTHER_LOCK, MUTEX, 0, 0) X(CONDITION, COND, 0, 0) X(READ_WRITE, RWLOCK, 0, 0) \
    X(MEETING, BARRIER, 2, 0) X(LARGE_MEETING, BARRIER, 3, 0) X(ONE, ONCE, 0, 0) X(COUNT, COUNTER, 0, 0) \
    X(MAIL, MESSAGES, 64, 2) X(WORD, ACCESS, 0, 0)
#define X(name, ...) name,
enum { OBJECTS(X) OBJECT_COUNT };
#undef X

struct program {
    uint64_t  seed;
    int       processes, length[PROCESSES];
    struct op code[PROCESSES][LENGTH];
    uint8_t   skip[PROCESSES][LENGTH];           /* how many operations are left out when the result is not 0 */
    struct system *system;
};

/* ---- making one up ---- */

struct draft { struct program *program; struct random random; int process; };

static const uint8_t types[] = {
#define X(name, type, ...) [name] = TYPE_##type,
    OBJECTS(X)
#undef X
};

static uint8_t *emit(struct draft *d, int object, int code, int first, int second)
{
    struct program *p = d->program;
    int at = p->length[d->process];
    if (at == LENGTH)
        return &p->skip[d->process][LENGTH - 1];
    p->length[d->process]++;
    p->code[d->process][at] = (struct op){ .type = object < 0 ? TYPE_TOSS : types[object], .code = (uint8_t)code,
                                           .process = (uint8_t)d->process, .object = object < 0 ? NO_OBJECT : (uint32_t)object,
                                           .arg = { first, second } };
    return &p->skip[d->process][at];
}

static void condition(struct draft *d)
{
    int how = random_percent(&d->random, 70) ? WAKE_SIGNALLED
            : random_between(&d->random, WAKE_TIMED, WAKE_TIMED | WAKE_SPURIOUS);
    if (random_percent(&d->random, 50)) {
        emit(d, CONDITION, random_percent(&d->random, 60) ? COND_SIGNAL : COND_BROADCAST, 0, 0);
        return;
    }
    bool with_lock = random_percent(&d->random, 50);
    if (with_lock)
        emit(d, LOCK, MUTEX_LOCK, 0, 0);
    emit(d, CONDITION, COND_ENTER, 0, 0);
    if (with_lock)
        emit(d, LOCK, MUTEX_UNLOCK, 0, 0);
    emit(d, CONDITION, COND_WAKE, how, 0);
    if (with_lock && random_percent(&d->random, 50))
        emit(d, LOCK, MUTEX_LOCK, 0, 0);
}

static void mutex(struct draft *d)
{
    int object = random_percent(&d->random, 60) ? LOCK : OTHER_LOCK, roll = random_below(&d->random, 100);
    if (roll < 20)
        emit(d, object, MUTEX_UNLOCK, MUTEX_ERRORCHECK, 0);
    else if (roll < 40)
        *emit(d, object, MUTEX_TRYLOCK, 0, 0) = 1;
    else
        emit(d, object, MUTEX_LOCK, MUTEX_NORMAL, 0);
    if (roll >= 20 && (roll < 40 || random_percent(&d->random, 70)))
        emit(d, object, MUTEX_UNLOCK, MUTEX_NORMAL, 0);
}

static void read_write(struct draft *d)
{
    static const uint8_t codes[] = { RWLOCK_READ, RWLOCK_READ, RWLOCK_WRITE, RWLOCK_TRYREAD, RWLOCK_TRYWRITE };
    *emit(d, READ_WRITE, codes[random_below(&d->random, 5)], 0, 0) = 1;
    if (random_percent(&d->random, 60))
        emit(d, READ_WRITE, RWLOCK_UNLOCK, 0, 0);
    else
        emit(d, WORD, ACCESS_READ, 0, 0);
}

static void statement(struct draft *d)
{
    struct random *r = &d->random;
    static const uint8_t counter[] = { COUNTER_WAIT, COUNTER_WAIT, COUNTER_POST, COUNTER_POST, COUNTER_TRYWAIT, COUNTER_GET };
    switch (random_below(r, 9)) {
    case 0: mutex(d); break;
    case 1: condition(d); break;
    case 2: read_write(d); break;
    case 3: {
        int meeting = random_percent(r, 50) ? MEETING : LARGE_MEETING;
        *emit(d, meeting, BARRIER_ARRIVE, 0, 0) = 1;
        emit(d, meeting, BARRIER_LEAVE, 0, 0);
        break;
    }
    case 4:
        *emit(d, ONE, ONCE_ENTER, 0, 0) = 1;
        emit(d, ONE, ONCE_DONE, 0, 0);
        break;
    case 5:
        *emit(d, COUNT, counter[random_below(r, 6)], 0, 0) = 1;
        emit(d, WORD, random_percent(r, 50) ? ACCESS_READ : ACCESS_WRITE, 0, 0);
        break;
    case 6: emit(d, MAIL, random_percent(r, 50) ? MESSAGES_SEND : MESSAGES_RECEIVE, random_between(r, 1, 2), 8); break;
    case 7: emit(d, WORD, random_percent(r, 50) ? ACCESS_READ : ACCESS_WRITE, 0, 0); break;
    case 8:
        *emit(d, -1, TOSS_TOSS, random_between(r, 1, 2), 0) = (uint8_t)random_below(r, 2);
        emit(d, COUNT, COUNTER_POST, 0, 0);
        break;
    }
}

/* Some programs are about one thing only: then much happens between its operations. */
static void favourite(struct draft *d, int topic)
{
    switch (topic) {
    case 0:  mutex(d); break;
    case 1:  condition(d); break;
    case 2:  read_write(d); break;
    default: statement(d); break;
    }
}

static void make_up(struct program *p, uint64_t seed)
{
    static const int most[] = { [2] = 7, [3] = 4, [4] = 3 };
    memset(p, 0, sizeof *p);
    struct draft d = { .program = p, .random = { seed * 7919 } };
    p->seed = seed;
    p->processes = random_between(&d.random, 2, PROCESSES);
    int topic = random_below(&d.random, 6);
    for (d.process = 0; d.process < p->processes; d.process++)
        for (int n = random_between(&d.random, 1, most[p->processes]); p->length[d.process] < n;)
            favourite(&d, topic);
}

/* ---- running it ---- */

static void arrive(const struct program *p, int process, uint32_t at, struct arrival *a)
{
    struct op end = { .type = TYPE_PROCESS, .code = PROCESS_EXIT, .process = (uint8_t)process, .object = NO_OBJECT };
    bool ended = at >= (uint32_t)p->length[process];
    *a = (struct arrival){ .op = ended ? end : p->code[process][at], .fingerprint = { at + 1, at }, .mergeable = true };
}

static int run(void *self, const struct leg *leg, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    struct program *p = self;
    uint32_t at = (uint32_t)p->system->graphs[leg->process].nodes[leg->from].fingerprint[1];
    (void)err;
    assert(count == 1);
    *right = 0;
    arrive(p, (int)leg->process, at + 1 + (leg->result ? p->skip[leg->process][at] : 0), a);
    return 0;
}

static void print(const struct program *p)
{
    for (int process = 0; process < p->processes; process++) {
        printf("process %d:\n", process + 1);
        for (int i = 0; i < p->length[process]; i++) {
            const struct op *op = &p->code[process][i];
            printf("  %2d  type %d object %d code %d (%d, %d), skips %d\n", i, op->type, (int)op->object, op->code, op->arg[0],
                   op->arg[1], p->skip[process][i]);
        }
    }
}

/* ---- comparing ---- */

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)self, (void)kind, (void)process, (void)path, (void)depth;
    return GO_ON;
}

struct last { struct system *system; uint64_t ends; };

/* Every state that is shown and where nothing can go is a last one. */
static void look(void *self, uint64_t number, uint32_t depth)
{
    struct last *l = self;
    uint64_t fingerprint[2];
    (void)number, (void)depth;
    if (l->system->enabled)
        return;
    system_fingerprint(l->system, fingerprint);
    l->ends += fingerprint[0];
}

static uint64_t executions;

static bool check(struct program *p)
{
    static const struct created objects[] = {
#define X(name, kind, first, second) { .type = TYPE_##kind, .number = name, .index = -1, .arg = { first, second } },
        OBJECTS(X)
#undef X
    };
    struct start start = { .processes = p->processes, .objects = (struct created *)objects, .object_count = OBJECT_COUNT };
    struct runner runner = { .self = p, .run = run };
    struct search_result result;
    struct search_settings settings = { .strategy = SEARCH_DFS, .reduction = REDUCTION_OPTIMAL, .check = p->seed % 2 };
    for (int process = 0; process < p->processes; process++)
        arrive(p, process, 0, &start.first[process]);
    struct history *history = history_new();
    p->system = system_new(&(struct system_parts){ &start, history, &runner, NULL, NULL, NULL, false }, NULL);
    assert(p->system);
    struct last last = { .system = p->system };
    struct watcher watcher = { .self = &last, .found = found, .state = look };
    uint64_t ends, traces = traces_count(p->system, MOST_TRANSITIONS, &ends);
    bool well = true;
    if (traces != UINT64_MAX) {
        search_run(p->system, &settings, &watcher, &result, NULL);
        executions += traces;
        well = result.counts.executions == traces && !result.counts.sleep_cut && !result.counts.surprises && last.ends == ends;
        if (!well)
            printf("FAILED: seed %" PRIu64 ": %" PRIu64 " executions, should be %" PRIu64 "; sleep_cut %" PRIu64
                   ", surprises %" PRIu64 "%s\n", p->seed, result.counts.executions, traces, result.counts.sleep_cut, result.counts.surprises,
                   last.ends == ends ? "" : "; other last states");
    }
    system_free(p->system);
    history_free(history);
    return well;
}

/* Takes operations out while it still fails. */
static void shrink(struct program *p)
{
    for (int process = 0; process < p->processes; process++)
        for (int at = 0; at < p->length[process]; at++) {
            struct program less = *p;
            size_t left = (size_t)(--less.length[process] - at);
            memmove(&less.code[process][at], &less.code[process][at + 1], left * sizeof *less.code[0]);
            memmove(&less.skip[process][at], &less.skip[process][at + 1], left);
            if (check(&less))
                continue;
            *p = less;
            process = 0;
            at = -1;
        }
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : PROGRAMS, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int bad = 0;
    for (uint64_t i = 0; i < programs && bad < MOST_BAD; i++) {
        struct program p;
        alarm(PATIENCE);
        make_up(&p, first + i);
        if (check(&p))
            continue;
        shrink(&p);
        print(&p);
        printf("again: %s 1 %" PRIu64 "\n", argv[0], first + i);
        bad++;
    }
    printf("optimal: %" PRIu64 " programs, %" PRIu64 " executions\n", programs, executions);
    return bad != 0;
}
