/* expect: complete.
 *     verisoft *.c -pthread
 * expect: complete.
 *     verisoft *.c -pthread -- cancel 1 2
 * expect: complete.
 *     verisoft *.c -pthread -- discard 1 2
 * expect: complete.
 *     verisoft *.c -pthread -- refuse 1 2
 * expect: complete.
 *     verisoft *.c -pthread -- nested 1 1
 * expect: complete.
 *     verisoft *.c -pthread -- timeout 1 1
 * expect: complete.
 *     verisoft *.c -pthread -- parallel 1 2
 * expect -DBUG: deadlock.
 *     verisoft *.c -pthread -DBUG
 *
 * Exercises the pool: main SCENARIO WORKERS TASKS, by default `sum 1 2`. Each scenario checks what must be so in every order of
 * events, so it is small where all orders are to be tried, and can be large where it just runs: `main sum 8 10000`.
 * SPDX-License-Identifier: MIT */
#include "group.h"
#include "parallel.h"
#include "pool.h"
#include "sync.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setup {
    unsigned workers;
    unsigned tasks;
};

static struct pool *start(const struct setup *s, size_t capacity, enum when_full when_full)
{
    struct pool_options options = pool_defaults();
    struct pool *pool = NULL;
    options.workers = s->workers;
    options.capacity = capacity;
    options.when_full = when_full;
    int error = pool_start(&pool, &options);
    if (error) {
        fprintf(stderr, "thread-pool: cannot start: %s\n", strerror(-error));
        exit(2);
    }
    return pool;
}

static void stop(struct pool *pool, enum stop how)
{
    pool_stop(pool, how);
    pool_free(pool);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "thread-pool: out of memory\n");
        exit(2);
    }
    return memory;
}

/* ---- sum: all that is submitted is run, and its value arrives ---- */

static int square(void *argument, void **value)
{
    long *number = argument;
    *number *= *number;
    *value = number;
    return *number == 0 ? -EDOM : 0;
}

static void sum(const struct setup *s)
{
    struct pool *pool = start(s, 1, FULL_WAIT);
    struct future **futures = allocate(s->tasks, sizeof *futures);
    long *numbers = allocate(s->tasks, sizeof *numbers), total = 0, expected = 0;

    for (unsigned i = 0; i < s->tasks; i++) {
        numbers[i] = i;
        expected += (long)i * i;
        int error = pool_submit(pool, square, &numbers[i], &futures[i]);
        assert(error == 0);
    }
    for (unsigned i = 0; i < s->tasks; i++) {
        void *value;
        int result = future_get(futures[i], &value);
        assert(result == (i == 0 ? -EDOM : 0) && value == &numbers[i]);
        total += *(long *)value;
        future_release(futures[i]);
    }
    assert(total == expected);
    stop(pool, STOP_DRAIN);
    free(numbers);
    free(futures);
}

/* ---- work that is counted ---- */

struct counter {
    pthread_mutex_t lock;
    unsigned        value;
};

static int increment(void *argument, void **value)
{
    struct counter *c = argument;
    mutex_lock(&c->lock);
    c->value++;
    mutex_unlock(&c->lock);
    *value = c;
    return 0;
}

/* ---- cancel: a future is run or cancelled, never both ---- */

static void cancel(const struct setup *s)
{
    struct counter counter = { .value = 0 };
    struct future **futures = allocate(s->tasks, sizeof *futures);
    struct pool *pool = start(s, s->tasks, FULL_WAIT);
    unsigned cancelled = 0;

    mutex_init(&counter.lock);
    for (unsigned i = 0; i < s->tasks; i++)
        assert(pool_submit(pool, increment, &counter, &futures[i]) == 0);
    bool stopped_it = future_cancel(futures[s->tasks - 1]);
    pool_stop(pool, STOP_DRAIN);
    for (unsigned i = 0; i < s->tasks; i++) {
        assert(future_is_finished(futures[i]));
        int result = future_get(futures[i], NULL);
        assert(result == 0 || result == -ECANCELED);
        cancelled += result == -ECANCELED;
        future_release(futures[i]);
    }
    assert(cancelled == stopped_it && counter.value + cancelled == s->tasks);
    pool_free(pool);
    mutex_destroy(&counter.lock);
    free(futures);
}

/* ---- discard: after a stop each future is finished, one way or the other, and the numbers agree ---- */

static void discard(const struct setup *s)
{
    struct counter counter = { .value = 0 };
    struct future **futures = allocate(s->tasks, sizeof *futures);
    struct pool *pool = start(s, s->tasks, FULL_WAIT);
    unsigned done = 0;

    mutex_init(&counter.lock);
    for (unsigned i = 0; i < s->tasks; i++)
        assert(pool_submit(pool, increment, &counter, &futures[i]) == 0);
    pool_stop(pool, STOP_DISCARD);
    assert(pool_submit(pool, increment, &counter, NULL) == -ESHUTDOWN);
    for (unsigned i = 0; i < s->tasks; i++) {
        assert(future_is_finished(futures[i]));
        done += future_get(futures[i], NULL) == 0;
        future_release(futures[i]);
    }
    struct pool_stats stats = pool_statistics(pool);
    assert(done == counter.value && stats.run == done && stats.run + stats.discarded == s->tasks);
    assert(stats.submitted == s->tasks && stats.refused == 1);
    pool_free(pool);
    mutex_destroy(&counter.lock);
    free(futures);
}

/* ---- refuse: a full pool says so, and what it took is run ---- */

static void refuse(const struct setup *s)
{
    struct counter counter = { .value = 0 };
    struct pool *pool = start(s, 1, FULL_REFUSE);
    unsigned taken = 0;

    mutex_init(&counter.lock);
    for (unsigned i = 0; i < s->tasks; i++) {
        int error = pool_submit(pool, increment, &counter, NULL);
        assert(error == 0 || error == -EAGAIN);
        taken += error == 0;
    }
    assert(taken >= 1);
    stop(pool, STOP_DRAIN);
    assert(counter.value == taken);
    mutex_destroy(&counter.lock);
}

/* ---- nested: a task that waits for a task of the same pool, which has one worker ---- */

struct nesting {
    struct pool *pool;
    unsigned     depth;
};

static int descend(void *argument, void **value)
{
    struct nesting *n = argument, *deeper = NULL;
    struct future *f;
    if (n->depth == 0)
        return 0;
    struct nesting next = { n->pool, n->depth - 1 };
    int error = pool_submit_urgent(n->pool, descend, &next, &f);
    if (error)
        return error;
    error = pool_get(n->pool, f, (void **)&deeper);
    future_release(f);
    *value = argument;
    return error;
}

static void nested(const struct setup *s)
{
    struct pool *pool = start(s, 1, FULL_WAIT);
    struct nesting outermost = { pool, s->tasks };
    struct future *f;
    void *value;
    assert(pool_submit(pool, descend, &outermost, &f) == 0);
    assert(future_get(f, &value) == 0 && value == &outermost);
    future_release(f);
    stop(pool, STOP_DRAIN);
}

/* ---- timeout: who does not wait long enough must cancel, and then either has the value or knows that there is none ---- */

static void timeout(const struct setup *s)
{
    struct counter counter = { .value = 0 };
    struct pool *pool = start(s, s->tasks, FULL_WAIT);
    struct future *f;

    mutex_init(&counter.lock);
    assert(pool_submit(pool, increment, &counter, &f) == 0);
    bool in_time = future_wait_for(f, 5);
    bool cancelled = !in_time && future_cancel(f);
    int result = future_get(f, NULL);
    assert(result == (cancelled ? -ECANCELED : 0));
    future_release(f);
    stop(pool, STOP_DRAIN);
    assert(counter.value == !cancelled);
    mutex_destroy(&counter.lock);
}

/* ---- parallel: a loop, each turn once ---- */

static long cube(size_t i, void *context)
{
    (void)context;
    return (long)(i * i * i);
}

static void parallel(const struct setup *s)
{
    struct pool *pool = start(s, s->tasks, FULL_REFUSE);
    long total = 0, expected = 0;
    for (size_t i = 0; i < s->tasks; i++)
        expected += cube(i, NULL);
    int error = parallel_sum(pool, 0, s->tasks, 1, cube, NULL, &total);
    assert(error == 0 && total == expected);
    stop(pool, STOP_DRAIN);
}

/* ---- which one ---- */

static const struct scenario {
    const char *name;
    void      (*run)(const struct setup *);
} scenarios[] = {
    { "sum", sum }, { "cancel", cancel }, { "discard", discard }, { "refuse", refuse }, { "nested", nested },
    { "timeout", timeout }, { "parallel", parallel },
};

static int usage(void)
{
    fprintf(stderr, "usage: thread-pool [SCENARIO [WORKERS [TASKS]]]; the scenarios:");
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        fprintf(stderr, " %s", scenarios[i].name);
    fprintf(stderr, "\n");
    return 2;
}

static bool read_number(const char *text, unsigned least, unsigned most, unsigned *out)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < least || value > most)
        return false;
    *out = (unsigned)value;
    return true;
}

int main(int argc, char **argv)
{
    struct setup setup = { .workers = 1, .tasks = 2 };
    const char *name = argc > 1 ? argv[1] : "sum";
    if (argc > 4 || (argc > 2 && !read_number(argv[2], 1, POOL_MOST_WORKERS, &setup.workers)) ||
        (argc > 3 && !read_number(argv[3], 1, 1000000, &setup.tasks)))
        return usage();
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        if (!strcmp(scenarios[i].name, name)) {
            scenarios[i].run(&setup);
            printf("%s: %u workers, %u tasks: as it must be\n", name, setup.workers, setup.tasks);
            return 0;
        }
    return usage();
}
