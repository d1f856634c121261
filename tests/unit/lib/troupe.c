/* SPDX-License-Identifier: MIT */
#include "troupe.h"

#include "random.h"
#include "wire.h"

#include <assert.h>
#include <malloc.h>

static struct op make_op(int type, int code, uint32_t object, int first)
{
    return (struct op){ .type = (uint8_t)type, .code = (uint8_t)code, .object = object, .arg = { first } };
}

static struct op operation(const struct sharing *p, const struct troupe_actor *a, int thread)
{
    const struct sharing_code *c = sharing_at(p, &a->memory, thread);
    uint32_t mutex = c->object, counter = SHARING_VARIABLES + c->object;
    switch (c->kind) {
    case AT_LOCK:    return make_op(TYPE_MUTEX, MUTEX_LOCK, mutex, MUTEX_NORMAL);
    case AT_TRYLOCK: return make_op(TYPE_MUTEX, MUTEX_TRYLOCK, mutex, MUTEX_NORMAL);
    case AT_UNLOCK:  return make_op(TYPE_MUTEX, MUTEX_UNLOCK, mutex, MUTEX_NORMAL);
    case AT_POST:    return make_op(TYPE_COUNTER, COUNTER_POST, counter, 0);
    case AT_WAIT:    return make_op(TYPE_COUNTER, COUNTER_WAIT, counter, 0);
    case AT_TRYWAIT: return make_op(TYPE_COUNTER, COUNTER_TRYWAIT, counter, 0);
    case AT_TOSS:    return make_op(TYPE_TOSS, TOSS_TOSS, NO_OBJECT, 1);
    case AT_CREATE:  return make_op(TYPE_PROCESS, PROCESS_CREATE, NO_OBJECT, 0);
    case AT_JOIN:    return make_op(TYPE_PROCESS, PROCESS_JOIN, NO_OBJECT, a->process_of[c->n]);
    case AT_LEAVE:   return make_op(TYPE_PROCESS, PROCESS_LEAVE, NO_OBJECT, 0);
    case AT_FINISH:  return make_op(TYPE_PROCESS, PROCESS_FINISH, NO_OBJECT, 0);
    case AT_END:     return make_op(TYPE_PROCESS, PROCESS_EXIT, NO_OBJECT, 0);
    default: {
        uint8_t sum = sharing_sum(&a->memory);
        struct op op = make_op(TYPE_ASSERT, ASSERT_ASSERT, NO_OBJECT, !sharing_is_false(c, sum));
        op.arg[1] = sum;
        return op;
    }
    }
}

/* As the runtime's: of the operation, its arguments and its place, in whatever thread. */
static uint64_t digest(const struct op *op)
{
    struct random mix = { op->place << 32 ^ (uint64_t)op->type << 24 ^ (uint64_t)op->code << 16 ^ (uint64_t)op->object << 8 };
    mix.at ^= random_next(&mix) + (uint32_t)op->arg[0] * 31u + (uint32_t)op->arg[1];
    return random_next(&mix) | 1;
}

static void tell_memory(const struct sharing_memory *m, uint64_t memory[2])
{
    struct random mix = { 1 };
    for (size_t i = 0; i < sizeof *m; i++)
        mix.at ^= random_next(&mix) + ((const uint8_t *)m)[i];
    memory[0] = random_next(&mix);
    memory[1] = random_next(&mix);
}

static struct op before(const struct troupe *s, const struct troupe_actor *a, int process)
{
    int thread = a->thread_of[process];
    struct op op = operation(s->program, a, thread);
    op.process = (uint8_t)process;
    op.place = (uint64_t)thread << 8 | a->memory.pc[thread];
    return op;
}

void troupe_arrive(const struct troupe *s, const struct troupe_actor *a, int process, struct arrival *arrival)
{
    *arrival = (struct arrival){ .op = before(s, a, process), .mergeable = true };
    arrival->fingerprint[1] = digest(&arrival->op);
    tell_memory(&a->memory, arrival->memory);
}

const struct node *troupe_node(const struct troupe *s, uint32_t process, uint32_t node)
{
    return &s->history->graphs[process].nodes[node];
}

/* Does a process stand before what this node says? */
static bool stands_at(const struct troupe *s, const struct troupe_actor *a, uint32_t process, uint32_t node)
{
    struct op op = before(s, a, (int)process);
    return troupe_node(s, process, node)->fingerprint[1] == digest(&op);
}

void troupe_go(const struct troupe *s, struct troupe_actor *a, const struct leg *leg)
{
    int thread = a->thread_of[leg->process];
    const struct node *from = troupe_node(s, leg->process, leg->from);
    const struct sharing_code *c = sharing_at(s->program, &a->memory, thread);
    if (from->op.type == TYPE_PROCESS && from->op.code == PROCESS_START) {
        sharing_begin(s->program, &a->memory, thread);
        return;
    }
    assert(stands_at(s, a, leg->process, leg->from));
    if (c->kind == AT_CREATE) {
        a->thread_of[leg->result] = c->n;
        a->process_of[c->n] = (uint8_t)leg->result;
    }
    sharing_go_on(s->program, &a->memory, thread, leg->result == 0);
}

static void run_path(struct troupe *s, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a)
{
    struct troupe_actor actor = { 0 };
    s->runs++;
    for (*right = 0; *right < count; ++*right) {
        const struct leg *leg = &path[*right];
        troupe_go(s, &actor, leg);
        bool right_here = leg->to != NO_NODE && stands_at(s, &actor, leg->process, leg->to);
        if (!right_here || *right == count - 1)
            troupe_arrive(s, &actor, (int)leg->process, a);
        if (!right_here) {
            s->wrong += leg->to != NO_NODE;
            return;
        }
    }
}

static int run(void *self, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    struct troupe *s = self;
    (void)err;
    s->turns++;
    run_path(s, path, count, right, a);
    return 0;
}

static int set_off(void *self, const struct way *ways, uint32_t count, enum sending how, struct err *err)
{
    struct troupe *s = self;
    (void)how, (void)err;
    s->turns++;
    s->sent = ways;
    s->sent_count = count;
    return 0;
}

static int await(void *self, uint32_t *wrong, uint32_t *right, struct arrival *a, struct err *err)
{
    struct troupe *s = self;
    (void)err;
    for (*wrong = 0; *wrong < s->sent_count; ++*wrong) {
        run_path(s, s->sent[*wrong].path, s->sent[*wrong].count, right, a);
        if (*right < s->sent[*wrong].count)
            return 0;
    }
    return 0;
}

void troupe_open(struct troupe *s, const struct sharing *p, bool states)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 17);          /* a system's room comes cleared from the kernel; by hand that is a quarter of the time */
    *s = (struct troupe){ .program = p, .history = history_new(), .texts = texts_new() };
    for (int i = 0; i < SHARING_VARIABLES; i++)
        s->objects[i] = (struct created){ .type = TYPE_MUTEX, .number = (uint32_t)i, .index = -1, .address = 0x1000 + (uint64_t)i };
    for (int i = 0; i < SHARING_COUNTERS; i++)
        s->objects[SHARING_VARIABLES + i] = (struct created){ .type = TYPE_COUNTER, .number = (uint32_t)i, .index = -1,
                                                              .arg = { 0, p->initial[i] }, .address = 0x2000 + (uint64_t)i };
    s->start = (struct start){ .processes = 1, .objects = s->objects, .group = true };
    tell_memory(&(struct troupe_actor){ 0 }.memory, s->start.first[0].memory);
    s->runner = (struct runner){ .self = s, .run = run, .send = set_off, .await = await };
    s->system = system_new(&(struct system_parts){ .start = &s->start, .history = s->history, .runner = &s->runner, .texts = s->texts, .states = states }, NULL);
    assert(s->system);
}

void troupe_close(struct troupe *s)
{
    system_free(s->system);
    history_free(s->history);
    texts_free(s->texts);
}
