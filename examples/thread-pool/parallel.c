/* SPDX-License-Identifier: MIT */
#include "parallel.h"
#include "group.h"
#include "sync.h"

#include <errno.h>
#include <stdlib.h>

struct piece {
    body_function *body;
    void          *context;
    size_t         begin, end;
};

static int run_piece(void *argument, void **value)
{
    const struct piece *p = argument;
    (void)value;
    return p->body(p->begin, p->end, p->context);
}

/* The first error counts. */
static int first(int one, int other) { return one ? one : other; }

static int run_pieces(struct pool *pool, struct piece *pieces, size_t count)
{
    struct group group;
    int own = 0;
    group_init(&group, pool);
    for (size_t i = 0; i + 1 < count; i++) {
        int error = group_add(&group, run_piece, &pieces[i]);
        if (error)
            own = first(own, run_piece(&pieces[i], NULL));
    }
    own = first(own, run_piece(&pieces[count - 1], NULL));
    int others = group_wait(&group);
    group_fini(&group);
    if (others == -EAGAIN || others == -ESHUTDOWN)
        others = 0;                  /* refused, and so run here */
    return first(own, others);
}

int parallel_for(struct pool *pool, size_t begin, size_t end, size_t grain, body_function *body, void *context)
{
    if (grain == 0)
        return -EINVAL;
    if (begin >= end)
        return 0;
    size_t count = (end - begin + grain - 1) / grain;
    struct piece *pieces = calloc(count, sizeof *pieces);
    if (!pieces)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        size_t from = begin + i * grain;
        pieces[i] = (struct piece){ body, context, from, from + grain < end ? from + grain : end };
    }
    int error = run_pieces(pool, pieces, count);
    free(pieces);
    return error;
}

/* ---- sums ---- */

struct sum {
    value_function *value;
    void           *context;
    pthread_mutex_t lock;
    long            total;
};

/* Adds up by itself first: the lock is taken once for a piece, not once for a value. */
static int sum_piece(size_t begin, size_t end, void *context)
{
    struct sum *s = context;
    long part = 0;
    for (size_t i = begin; i < end; i++)
        part += s->value(i, s->context);
    mutex_lock(&s->lock);
    s->total += part;
    mutex_unlock(&s->lock);
    return 0;
}

int parallel_sum(struct pool *pool, size_t begin, size_t end, size_t grain, value_function *value, void *context, long *sum)
{
    struct sum s = { .value = value, .context = context };
    mutex_init(&s.lock);
    int error = parallel_for(pool, begin, end, grain, sum_piece, &s);
    mutex_destroy(&s.lock);
    *sum = s.total;
    return error;
}
