/* SPDX-License-Identifier: MIT */
#include "generate.h"

#include "random.h"

#include <assert.h>
#include <string.h>

enum { COUNTER = MADEUP_LOCALS - 1 };        /* the local that bounds loops; the others take outcomes */

struct draft {
    struct program *program;
    struct random   random;
    int             process;
    int             budget;                  /* visible operations still to be written for this process */
    bool            removes, aborts, reaps;
    int             given;                   /* the local that took the last outcome, -1: none yet */
    int             most;                    /* the largest outcome it is likely to have */
    int             left[MADEUP_SEMAPHORES], held[MADEUP_QUEUES];        /* in an object, if all written so far were done */
};

static struct instruction *emit(struct draft *d, uint8_t kind)
{
    uint8_t *length = &d->program->length[d->process];
    assert(*length < MADEUP_CODE);
    struct instruction *i = &d->program->code[d->process][(*length)++];
    *i = (struct instruction){ .kind = kind, .local = NO_LOCAL };
    return i;
}

static bool crowded(const struct draft *d)
{
    return d->program->length[d->process] > MADEUP_CODE - 12;
}

static uint8_t some_local(struct draft *d)
{
    return (uint8_t)random_below(&d->random, COUNTER);
}

static void give(struct draft *d, struct instruction *i, int most)
{
    i->local = some_local(d);
    d->given = i->local;
    d->most = most;
}

static uint8_t some_outcome(struct draft *d)
{
    return (uint8_t)(random_percent(&d->random, 90) ? random_between(&d->random, 0, d->most)
                                                    : random_below(&d->random, MADEUP_VALUES));
}

static void semaphore_operation(struct draft *d, uint8_t kind, int object)
{
    struct instruction *i = emit(d, kind);
    i->object = (uint8_t)object;
    i->n = random_percent(&d->random, kind == DO_WAIT ? 8 : 15) ? 2 : 1;
    d->left[object] += kind == DO_WAIT ? -i->n : i->n;
    if (d->removes && random_percent(&d->random, 50))
        give(d, i, OUTCOME_REMOVED);
    d->budget--;
}

static void statement(struct draft *d, int nest);

static void semaphore(struct draft *d)
{
    int object = random_below(&d->random, d->program->semaphores);
    int roll = random_below(&d->random, 100);
    if (d->removes && roll < 15) {
        semaphore_operation(d, DO_REMOVE_SEMAPHORE, object);
    } else if (roll < 35 && d->budget > 1) {
        semaphore_operation(d, DO_WAIT, object);
        statement(d, 2);
        semaphore_operation(d, DO_SIGNAL, object);
    } else {
        semaphore_operation(d, random_percent(&d->random, d->left[object] > 0 ? 65 : 8) ? DO_WAIT : DO_SIGNAL, object);
    }
}

static uint8_t queue_kind(struct draft *d, int object)
{
    int roll = random_below(&d->random, 100);
    if (d->removes && roll < 12)
        return DO_REMOVE_QUEUE;
    if (roll < 25)
        return roll < 18 ? DO_IS_EMPTY : DO_IS_FULL;
    int held = d->held[object];
    if (random_percent(&d->random, held <= 0 ? 8 : held >= d->program->size[object] ? 90 : 50)) {
        d->held[object]--;
        return DO_RECEIVE;
    }
    d->held[object]++;
    return roll < 80 ? DO_SEND : DO_SEND_LOCAL;
}

static void queue(struct draft *d)
{
    int object = random_below(&d->random, d->program->queues);
    struct instruction *i = emit(d, queue_kind(d, object));
    i->object = (uint8_t)object;
    i->value = (uint8_t)random_below(&d->random, 3);
    i->n = i->kind == DO_SEND_LOCAL ? some_local(d) : 0;
    bool gives = i->kind == DO_RECEIVE || i->kind == DO_IS_FULL || i->kind == DO_IS_EMPTY;
    if (random_percent(&d->random, gives ? 85 : d->removes ? 50 : 0))
        give(d, i, i->kind == DO_RECEIVE ? 2 : 1);
    d->budget--;
}

static void toss(struct draft *d)
{
    struct instruction *i = emit(d, DO_TOSS);
    i->n = (uint8_t)(random_percent(&d->random, 70) ? 1 : random_percent(&d->random, 80) ? 2 : 0);
    give(d, i, i->n);
    d->budget--;
}

static void condition(struct draft *d, uint8_t kind)
{
    struct instruction *i = emit(d, kind);
    i->n = (uint8_t)(d->given < 0 ? 0 : d->given);
    i->value = d->given < 0 && random_percent(&d->random, 70) ? 1 : some_outcome(d);
    d->budget--;
}

static void reap(struct draft *d)
{
    struct instruction *i = emit(d, DO_REAP);
    i->n = random_percent(&d->random, 75);
    i->value = (uint8_t)(random_percent(&d->random, 65) ? ANY_CHILD : random_between(&d->random, 1, d->program->processes - 1));
    if (random_percent(&d->random, 80))
        give(d, i, OUTCOME_REMOVED);
    d->budget--;
}

static void choice(struct draft *d, int nest)
{
    struct instruction *code = d->program->code[d->process];
    uint8_t *length = &d->program->length[d->process];
    uint8_t test = *length;
    struct instruction *i = emit(d, DO_JUMP_UNLESS);
    i->local = (uint8_t)(d->given < 0 ? 0 : d->given);
    i->value = some_outcome(d);
    statement(d, nest + 1);
    if (random_percent(&d->random, 60)) {
        uint8_t end = *length;
        emit(d, DO_JUMP);
        code[test].target = *length;
        statement(d, nest + 1);
        code[end].target = *length;
    } else {
        code[test].target = *length;
    }
}

static void counted_loop(struct draft *d)
{
    struct instruction *set = emit(d, DO_SET);
    set->local = COUNTER;
    uint8_t top = d->program->length[d->process];
    statement(d, 2);
    emit(d, DO_ADD)->local = COUNTER;
    struct instruction *i = emit(d, DO_JUMP_UNLESS);
    i->local = COUNTER;
    i->value = 2;
    i->target = top;
}

static void communicate(struct draft *d)
{
    const struct program *p = d->program;
    if (random_below(&d->random, p->semaphores + p->queues) < p->semaphores)
        semaphore(d);
    else
        queue(d);
}

static void statement(struct draft *d, int nest)
{
    int roll = random_below(&d->random, 100);
    if (crowded(d) || roll < 58)                     communicate(d);
    else if (roll < 66)                              toss(d);
    else if (roll < 79 && d->given >= 0)             condition(d, DO_ASSERT);
    else if (roll < 82 && d->aborts)                 condition(d, DO_ABORT);
    else if (roll < 86 && d->reaps)                  reap(d);
    else if (roll < 93 && nest < 2)                  choice(d, nest);
    else if (roll < 96 && nest < 1)                  counted_loop(d);
    else if (roll < 97 && nest > 0)                  emit(d, DO_EXIT)->value = (uint8_t)random_below(&d->random, 2);
    else                                             communicate(d);
}

static void body(struct draft *d)
{
    while (d->budget > 0 && !crowded(d))
        statement(d, 0);
    if (d->given >= 0 && random_percent(&d->random, 20))
        condition(d, DO_ASSERT);
}

static void endless_loop(struct draft *d)
{
    body(d);
    if (random_percent(&d->random, 30)) {
        struct instruction *i = emit(d, DO_JUMP_UNLESS);
        i->local = (uint8_t)(d->given < 0 ? 0 : d->given);
        i->value = some_outcome(d);
        return;
    }
    emit(d, DO_JUMP);
}

static int visible_operations(struct draft *d, bool endless)
{
    static const int most[] = { [2] = 8, [3] = 5, [4] = 3 };
    int n = random_between(&d->random, most[d->program->processes] / 2, most[d->program->processes]);
    return endless && n > 2 ? n - 1 : n;
}

static void write_process(struct draft *d, bool endless)
{
    d->budget = visible_operations(d, endless);
    d->given = -1;
    d->most = 0;
    d->reaps = d->reaps && d->process == 0;
    if (endless)
        endless_loop(d);
    else
        body(d);
    if (d->reaps && random_percent(&d->random, 80))
        reap(d);
    if (random_percent(&d->random, 50))
        emit(d, DO_EXIT)->value = (uint8_t)random_below(&d->random, 2);
}

void generate(struct program *p, uint64_t seed)
{
    memset(p, 0, sizeof *p);
    struct draft d = { .program = p, .random = { seed * 1000003 } };
    struct random *r = &d.random;
    p->seed = seed;
    p->processes = random_percent(r, 35) ? 2 : random_percent(r, 65) ? 3 : 4;
    p->semaphores = random_below(r, 3);
    p->queues = p->semaphores ? random_below(r, MADEUP_QUEUES + 1) : random_between(r, 1, MADEUP_QUEUES);
    p->array = random_percent(r, 50);
    for (int s = 0; s < p->semaphores; s++)
        d.left[s] = p->initial[s] = (uint8_t)random_below(r, 3);
    for (int q = 0; q < p->queues; q++)
        p->size[q] = (uint8_t)random_between(r, 1, MADEUP_QUEUE_SIZE);
    d.removes = random_percent(r, 10);
    d.aborts = random_percent(r, 25);
    bool reaps = random_percent(r, 40), endless = random_percent(r, 25);
    for (d.process = 0; d.process < p->processes; d.process++) {
        d.reaps = reaps;
        write_process(&d, endless && random_percent(r, 60));
    }
}

void generate_philosophers(struct program *p, int count)
{
    assert(count <= MADEUP_PROCESSES && count <= MADEUP_SEMAPHORES);
    memset(p, 0, sizeof *p);
    p->processes = p->semaphores = count;
    p->array = true;
    for (int i = 0; i < count; i++) {
        static const uint8_t kinds[] = { DO_WAIT, DO_WAIT, DO_SIGNAL, DO_SIGNAL };
        p->initial[i] = 1;
        p->length[i] = 4;
        for (int k = 0; k < 4; k++)
            p->code[i][k] = (struct instruction){ .kind = kinds[k], .object = (uint8_t)((i + k % 2) % count), .n = 1,
                                                  .local = NO_LOCAL };
    }
}
