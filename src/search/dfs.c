/* Depth first, without keeping states: the path is all there is, and going back means undoing. Which transitions of a state
 * are tried is the reduction's choice (struct reducer). The functions here are inlined into one loop for each reduction, and what a
 * reducer says is a constant in its loop, its functions are called directly: for many a search this loop is all the time there is.
 * SPDX-License-Identifier: MIT */
#include "search/abroad.h"
#include "search/internal.h"
#include "search/mission.h"
#include "search/optimal.h"
#include "search/persistent.h"
#include "search/share.h"
#include "search/sleep.h"
#include "search/source.h"

#include <assert.h>

#define INLINE static inline __attribute__((always_inline))

struct dfs {
    struct search *search;
    struct system *system;
    uint32_t       bound;            /* UINT32_MAX: none */
    void          *self;             /* of the reducer */
};

INLINE uint64_t first_todo(const struct dfs *d, const struct reducer *r, uint64_t sleep)
{
    uint64_t awake = d->system->enabled & ~sleep;
    return r->first ? r->first(d->system, awake) : awake;
}

/* Counts a path that ends in the current state, for whatever reason; false: it does not end here. */
INLINE bool path_ends(struct dfs *d, const struct frame *f, const struct reducer *r)
{
    struct search *s = d->search;
    uint64_t enabled = d->system->enabled;
    if (!enabled)
        s->counts.executions++;
    else if (r->sleep && (!(enabled & ~f->sleep) || (!f->todo && s->depth != d->bound)))
        s->counts.sleep_cut++;
    else if (s->depth == d->bound)
        search_count_cut(s);
    else
        return false;
    if (r->path_end)
        r->path_end(d->self);
    return true;
}

/* Others search parts of it (abroad.h), or it does so for another (mission.h). */
INLINE bool is_divided(const struct search *s) { return s->abroad || s->mission; }

/* Of one that is divided. True: what is below the state is known. */
static __attribute__((noinline)) bool is_known(struct search *s, uint64_t sleep, uint32_t moved)
{
    if (s->mission)
        mission_enter(s->mission, sleep, moved, MISSION_LEAF);
    else {
        abroad_note(s->abroad);
        if (abroad_awaits(s->abroad, sleep) && abroad_knows(s->abroad, sleep)) {
            abroad_use(s->abroad);
            return true;
        }
    }
    return false;
}

/* False: the path ends here. */
INLINE bool enter(struct dfs *d, struct frame *f, const struct reducer *r, enum looked looked, uint64_t sleep, uint32_t moved)
{
    struct search *s = d->search;
    if (looked && is_divided(s) && is_known(s, sleep, moved))
        return false;
    search_enter_so(s, d->system, moved, looked);
    if (looked && s->watched)
        search_show_state(s);
    if (r->sleep)
        f->sleep = sleep, f->tried = 0, share_enter(s, f);
    f->todo = first_todo(d, r, sleep);
    if (path_ends(d, f, r)) {
        search_end_path(s);
        return false;
    }
    if (r->sleep)
        f->process = NO_PROCESS;
    f->choices = 0;
    return true;
}

/* The results of an operation that may have many, and the order in which they are tried. */
static __attribute__((noinline)) void choose(struct search *s, struct frame *f)
{
    f->choices = system_choices(s->system, (int)f->process);
    assert(f->choices);
    f->choice = f->offset = 0;
    f->stride = 1;
    if (f->choices == 1 || !s->settings->shuffle)
        return;
    f->offset = (uint32_t)(search_random(s) % f->choices);
    f->stride = search_random(s) & 1 ? f->choices - 1 : 1;       /* both have no divisor in common with choices */
}

INLINE uint32_t result_to_try(const struct frame *f)
{
    return f->choices <= 1 ? 0 : (uint32_t)(((uint64_t)f->choice * f->stride + f->offset) % f->choices);
}

/* The lowest bit. Counted with branches, which the machine foretells well, so that it need not wait for the state to be known
 * before it goes on with the process. */
INLINE uint32_t first_of(uint64_t set)
{
    uint32_t p = 0;
    while (!(set >> p & 1)) {
        p++;
        __asm__("" : "+r"(p));
    }
    return p;
}

/* Moves the frame to its next transition, and gives its process; NO_PROCESS: all are tried. */
INLINE uint32_t next_transition(struct dfs *d, struct frame *f, const struct reducer *r)
{
    if (__builtin_expect(f->choices > 1, 0)) {
        if (++f->choice < f->choices)
            return f->process;
        f->choices = 0;
    }
    if (r->sleep && f->process != NO_PROCESS)
        f->sleep |= BIT(f->process);
    if (!f->todo)
        return NO_PROCESS;
    uint32_t p = first_of(f->todo);
    f->todo &= f->todo - 1;
    if (r->sleep)
        share_next(d->search, f);
    if (r->sleep)                    /* who adds to a state later has to know, and who estimates */
        f->tried |= BIT(p);
    f->process = p;
    if (__builtin_expect(!system_pending(d->system, (int)p)->choices, 0))
        choose(d->search, f);
    return p;
}

/* Executes the frame's transition, and leaves the state it leads to at once when the path ends there. Gives the frame of the
 * state we are in then. */
INLINE struct frame *take(struct dfs *d, struct frame *f, uint32_t p, const struct reducer *r, enum looked looked)
{
    struct search *s = d->search;
again:;
    uint64_t sleep = 0;
    if (search_room(s))
        f = &s->frames[s->depth];
    if (r->sleep && f->sleep)
        sleep = sleep_after(d->system, f->sleep, (int)p, r->sleep);
    if (r->before)
        r->before(d->self, (int)p);
    enum took took = search_step_so(s, d->system, p, result_to_try(f), looked);
    if (__builtin_expect(took != STEP_TAKEN, 0)) {
        f = &s->frames[s->depth];
        if (took != STEP_AGAIN)
            return f;
        p = f->process;              /* a process was killed from outside while it came here again: it has to be seen there */
        goto again;
    }
    if (r->sleep && sleep)
        sleep = sleep_arrived(d->system, sleep, &s->steps[s->depth - 1]);
    if (r->after)
        r->after(d->self);
    if (looked && s->watched)
        search_show_transition(s);
    if (enter(d, f + 1, r, looked, sleep, p))
        return f + 1;
    search_back(s, d->system);
    return looked ? &s->frames[s->depth] : f;
}

/* Before the next step of a search that is divided; false: it has to end here. */
static __attribute__((noinline)) bool goes_on(struct search *s)
{
    if (s->mission)
        return mission_goes_on(s->mission);
    abroad_look(s->abroad);
    return true;
}

/* All below the state at depth `base`, where the path ends that `moved` has just brought there. */
INLINE void go_through(struct dfs *d, const struct reducer *r, enum looked looked, uint32_t base, uint64_t sleep, uint32_t moved)
{
    struct search *s = d->search;
    struct frame *f = s->frames + base;
    if (!enter(d, f, r, looked, sleep, moved))
        return;
    while (!search_over(s) && (!looked || !is_divided(s) || goes_on(s))) {
        uint32_t p = next_transition(d, f, r);
        if (p != NO_PROCESS) {
            f = take(d, f, p, r, looked);
        } else if (f != s->frames + base) {
            if (r->sleep)
                share_leave(s, f, d->system->enabled);
            search_back(s, d->system);
            f--;
        } else {
            return;
        }
    }
}

/* ---- for another process ---- */

/* A step on the way to a part, as it was taken by who asked. */
INLINE bool step_down(struct dfs *d, const struct reducer *r, uint32_t p, uint32_t choice)
{
    struct search *s = d->search;
    search_room(s);
    struct frame *f = &s->frames[s->depth];
    f->process = p;
    f->tried |= BIT(p);
    if (!(d->system->enabled & BIT(p)) || choice >= system_choices(d->system, (int)p))
        return false;
    if (r->before)
        r->before(d->self, (int)p);
    if (search_step(s, d->system, p, choice) != STEP_TAKEN)
        return false;
    if (r->after)
        r->after(d->self);
    return true;
}

/* What sleeps was tried by who asked, and so it is known where it leads: here, too. */
static bool try_sleepers(struct search *s, uint64_t sleep)
{
    for (; sleep; sleep &= sleep - 1) {
        int q = __builtin_ctzll(sleep);
        uint32_t choices = s->system->enabled & BIT(q) ? system_choices(s->system, q) : 0;
        for (uint32_t c = 0; c < choices; c++) {
            search_room(s);
            if (search_step(s, s->system, (uint32_t)q, c) != STEP_TAKEN)
                return false;
            search_back(s, s->system);
        }
        if (!choices)
            return false;
    }
    return true;
}

/* To the state before the step that leads to the parts; false: the program does something else. */
INLINE bool go_to(struct dfs *d, const struct reducer *r, const struct destination *to)
{
    struct search *s = d->search;
    for (uint32_t i = 0; i < to->count; i++) {
        search_room(s);
        s->frames[s->depth] = (struct frame){ .process = NO_PROCESS };
        if (!step_down(d, r, to->path[i].process, to->path[i].choice))
            return false;
    }
    search_room(s);
    s->frames[s->depth] = (struct frame){ .sleep = to->sleep, .process = NO_PROCESS };
    return try_sleepers(s, to->sleep) && d->system->enabled & BIT(to->process);
}

/* One result after the other. */
INLINE void do_mission(struct dfs *d, const struct reducer *r)
{
    struct search *s = d->search;
    struct destination to = mission_destination(s->mission);
    if (!go_to(d, r, &to))
        return;
    uint32_t choices = system_choices(d->system, (int)to.process);
    for (uint32_t c = to.choice; c < choices && !search_over(s) && mission_goes_on(s->mission); c++) {
        uint64_t sleep = r->sleep && to.sleep ? sleep_after(d->system, to.sleep, (int)to.process, r->sleep) : 0;
        if (!step_down(d, r, to.process, c))
            return;
        if (r->sleep && sleep)
            sleep = sleep_arrived(d->system, sleep, &s->steps[s->depth - 1]);
        uint32_t base = s->depth;
        mission_begin(s->mission);
        go_through(d, r, LOOKED_AT, base, sleep, to.process);
        bool whole = s->depth == base;
        while (s->depth >= base)
            search_back(s, d->system);
        mission_end(s->mission, whole);
    }
}

/* The constant is needed here, where all is inlined: through search_reducers it would be a pointer like any other. */
INLINE void run(struct dfs *d, const struct reducer *r)
{
    struct search *s = d->search;
    if (r->run)
        r->run(s, d->bound);
    else if (s->mission)
        do_mission(d, r);
    else if (search_looked_at(s))
        go_through(d, r, LOOKED_AT, 0, 0, NO_PROCESS);
    else
        go_through(d, r, NOT_LOOKED_AT, 0, 0, NO_PROCESS);
}

#define X(upper, lower, ...) &lower##_reducer,
const struct reducer *const search_reducers[] = { REDUCTIONS(X) };
#undef X

bool dfs_run(struct search *s, enum reduction reduction, uint32_t bound)
{
    const struct reducer *r = search_reducers[reduction];
    struct dfs d = { .search = s, .system = s->system, .bound = bound ? bound : UINT32_MAX };
    uint64_t premises = dependence_premises(s->system);
    uint32_t leads = s->system->leads;
    assert(reduction < REDUCTION_COUNT && !s->depth);
    d.self = r->begin ? r->begin(s) : NULL;
    if (s->abroad)
        abroad_begin(s->abroad, reduction, d.bound);
    switch (reduction) {
#define X(upper, lower, ...) case REDUCTION_##upper: run(&d, &lower##_reducer); break;
    REDUCTIONS(X)
#undef X
    case REDUCTION_COUNT: break;
    }
    if (s->abroad && !r->run)
        abroad_end(s->abroad);
    bool well = !r->end || r->end(d.self, s->system);
    while (s->depth)
        search_back(s, d.system);
    well = well && (!s->settings->accountable || leads == s->system->leads);     /* whoever follows it will know that from the start */
    return well && (!r->sleep || premises == dependence_premises(s->system));
}
