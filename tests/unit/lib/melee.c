/* SPDX-License-Identifier: MIT */
#include "melee.h"

#include "random.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* X(name, type, arg[0] and arg[1] as it is created) */
#define OBJECTS(X) \
    X(LOCK, MUTEX, 0, 0) X(OTHER_LOCK, MUTEX, 0, 0) X(CONDITION, COND, 0, 0) X(READ_WRITE, RWLOCK, 0, 0) \
    X(MEETING, BARRIER, 2, 0) X(LARGE_MEETING, BARRIER, 3, 0) X(ONE, ONCE, 0, 0) X(COUNT, COUNTER, 0, 0) \
    X(MAIL, MESSAGES, 64, 2) X(WORD, ACCESS, 0, 0)
#define X(name, ...) name,
enum { OBJECTS(X) OBJECT_COUNT };
#undef X

/* ---- making one up ---- */

struct draft { struct melee *program; struct random random; int process; };

static const uint8_t types[] = {
#define X(name, type, ...) [name] = TYPE_##type,
    OBJECTS(X)
#undef X
};

static uint8_t *emit(struct draft *d, int object, int code, int first, int second)
{
    struct melee *p = d->program;
    int at = p->length[d->process];
    if (at == MELEE_LENGTH)
        return &p->skip[d->process][MELEE_LENGTH - 1];
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

void melee_make_up(struct melee *p, uint64_t seed)
{
    static const int most[] = { [2] = 7, [3] = 4, [4] = 3 };
    memset(p, 0, sizeof *p);
    struct draft d = { .program = p, .random = { seed * 7919 } };
    p->seed = seed;
    p->processes = random_between(&d.random, 2, MELEE_PROCESSES);
    int topic = random_below(&d.random, 6);
    for (d.process = 0; d.process < p->processes; d.process++)
        for (int n = random_between(&d.random, 1, most[p->processes]); p->length[d.process] < n;)
            favourite(&d, topic);
}

void melee_bystander(struct melee *p)
{
    struct draft d = { .program = p };
    memset(p, 0, sizeof *p);
    p->processes = 4;
    emit(&d, WORD, ACCESS_WRITE, 0, 0);
    d.process = 1;
    emit(&d, OTHER_LOCK, MUTEX_LOCK, 0, 0);
    d.process = 2;
    emit(&d, COUNT, COUNTER_POST, 0, 0);
    d.process = 3;
    emit(&d, COUNT, COUNTER_GET, 0, 0);
    emit(&d, WORD, ACCESS_WRITE, 0, 0);
}

/* ---- running it ---- */

static void arrive(const struct melee *p, int process, uint32_t at, struct arrival *a)
{
    struct op end = { .type = TYPE_PROCESS, .code = PROCESS_EXIT, .process = (uint8_t)process, .object = NO_OBJECT };
    bool ended = at >= (uint32_t)p->length[process];
    *a = (struct arrival){ .op = ended ? end : p->code[process][at], .fingerprint = { at + 1, at }, .mergeable = true };
}

static int run(void *self, const struct leg *leg, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    struct melee *p = self;
    uint32_t at = (uint32_t)p->system->graphs[leg->process].nodes[leg->from].fingerprint[1];
    (void)err;
    assert(count == 1);
    *right = 0;
    arrive(p, (int)leg->process, at + 1 + (leg->result ? p->skip[leg->process][at] : 0), a);
    return 0;
}

void melee_print(const struct melee *p)
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

void melee_open(struct melee *p)
{
    static const struct created objects[] = {
#define X(name, kind, first, second) { .type = TYPE_##kind, .number = name, .index = -1, .arg = { first, second } },
        OBJECTS(X)
#undef X
    };
    struct start start = { .processes = p->processes, .objects = (struct created *)objects, .object_count = OBJECT_COUNT };
    p->runner = (struct runner){ .self = p, .run = run };
    for (int process = 0; process < p->processes; process++)
        arrive(p, process, 0, &start.first[process]);
    p->history = history_new();
    p->texts = texts_new();
    p->system = system_new(&(struct system_parts){ .start = &start, .history = p->history, .runner = &p->runner, .texts = p->texts }, NULL);
    assert(p->system);
}

void melee_close(struct melee *p)
{
    system_free(p->system);
    history_free(p->history);
    texts_free(p->texts);
}
