/* Every type of object against the definition of independence (lib/bench.h).
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "objects/builtin.h"
#include "objects/process.h"

#include <assert.h>
#include <stdio.h>

static int check_semaphores(void)
{
    int bad = 0;
    for (int initial = 0; initial <= 3; initial++) {
        char what[32];
        snprintf(what, sizeof what, "semaphore of %d", initial);
        struct bench *b = bench_new(what, TYPE_SEMAPHORE, (int32_t[3]){ initial });
        for (int n = 1; n <= 2; n++) {
            bench_add(b, TYPE_SEMAPHORE, SEMAPHORE_WAIT, 0, n, 0, 0);
            bench_add(b, TYPE_SEMAPHORE, SEMAPHORE_SIGNAL, 0, n, 0, 0);
        }
        bench_add(b, TYPE_SEMAPHORE, SEMAPHORE_REMOVE, 0, 0, 0, 0);
        bad |= bench_finish(b);
    }
    return bad;
}

static int check_queues(void)
{
    int bad = 0;
    for (int size = 1; size <= 3; size++) {
        char what[32];
        snprintf(what, sizeof what, "queue of %d", size);
        struct bench *b = bench_new(what, TYPE_QUEUE, (int32_t[3]){ size });
        bench_add(b, TYPE_QUEUE, QUEUE_SEND, 0, 0, 0, 1);
        bench_add(b, TYPE_QUEUE, QUEUE_SEND, 0, 0, 0, 2);
        for (int code = QUEUE_RECEIVE; code <= QUEUE_REMOVE; code++)
            bench_add(b, TYPE_QUEUE, code, 0, 0, 0, 0);
        bad |= bench_finish(b);
    }
    return bad;
}

/* The types that need no object. */
static int check_simple(int type, int code, const char *what)
{
    struct bench *b = bench_new(what, type, NULL);
    for (int argument = 0; argument <= 2; argument++)
        bench_add(b, type, code, 0, argument, 0, 0);
    return bench_finish(b);
}

/* The table of processes: every set of ended children, and the waits of the parent and of a child. An end is no operation;
 * that it matters to a wait is the system's to know. */
static int check_processes(void)
{
    enum { PROCESSES = 4 };
    struct bench *b = bench_new("table of processes", TYPE_PROCESS, (int32_t[3]){ PROCESSES });
    struct state running = b->states[0];
    b->named = true;
    for (uint32_t ended = 1; ended < 1u << PROCESSES; ended++) {
        struct state s = running;
        for (uint32_t p = 0; p < PROCESSES; p++) {
            struct op end = { .type = TYPE_PROCESS, .code = PROCESS_EXIT, .process = (uint8_t)p, .arg = { (int32_t)p } };
            if (ended >> p & 1)
                s.word[1 + p] = process_ended(&end);
        }
        bench_add_state(b, &s);
    }
    for (int process = 0; process < 2; process++)
        for (int child = -1; child < PROCESSES; child++)
            for (int now = 0; now <= ARG_NOWAIT; now += ARG_NOWAIT)
                bench_add(b, TYPE_PROCESS, PROCESS_WAIT, process, child, 0, now);
    return bench_finish(b);
}

/* ---- what threads synchronise by ---- */

/* Each operation, by each of so many processes. */
static void add_ops(struct bench *b, int type, int processes, int first, int last, int argument)
{
    b->named = true;
    for (int process = 0; process < processes; process++)
        for (int code = first; code <= last; code++)
            bench_add(b, type, code, process, argument, 0, 0);
}

/* States that no operation leads to: the holder of a robust mutex dies. */
static void add_deaths(struct bench *b)
{
    bench_make_states(b);
    for (uint32_t i = 0, count = b->state_count; i < count; i++)
        for (int p = 0; p < 3; p++) {
            struct change changes[OBJECT_CHANGES];
            struct log log = { changes };
            struct state s = b->states[i];
            mutex_type.ended(&log, s.word, p);
            assert(log.top - changes <= 3);
            bench_add_state(b, &s);
        }
}

static int check_mutexes(void)
{
    static const struct { const char *what; int kind; } kinds[] = {
        { "mutex", MUTEX_NORMAL }, { "recursive mutex", MUTEX_RECURSIVE }, { "error-checking mutex", MUTEX_ERRORCHECK },
        { "spin lock", MUTEX_SPIN }, { "robust mutex", MUTEX_NORMAL | MUTEX_ROBUST },
        { "robust recursive mutex", MUTEX_RECURSIVE | MUTEX_ROBUST },
    };
    int bad = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct bench *b = bench_new(kinds[i].what, TYPE_MUTEX, (int32_t[3]){ kinds[i].kind });
        add_ops(b, TYPE_MUTEX, 3, MUTEX_INIT, MUTEX_DESTROY, kinds[i].kind);
        if (kinds[i].kind & MUTEX_ROBUST)
            add_deaths(b);
        bad |= bench_finish(b);
    }
    return bad;
}

static int check_conds(void)
{
    static const uint8_t begins[] = { [COND_ENTER] = 1, [COND_DESTROY] = 0 }, ends[] = { [COND_WAKE] = 1, [COND_DESTROY] = 0 };
    int bad = 0;
    for (int give_up = 0; give_up <= (WAKE_TIMED | WAKE_SPURIOUS); give_up++) {
        char what[48];
        snprintf(what, sizeof what, "cond%s%s", give_up & WAKE_TIMED ? ", timed" : "",
                 give_up & WAKE_SPURIOUS ? ", spurious" : "");
        struct bench *b = bench_new(what, TYPE_COND, (int32_t[3]){ 0 });
        b->begins = begins, b->ends = ends;
        add_ops(b, TYPE_COND, 4, COND_INIT, COND_DESTROY, give_up);
        bad |= bench_finish(b);
    }
    return bad;
}

static int check_rwlocks(void)
{
    struct bench *b = bench_new("rwlock", TYPE_RWLOCK, (int32_t[3]){ 0 });
    add_ops(b, TYPE_RWLOCK, 3, RWLOCK_INIT, RWLOCK_DESTROY, 0);
    return bench_finish(b);
}

/* Where writers come first. */
static int check_rwlocks_in_turn(void)
{
    struct bench *b = bench_new("rwlock in turn", TYPE_RWLOCK, (int32_t[3]){ RWLOCK_IN_TURN });
    add_ops(b, TYPE_RWLOCK, 3, RWLOCK_INIT, RWLOCK_QUEUE, RWLOCK_IN_TURN);
    add_ops(b, TYPE_RWLOCK, 3, RWLOCK_WRITE, RWLOCK_WRITE, RWLOCK_IN_TURN | RWLOCK_QUEUED);
    add_ops(b, TYPE_RWLOCK, 3, RWLOCK_TIMEDWRITE, RWLOCK_TIMEDWRITE, RWLOCK_IN_TURN | RWLOCK_QUEUED);
    return bench_finish(b);
}

static int check_barriers(void)
{
    static const uint8_t begins[] = { [BARRIER_ARRIVE] = 1, [BARRIER_DESTROY] = 0 };
    static const uint8_t ends[] = { [BARRIER_LEAVE] = 1, [BARRIER_DESTROY] = 0 };
    int bad = 0;
    for (int needed = 1; needed <= 4; needed++) {
        char what[32];
        snprintf(what, sizeof what, "barrier for %d", needed);
        struct bench *b = bench_new(what, TYPE_BARRIER, (int32_t[3]){ needed });
        b->begins = begins, b->ends = ends;
        add_ops(b, TYPE_BARRIER, 5, BARRIER_INIT, BARRIER_DESTROY, needed);
        bad |= bench_finish(b);
    }
    return bad;
}

static int check_once(void)
{
    static const uint8_t begins[] = { [ONCE_ENTER] = 1, [ONCE_UNDO] = 0 }, ends[] = { [ONCE_DONE] = 1, [ONCE_UNDO] = 1 };
    struct bench *b = bench_new("once", TYPE_ONCE, (int32_t[3]){ 0 });
    b->begins = begins, b->ends = ends;
    add_ops(b, TYPE_ONCE, 4, ONCE_ENTER, ONCE_UNDO, 0);
    return bench_finish(b);
}

static int check_counters(void)
{
    static const int values[] = { 0, 1, 3, INT32_MAX - 2 };
    int bad = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char what[32];
        snprintf(what, sizeof what, "counter of %d", values[i]);
        struct bench *b = bench_new(what, TYPE_COUNTER, (int32_t[3]){ 0 });
        for (int code = COUNTER_INIT; code <= COUNTER_OPEN; code++)
            bench_add(b, TYPE_COUNTER, code, 0, values[i], 0, 0);
        bench_execute(b, &b->states[0], &b->ops[0], 0);
        bad |= bench_finish(b);
    }
    return bad;
}

static int check_accesses(void)
{
    struct bench *b = bench_new("access", TYPE_ACCESS, (int32_t[3]){ 0 });
    bench_add(b, TYPE_ACCESS, ACCESS_READ, 0, 0, 0, 0);
    bench_add(b, TYPE_ACCESS, ACCESS_WRITE, 0, 0, 0, 0);
    return bench_finish(b);
}

static int check_steps(void)
{
    struct bench *b = bench_new("step", TYPE_STEP, (int32_t[3]){ 0 });
    bench_add(b, TYPE_STEP, STEP_STEP, 0, 0, 0, 0);
    bench_add(b, TYPE_STEP, STEP_LOOK, 0, 0, 0, 0);
    return bench_finish(b);
}

static int check_events(void)
{
    static const struct { int32_t kind, number; uint8_t first, second; const char *what; } kinds[] = {
        { EVENT_OF_QUEUE, 0, EVENT_SEND, EVENT_RECEIVE, "events of a queue" }, { EVENT_OF_QUEUE, 1, EVENT_SEND, EVENT_RECEIVE, "events of a queue of 1" },
        { EVENT_OF_QUEUE, 3, EVENT_SEND, EVENT_RECEIVE, "events of a queue of 3" }, { EVENT_OF_SEMAPHORE, 2, EVENT_WAIT, EVENT_SIGNAL, "events of a semaphore" },
        { EVENT_OF_ORDER, 0, EVENT_STEP, EVENT_LOOK, "events that are kept in order" },
    };
    int bad = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct bench *b = bench_new(kinds[i].what, TYPE_EVENT, (int32_t[3]){ kinds[i].number, kinds[i].kind });
        bench_add(b, TYPE_EVENT, kinds[i].first, 0, kinds[i].number, kinds[i].kind, 0);
        bench_add(b, TYPE_EVENT, kinds[i].second, 0, kinds[i].number, kinds[i].kind, 0);
        bad |= bench_finish(b);
    }
    return bad;
}

/* Values 0 and 1, and one that nobody knows. */
static int check_locations(void)
{
    static const uint8_t codes[] = { LOCATION_READ, LOCATION_LOAD, LOCATION_AWAIT, LOCATION_WRITE, LOCATION_STORE, LOCATION_EXCHANGE,
                                     LOCATION_ADD, LOCATION_COMPARE };
    int bad = 0;
    for (int known = 0; known < 2; known++) {
        struct bench *b = bench_new(known ? "location" : "location of unknown value", TYPE_LOCATION, (int32_t[3]){ 0, 0, known });
        for (size_t i = 0; i < sizeof codes; i++)
            for (int process = 0; process < 2; process++) {
                bench_add(b, TYPE_LOCATION, codes[i], process, 4 << LOCATION_SIZE_SHIFT, codes[i] != LOCATION_COMPARE, 0);
                b->ops[b->op_count - 1].arg[2] = 1;
            }
        for (int process = 0; process < 2; process++)        /* of which nobody looks at the result */
            bench_add(b, TYPE_LOCATION, LOCATION_ADD, process, 4 << LOCATION_SIZE_SHIFT | LOCATION_UNUSED, 1 + process, 0);
        for (int process = 0; process < 2; process++) {      /* that may leave, or always leave, the value as it is */
            bench_add(b, TYPE_LOCATION, LOCATION_ADD, process, 4 << LOCATION_SIZE_SHIFT, 0, 0);
            bench_add(b, TYPE_LOCATION, LOCATION_OR, process, 4 << LOCATION_SIZE_SHIFT, 1, 0);
            bench_add(b, TYPE_LOCATION, LOCATION_AND, process, 4 << LOCATION_SIZE_SHIFT, 0, 0);
            bench_add(b, TYPE_LOCATION, LOCATION_COMPARE, process, 4 << LOCATION_SIZE_SHIFT, 1, 0);
            b->ops[b->op_count - 1].arg[2] = 1;
        }
        b->named = true;
        bad |= bench_finish(b);
    }
    return bad;
}

_Static_assert(TYPE_COUNT == 20, "a new type of object is checked in this file or in dependence_ipc.c");

int main(int argc, char **argv)
{
    (void)argc;
    int bad = check_semaphores() | check_queues() | check_processes() | check_simple(TYPE_TOSS, TOSS_TOSS, "toss")
            | check_simple(TYPE_ASSERT, ASSERT_ASSERT, "assert") | check_simple(TYPE_ABORT, ABORT_ABORT, "abort")
            | check_mutexes() | check_conds() | check_rwlocks() | check_rwlocks_in_turn() | check_barriers() | check_once() | check_counters()
            | check_accesses() | check_steps() | check_events() | check_locations();
    if (bad)
        printf("again: %s\n", argv[0]);
    return bad;
}
