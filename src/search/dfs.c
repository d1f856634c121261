/* Depth first, without keeping states: the path is all there is, and going back means undoing. Which transitions of a state
 * are tried is the reduction's choice. The functions here are inlined into one loop for each reduction: for many a search
 * this loop is all the time there is.
 * SPDX-License-Identifier: MIT */
#include "search/internal.h"
#include "search/persistent.h"
#include "search/sleep.h"
#include "search/source.h"

#define INLINE static inline __attribute__((always_inline))

struct dfs {
    struct search *search;
    uint32_t       bound;            /* UINT32_MAX: none */
    struct source *source;           /* NULL unless the reduction is `source` */
};

INLINE uint64_t first_todo(const struct dfs *d, enum reduction r, uint64_t sleep)
{
    const struct system *system = d->search->system;
    uint64_t awake = system->enabled & ~sleep;
    switch (r) {
    case REDUCTION_PERSISTENT: return persistent_set(system) & ~sleep;
    case REDUCTION_SOURCE:     return awake & -awake;            /* one; races found later add others */
    default:                   return awake;
    }
}

/* Counts a path that ends in the current state, for whatever reason; false: it does not end here. */
INLINE bool path_ends(struct dfs *d, const struct frame *f, enum reduction r)
{
    struct search *s = d->search;
    uint64_t enabled = s->system->enabled;
    if (!enabled)
        s->counts.executions++;
    else if (r != REDUCTION_NONE && (!(enabled & ~f->sleep) || (!f->todo && s->depth != d->bound)))
        s->counts.sleep_cut++;
    else if (s->depth == d->bound)
        s->counts.depth_cut++;
    else
        return false;
    if (r == REDUCTION_SOURCE)
        source_end(d->source);
    return true;
}

static void show_state(struct search *s, struct frame *f)
{
    f->number = s->counts.states - 1;            /* it is counted already */
    if (s->watcher->state)
        s->watcher->state(s->watcher->self, f->number, s->depth);
}

static void show_transition(struct search *s)
{
    const struct frame *from = &s->frames[s->depth - 1];
    if (s->watcher->transition)
        s->watcher->transition(s->watcher->self, from->number, s->counts.states, &s->steps[s->depth - 1]);
}

/* False: the path ends here. */
INLINE bool enter(struct dfs *d, enum reduction r, uint64_t sleep, uint32_t moved)
{
    struct search *s = d->search;
    struct frame *f = &s->frames[s->depth];
    search_enter(s, moved);
    if (s->watched)
        show_state(s, f);
    if (r != REDUCTION_NONE)
        f->sleep = sleep, f->tried = 0;
    f->todo = first_todo(d, r, sleep);
    if (path_ends(d, f, r)) {
        search_end_path(s);
        return false;
    }
    f->process = NO_PROCESS;
    f->choice = f->choices = 0;
    return true;
}

static void order_of_results(struct search *s, struct frame *f)
{
    f->stride = 1;
    f->offset = 0;
    if (!s->settings->shuffle)
        return;
    f->offset = (uint32_t)(search_random(s) % f->choices);
    f->stride = search_random(s) & 1 ? f->choices - 1 : 1;       /* both have no divisor in common with choices */
}

/* Moves the frame to its next transition; false: all are tried. */
INLINE bool next_transition(struct dfs *d, struct frame *f, enum reduction r)
{
    if (f->choice + 1 < f->choices) {
        f->choice++;
        return true;
    }
    if (r != REDUCTION_NONE && f->process != NO_PROCESS)
        f->sleep |= BIT(f->process);
    if (!f->todo)
        return false;
    f->process = (uint32_t)__builtin_ctzll(f->todo);
    f->todo &= f->todo - 1;
    if (r == REDUCTION_SOURCE)
        f->tried |= BIT(f->process);
    f->choice = 0;
    f->choices = system_choices(d->search->system, (int)f->process);
    if (f->choices > 1)
        order_of_results(d->search, f);
    return true;
}

INLINE uint32_t result_to_try(const struct frame *f)
{
    return f->choices == 1 ? 0 : (uint32_t)(((uint64_t)f->choice * f->stride + f->offset) % f->choices);
}

/* Executes the frame's transition, and leaves the state it leads to at once when the path ends there. */
INLINE void take(struct dfs *d, struct frame *f, enum reduction r)
{
    struct search *s = d->search;
    uint32_t p = f->process;
    uint64_t sleep = 0;
    if (r != REDUCTION_NONE && f->sleep)
        sleep = sleep_keep(s->system, f->sleep, (int)p, r == REDUCTION_SOURCE ? SLEEP_ALWAYS : SLEEP_CONDITIONAL);
    if (r == REDUCTION_SOURCE)
        source_before(d->source, (int)p);
    if (!search_step(s, p, result_to_try(f)))
        return;
    if (r != REDUCTION_NONE && sleep)
        sleep = sleep_arrived(s->system, sleep, &s->steps[s->depth - 1]);
    if (r == REDUCTION_SOURCE)
        source_after(d->source);
    if (s->watched)
        show_transition(s);
    if (!enter(d, r, sleep, p))
        search_back(s);
}

INLINE void go_through(struct dfs *d, enum reduction r)
{
    struct search *s = d->search;
    if (!enter(d, r, 0, NO_PROCESS))
        return;
    while (!search_over(s)) {
        struct frame *f = &s->frames[s->depth];
        if (next_transition(d, f, r))
            take(d, f, r);
        else if (s->depth)
            search_back(s);
        else
            return;
    }
}

void dfs_run(struct search *s, enum reduction reduction, uint32_t bound)
{
    struct dfs d = { .search = s, .bound = bound ? bound : UINT32_MAX };
    switch (reduction) {
    case REDUCTION_NONE:       go_through(&d, REDUCTION_NONE); break;
    case REDUCTION_SLEEP:      go_through(&d, REDUCTION_SLEEP); break;
    case REDUCTION_PERSISTENT: go_through(&d, REDUCTION_PERSISTENT); break;
    default:
        d.source = source_new(s);
        go_through(&d, REDUCTION_SOURCE);
        source_free(d.source);
        break;
    }
    while (s->depth)
        search_back(s);
}
