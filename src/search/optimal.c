/* SPDX-License-Identifier: MIT */
#include "search/optimal.h"

#include "base/memory.h"
#include "search/sleep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BELIEVED = 32 };         /* paths before the program is asked */
enum { NOT_TAKEN = UINT32_MAX };     /* in place of a position on the path: of a step that is not on it */
/* Of those that stand in the way of a step: how many are looked at, and how many subsets of them are tried. */
enum { MOST_IN_WAY = 64, MOST_TRIES = 4096 };

/* A step: on the path, in a wakeup tree, or the next one of a process. */
struct event {
    uint32_t process, choice, node, stamp, result;
    uint32_t slot;                   /* its object */
    uint32_t at;                     /* where on the path, or NOT_TAKEN */
    uint64_t reach;                  /* processes with whose steps it may be in conflict though they are on other objects */
};

/* A step of a wakeup tree; number 0 is none. */
struct branch {
    struct event event;
    uint32_t     child, next;        /* what comes after it; another one instead of it */
    bool         implied;            /* only another result of the step before it in the list */
};

/* A state on the path, and the step taken there. */
struct level {
    uint32_t tree;                   /* the branches still to be taken, those of one process side by side */
    uint32_t stamp;
    uint32_t previous;               /* 1 + position of the same process's step before, 0: none */
    uint32_t last;                   /* 1 + position of the last step that happens before this one, 0: none */
    uint32_t flags;                  /* of the node, when the clock was made */
    uint32_t first_race;             /* 1 + number of a race whose first step this is */
    uint64_t alive;
    uint64_t done;                   /* results that were tried, when only some need to be */
    bool     picky;                  /* so it is */
    bool     taken;                  /* some branch was */
    bool     from_tree;              /* the current one comes from the tree */
    struct event event;              /* the current one */
};

/* What may be the second step of a race: on the path, or left undone there. */
struct second {
    struct event event;
    uint32_t     previous;           /* as in struct level */
    uint32_t     limit;              /* only steps before this position come into question as the first */
};

struct race {
    struct second second;
    uint32_t      first, next;
    uint32_t      stamp;             /* of the second step, after it has been moved */
    uint64_t      drops;             /* which of those that stand in its way are left out, too */
};

/* The search as it stood at the end of a path. */
struct saved {
    struct counts  counts;
    uint32_t       depth, pool_count, unused;
    uint32_t       room, pool_room;
    struct step   *steps;
    struct frame  *frames;
    struct level  *levels;
    struct branch *pool;
    uint32_t       nodes[MAX_PROCESSES];         /* where each process stood */
    uint32_t       processes;
};

struct optimal {
    struct search *search;
    struct system *system;
    uint32_t       bound, room, stride, top;     /* top: the deepest level in use */
    struct level  *levels;
    uint8_t       *who;              /* the process of each step, once it has a clock */
    uint32_t      *clocks;           /* `stride` numbers for each step of the path, as in source.c */
    uint32_t       known;            /* steps of the path with clocks and races */
    struct branch *pool;
    uint32_t       pool_count, pool_room, unused;

    /* of a sharing group, several paths are believed before the program is asked */
    struct saved   saved;            /* at the end of the first of them */
    uint32_t       most;             /* how many may be */
    bool           again;            /* the path at hand has to be ended again */

    /* while a path is looked at */
    uint32_t       standing;         /* how many of its steps are executed just now */
    struct second *seconds;
    uint32_t       second_count, second_room;
    uint32_t      *reversed;         /* a clock for each second */
    size_t         reversed_room;
    struct race   *races;
    uint32_t       race_count, race_room;
    uint32_t      *free_of, free_count, free_first;      /* the steps after the first one that do not depend on it */
    struct event  *sequence;
    uint32_t      *in_way;           /* those of them that are in conflict with the second */
    uint32_t       in_way_count, *trying;
    struct step   *tried;
    struct change *changes;          /* the log of tries */
    uint32_t       second_clock[MAX_PROCESSES], next_of[MAX_PROCESSES], zero[MAX_PROCESSES];
};

/* ---- room ---- */

static void make_room(struct optimal *o)
{
    uint32_t old = o->room, room = o->search->room + 2;
    if (room <= old)
        return;
    o->room = room;
    o->levels = memory_resize(o->levels, room * sizeof *o->levels);
    memset(o->levels + old, 0, (room - old) * sizeof *o->levels);
    o->who = memory_resize(o->who, room);
    o->clocks = memory_resize(o->clocks, (size_t)room * o->stride * sizeof *o->clocks);
    o->free_of = memory_resize(o->free_of, room * sizeof *o->free_of);
    o->in_way = memory_resize(o->in_way, room * sizeof *o->in_way);
    o->trying = memory_resize(o->trying, room * sizeof *o->trying);
    o->sequence = memory_resize(o->sequence, (room + 1) * sizeof *o->sequence);
    o->tried = memory_resize(o->tried, room * sizeof *o->tried);
    o->changes = memory_resize(o->changes, (size_t)room * OBJECT_CHANGES * sizeof *o->changes);
}

/* Processes may come while a group is searched. */
static void widen(struct optimal *o)
{
    uint32_t processes = (uint32_t)o->system->processes;
    if (processes <= o->stride)
        return;
    o->stride = (processes + 7) & ~7u;
    o->known = 0;
    o->clocks = memory_resize(o->clocks, (size_t)o->room * o->stride * sizeof *o->clocks);
}

static void release(struct optimal *o)
{
    free(o->levels);
    free(o->who);
    free(o->clocks);
    free(o->pool);
    free(o->seconds);
    free(o->reversed);
    free(o->races);
    free(o->free_of);
    free(o->in_way);
    free(o->trying);
    free(o->sequence);
    free(o->tried);
    free(o->changes);
    free(o->saved.steps);
    free(o->saved.frames);
    free(o->saved.levels);
    free(o->saved.pool);
}

/* ---- branches ---- */

static uint32_t branch_new(struct optimal *o, const struct event *e)
{
    uint32_t b = o->unused;
    if (b) {
        o->unused = o->pool[b].next;
    } else {
        ARRAY_GROW(o->pool, o->pool_count, o->pool_room);
        b = o->pool_count++;
    }
    o->pool[b] = (struct branch){ .event = *e };
    return b;
}

static void branch_free(struct optimal *o, uint32_t b)
{
    o->pool[b].next = o->unused;
    o->unused = b;
}

static void free_list(struct optimal *o, uint32_t list)
{
    while (list) {
        uint32_t next = o->pool[list].next;
        free_list(o, o->pool[list].child);
        branch_free(o, list);
        list = next;
    }
}

/* One after the other. */
static uint32_t make_chain(struct optimal *o, const struct event *events, uint32_t count)
{
    uint32_t chain = 0;
    while (count-- > 0) {
        uint32_t b = branch_new(o, &events[count]);
        o->pool[b].child = chain;
        chain = b;
    }
    return chain;
}

/* ---- events ---- */

static void complete_event(const struct optimal *o, struct event *e)
{
    const struct node *n = &o->system->nodes[e->process][e->node];
    struct step step = { .process = e->process, .choice = e->choice, .node = e->node, .result = e->result };
    e->slot = n->slot == o->system->table ? o->system->nothing : n->slot;
    e->reach = system_reach(o->system, &step);
}

static struct event event_of(const struct optimal *o, uint32_t at)
{
    const struct step *s = &o->search->steps[at];
    struct event e = { .process = s->process, .choice = s->choice, .node = s->node, .stamp = o->levels[at].stamp,
                       .result = s->result, .at = at };
    complete_event(o, &e);
    return e;
}

/* What a process would do next in the current state. */
static struct event next_event(const struct optimal *o, uint32_t process)
{
    struct event e = { .process = process, .node = o->system->node[process], .result = UINT32_MAX, .at = NOT_TAKEN };
    e.stamp = system_stamp(o->system, (int)process);
    complete_event(o, &e);
    return e;
}

static bool conflict(const struct optimal *o, const struct event *a, const struct event *b)
{
    bool reached = a->reach >> b->process & 1 || b->reach >> a->process & 1;
    if (!reached && (a->slot != b->slot || a->slot == o->system->nothing))
        return false;
    struct step first = { .process = a->process, .choice = a->choice, .node = a->node, .result = a->result };
    struct step second = { .process = b->process, .choice = b->choice, .node = b->node, .result = b->result };
    return system_conflict(o->system, &first, a->stamp, &second, b->stamp);
}

/* ---- what happens before what ---- */

static uint32_t *clock_of(const struct optimal *o, uint32_t at) { return o->clocks + (size_t)at * o->stride; }

static const struct event *on_path(const struct optimal *o, uint32_t at) { return &o->levels[at].event; }

static const uint32_t *clock_before(const struct optimal *o, uint32_t previous)
{
    return previous ? clock_of(o, previous - 1) : o->zero;
}

static bool before(const struct optimal *o, uint32_t first, const uint32_t *clock)
{
    return clock[o->who[first]] > first;
}

static void join(const struct optimal *o, uint32_t *clock, const uint32_t *other)
{
    for (uint32_t p = 0; p < o->stride; p++)
        clock[p] = clock[p] < other[p] ? other[p] : clock[p];
}

static void make_clock(struct optimal *o, uint32_t at)
{
    struct level *l = &o->levels[at];
    uint32_t *clock = clock_of(o, at);
    l->event = event_of(o, at);
    o->who[at] = (uint8_t)l->event.process;
    l->flags = o->system->nodes[l->event.process][l->event.node].flags;
    memcpy(clock, clock_before(o, l->previous), o->stride * sizeof *clock);
    for (uint32_t i = at; i-- > 0;)
        if (!before(o, i, clock) && conflict(o, on_path(o, i), &l->event))
            join(o, clock, clock_of(o, i));
    l->last = 0;
    for (uint32_t p = 0; p < o->stride; p++)
        if (l->last < clock[p])
            l->last = clock[p];
    clock[l->event.process] = at + 1;
}

/* What a step leads to may have been seen since, and with it what it is in conflict with. */
static void forget_outdated(struct optimal *o)
{
    for (uint32_t i = 0; i < o->known; i++) {
        const struct event *e = on_path(o, i);
        if (o->system->nodes[e->process][e->node].flags != o->levels[i].flags)
            o->known = i;
    }
}

static void make_clocks(struct optimal *o)
{
    uint32_t last[MAX_PROCESSES] = { 0 };
    widen(o);
    forget_outdated(o);
    for (uint32_t i = 0; i < o->search->depth; i++) {
        uint32_t *mine = &last[o->search->steps[i].process];
        o->levels[i].previous = *mine;
        *mine = i + 1;
        if (i >= o->known)
            make_clock(o, i);
    }
}

/* ---- going back and forth on the path, to look at its states ---- */

static void stand_at(struct optimal *o, uint32_t at)
{
    while (o->standing > at)
        system_undo(o->system, &o->search->steps[--o->standing]);
}

/* All steps are known: the program need not run. */
static void go_on_to(struct optimal *o, uint32_t at)
{
    for (; o->standing < at; o->standing++) {
        struct step *s = &o->search->steps[o->standing];
        int rc = system_execute(o->system, (int)s->process, s->choice, s, NULL);
        assert(rc == 0);
    }
}

/* Back to the last state where something is still to be done. */
static void go_back(struct optimal *o)
{
    struct search *s = o->search;
    uint32_t at = s->depth;
    while (at && !o->levels[at].tree)
        at--;
    stand_at(o, at);
    go_on_to(o, at);
    s->depth = o->top = at;
}

/* ---- could the second have gone before the first? ---- */

static void collect_free(struct optimal *o, uint32_t first)
{
    if (o->free_first == first)
        return;
    o->free_first = first;
    o->free_count = 0;
    for (uint32_t i = first + 1; i < o->search->depth; i++)
        if (!before(o, first, clock_of(o, i)))
            o->free_of[o->free_count++] = i;
}

static void collect_in_way(struct optimal *o, const struct second *second)
{
    o->in_way_count = 0;
    for (uint32_t i = 0; i < o->free_count; i++)
        if (conflict(o, on_path(o, o->free_of[i]), &second->event))
            o->in_way[o->in_way_count++] = o->free_of[i];
}

/* Is the step left out, because it depends on one that is? What comes after the limit and is in the way always is. */
static bool left_out(const struct optimal *o, uint32_t at, const struct second *second, uint64_t drops)
{
    for (uint32_t i = 0; i < o->in_way_count; i++)
        if ((o->in_way[i] >= second->limit || (i < MOST_IN_WAY && drops & BIT(i))) && before(o, o->in_way[i], clock_of(o, at)))
            return true;
    return false;
}

/* Executes what does not depend on the first step, and asks whether the second could go now; takes everything back. */
static bool works(struct optimal *o, const struct second *second, uint64_t drops, uint32_t *stamp)
{
    struct system *system = o->system;
    uint32_t done = 0, p = second->event.process;
    bool could = true;
    for (uint32_t i = 0; i < o->free_count && could; i++) {
        const struct step *old = &o->search->steps[o->free_of[i]];
        if (o->in_way_count && left_out(o, o->free_of[i], second, drops))
            continue;
        could = system->node[old->process] == old->node && system->enabled & BIT(old->process)
            && system_execute(system, (int)old->process, old->choice, &o->tried[done], NULL) >= 0;
        done += could;
    }
    could = could && system->enabled & BIT(p) && system->node[p] == second->event.node;
    if (could)
        *stamp = system_stamp(system, (int)p);
    while (done-- > 0)
        system_undo(system, &o->tried[done]);
    return could;
}

static bool moves_itself(const struct optimal *o, uint32_t process)
{
    uint32_t next = o->next_of[process];         /* after the first step */
    return next && !before(o, o->free_first, clock_of(o, next - 1));
}

/* Where nothing that moves along matters to the second step, the state before the first tells. */
static bool could_go(struct optimal *o, const struct second *second, uint32_t *stamp)
{
    const struct system *system = o->system;
    uint32_t p = second->event.process;
    const struct node *n = &system->nodes[p][second->event.node];
    if (o->in_way_count || n->type->stamp || moves_itself(o, p))
        return works(o, second, 0, stamp);
    return system->enabled & BIT(p) && system->node[p] == second->event.node;
}

/* What a step is in conflict with may change when it is moved: then the order of the two did not matter in the first place. */
static bool still_in_conflict(const struct optimal *o, uint32_t first, const struct second *second, uint32_t stamp)
{
    const struct event *e = on_path(o, first);
    struct event moved = second->event;
    moved.stamp = stamp;
    return conflict(o, e, &moved) || conflict(o, &moved, e);
}

static void note_race(struct optimal *o, uint32_t first, const struct second *second, uint64_t drops, uint32_t stamp)
{
    ARRAY_GROW(o->races, o->race_count, o->race_room);
    o->races[o->race_count++] = (struct race){ .second = *second, .first = first, .drops = drops, .stamp = stamp,
                                               .next = o->levels[first].first_race };
    o->levels[first].first_race = o->race_count;
}

/* Several steps that do not depend on each other may block the second, each of them: they have to be left out together. As few
 * as possible are; where fewer have to stay, the races of the second step with the others show it later. */
struct tries {
    const struct second *second;
    struct log           log;
    uint32_t             left, count, found_count;
    bool                 quick;      /* all that matters is on one object: it is enough to try there */
    uint64_t             found[MOST_IN_WAY];
};

static bool fewer_are_enough(const struct tries *t, uint64_t drops)
{
    for (uint32_t i = 0; i < t->found_count; i++)
        if (!(t->found[i] & ~drops))
            return true;
    return false;
}

static void try_drops(struct optimal *o, struct tries *t, uint64_t drops)
{
    uint32_t stamp;
    const struct event *e = &t->second->event;
    t->left--;
    if (t->found_count == MOST_IN_WAY || fewer_are_enough(t, drops))
        return;
    if (t->quick ? step_can_go(o->system, &o->system->nodes[e->process][e->node]) : works(o, t->second, drops, &stamp))
        t->found[t->found_count++] = drops;
}

static void try_step(struct optimal *o, struct log *log, const struct event *e)
{
    const struct node *n = &o->system->nodes[e->process][e->node];
    n->type->execute(log, o->system->words + n->state, &n->op, e->choice);
}

/* Which of those in the way it is; MOST_IN_WAY: none, or one that cannot be left out. */
static uint32_t droppable(const struct optimal *o, const struct second *second, uint32_t at)
{
    for (uint32_t i = 0; i < o->in_way_count && i < MOST_IN_WAY; i++)
        if (o->in_way[i] == at)
            return before(o, at, clock_before(o, second->previous)) ? MOST_IN_WAY : i;
    return MOST_IN_WAY;
}

/* Each step is taken along or, if it is in the way, left out with all that depends on it. */
static void try_from(struct optimal *o, struct tries *t, uint32_t i, uint64_t drops)
{
    if (!t->left)
        return;
    if (i == t->count) {
        try_drops(o, t, drops);
        return;
    }
    uint32_t at = o->trying[i], which = droppable(o, t->second, at);
    if (left_out(o, at, t->second, drops)) {
        try_from(o, t, i + 1, drops);
        return;
    }
    struct change *end = t->log.top;
    if (t->quick)
        try_step(o, &t->log, on_path(o, at));
    try_from(o, t, i + 1, drops);
    while (t->log.top > end) {
        t->log.top--;
        *t->log.top->word = t->log.top->old;
    }
    if (which < MOST_IN_WAY)
        try_from(o, t, i + 1, drops | BIT(which));
}

static void race_with_many(struct optimal *o, uint32_t first, const struct second *second)
{
    struct tries t = { .second = second, .log = { o->changes }, .left = MOST_TRIES, .quick = !second->event.reach };
    uint32_t stamp;
    for (uint32_t i = 0; i < o->in_way_count; i++)
        t.quick &= !on_path(o, o->in_way[i])->reach;
    for (uint32_t i = 0; i < o->free_count; i++)
        if (t.quick ? on_path(o, o->free_of[i])->slot == second->event.slot
                    : conflict(o, on_path(o, o->free_of[i]), &second->event))
            o->trying[t.count++] = o->free_of[i];
    try_from(o, &t, 0, 0);
    for (uint32_t i = 0; i < t.found_count; i++)
        if (works(o, second, t.found[i], &stamp) && still_in_conflict(o, first, second, stamp))
            note_race(o, first, second, t.found[i], stamp);
}

static void look_for_race(struct optimal *o, uint32_t first, const struct second *second, uint32_t *reversed)
{
    uint32_t stamp = second->event.stamp;
    collect_free(o, first);
    collect_in_way(o, second);
    stand_at(o, first);
    if (could_go(o, second, &stamp)) {
        if (!still_in_conflict(o, first, second, stamp))
            return;
        note_race(o, first, second, 0, stamp);
        join(o, reversed, clock_of(o, first));
    } else if (o->in_way_count) {
        race_with_many(o, first, second);
    }
}

/* ---- reversing a race ---- */

static bool goes_before(const struct optimal *o, const struct event *a, const struct event *b)
{
    if (a->at == NOT_TAKEN)
        return false;                /* it is the last of the sequence */
    return (b->at == NOT_TAKEN ? o->second_clock : clock_of(o, b->at))[a->process] > a->at;
}

static uint32_t find_process(const struct event *sequence, uint32_t count, uint32_t process)
{
    uint32_t i = 0;
    while (i < count && sequence[i].process != process)
        i++;
    return i;
}

/* Could an execution that begins with the sequence also begin with this event? `found` is where its process is. */
static bool weakly_initial(const struct optimal *o, const struct event *sequence, uint32_t count, const struct event *e,
                           uint32_t found)
{
    if (found < count) {
        for (uint32_t i = 0; i < found; i++)
            if (goes_before(o, &sequence[i], &sequence[found]))
                return false;
        return true;
    }
    for (uint32_t i = 0; i < count; i++)
        if (conflict(o, e, &sequence[i]) || conflict(o, &sequence[i], e))
            return false;
    return true;
}

static bool sleeps(const struct optimal *o, uint32_t first, const struct event *sequence, uint32_t count)
{
    for (uint64_t left = o->search->frames[first].sleep; left; left &= left - 1) {
        struct event e = next_event(o, (uint32_t)__builtin_ctzll(left));
        if (weakly_initial(o, sequence, count, &e, find_process(sequence, count, e.process)))
            return true;
    }
    return false;
}

static void append(struct optimal *o, uint32_t *list, uint32_t branch)
{
    while (*list)
        list = &o->pool[*list].next;
    *list = branch;
}

/* Of the branches beside this one, of the same process, the one with this result; 0: there is none, and `last` is the last. */
static uint32_t same_result(const struct optimal *o, uint32_t branch, uint32_t choice, uint32_t *last)
{
    uint32_t process = o->pool[branch].event.process;
    for (; branch && o->pool[branch].event.process == process; branch = o->pool[branch].next) {
        if (o->pool[branch].event.choice == choice)
            return branch;
        *last = branch;
    }
    return 0;
}

static void remove_event(struct event *sequence, uint32_t *count, uint32_t at)
{
    (*count)--;
    memmove(&sequence[at], &sequence[at + 1], (*count - at) * sizeof *sequence);
}

/* Moves an event to the front. */
static void bring_forward(struct event *sequence, uint32_t at)
{
    struct event e = sequence[at];
    memmove(&sequence[1], &sequence[0], at * sizeof *sequence);
    sequence[0] = e;
}

/* The first branch of the list with which an execution that begins with the sequence could begin as well; 0: none. */
static uint32_t compatible(const struct optimal *o, uint32_t list, const struct event *sequence, uint32_t count,
                           uint32_t *found)
{
    for (uint32_t b = list; b; b = o->pool[b].next) {
        *found = find_process(sequence, count, o->pool[b].event.process);
        if (weakly_initial(o, sequence, count, &o->pool[b].event, *found))
            return b;
    }
    return 0;
}

/* Puts the sequence into the tree of a level, unless some branch of it leads to an equivalent execution anyhow. */
static void insert(struct optimal *o, uint32_t level, struct event *sequence, uint32_t count)
{
    uint32_t parent = 0, found, last = 0;
    while (count) {
        uint32_t b = compatible(o, parent ? o->pool[parent].child : o->levels[level].tree, sequence, count, &found);
        if (!b) {
            uint32_t chain = make_chain(o, sequence, count);
            append(o, parent ? &o->pool[parent].child : &o->levels[level].tree, chain);
            return;
        }
        if (found < count && sequence[found].at != NOT_TAKEN && !(b = same_result(o, b, sequence[found].choice, &last))) {
            bring_forward(sequence, found);
            uint32_t chain = make_chain(o, sequence, count);
            o->pool[chain].next = o->pool[last].next;
            o->pool[last].next = chain;
            return;
        }
        if (!o->pool[b].child)
            return;
        if (found < count)
            remove_event(sequence, &count, found);
        parent = b;
    }
}

static uint32_t make_sequence(struct optimal *o, const struct race *r)
{
    const struct second *second = &r->second;
    struct event moved = second->event;
    uint32_t count = 0;
    moved.at = NOT_TAKEN;
    moved.choice = 0;
    moved.stamp = r->stamp;
    collect_in_way(o, second);
    memcpy(o->second_clock, clock_before(o, second->previous), o->stride * sizeof *o->second_clock);
    for (uint32_t i = 0; i < o->free_count; i++) {
        uint32_t at = o->free_of[i];
        if (o->in_way_count && left_out(o, at, second, r->drops))
            continue;
        o->sequence[count++] = *on_path(o, at);
        if (conflict(o, on_path(o, at), &moved))
            join(o, o->second_clock, clock_of(o, at));
    }
    o->sequence[count] = moved;
    return count + 1;
}

static void reverse(struct optimal *o, const struct race *r)
{
    uint32_t count = make_sequence(o, r);
    if (!sleeps(o, r->first, o->sequence, count))
        insert(o, r->first, o->sequence, count);
}

/* The other results of a step where something sleeps: what sleeps may make them needless. */
static void other_results(struct optimal *o, uint32_t at)
{
    struct level *l = &o->levels[at];
    uint32_t last = 0;
    collect_free(o, at);
    stand_at(o, at);
    uint32_t choices = system_choices(o->system, (int)l->event.process), count = 0;
    o->sequence[count++] = l->event;
    for (uint32_t i = 0; i < o->free_count; i++)
        o->sequence[count++] = *on_path(o, o->free_of[i]);
    if (sleeps(o, at, o->sequence, count))
        return;
    for (uint32_t c = 0; c < choices; c++) {
        if (l->done & BIT(c) || (l->tree && o->pool[l->tree].event.process == l->event.process
                                 && same_result(o, l->tree, c, &last)))
            continue;
        o->sequence[0].choice = c;
        uint32_t chain = make_chain(o, o->sequence, count);
        o->pool[chain].next = l->tree;
        l->tree = chain;
    }
}

/* Does something sleep that is the beginning of all that does not depend on the step? */
static bool beginning_sleeps(const struct optimal *o, uint32_t first)
{
    for (uint64_t left = o->search->frames[first].sleep; left; left &= left - 1) {
        uint32_t next = o->next_of[__builtin_ctzll(left)];
        if (next && o->levels[next - 1].last <= first && !before(o, first, clock_of(o, next - 1)))
            return true;
    }
    return false;
}

/* ---- all races of a path ---- */

static void add_second(struct optimal *o, const struct event *e, uint32_t previous, uint32_t limit)
{
    ARRAY_GROW(o->seconds, o->second_count, o->second_room);
    o->seconds[o->second_count++] = (struct second){ .event = *e, .previous = previous, .limit = limit };
}

static uint32_t last_step(const struct optimal *o, uint32_t process, uint32_t limit)
{
    while (limit && o->search->steps[limit - 1].process != process)
        limit--;
    return limit;
}

/* Steps that were not taken, because they stayed blocked or because the path was cut. */
static void add_undone(struct optimal *o, uint64_t processes, uint32_t limit)
{
    for (; processes; processes &= processes - 1) {
        uint32_t p = (uint32_t)__builtin_ctzll(processes);
        struct event e = next_event(o, p);
        add_second(o, &e, last_step(o, p, limit), limit);
    }
}

/* In a group: those that were ended by another's step. */
static void add_killed(struct optimal *o)
{
    for (uint32_t i = o->search->depth; o->system->group && i-- > 0;) {
        uint64_t killed = o->levels[i].alive & ~o->levels[i + 1].alive & ~BIT(on_path(o, i)->process);
        if (!killed)
            continue;
        stand_at(o, i);
        add_undone(o, killed, i + 1);
    }
    go_on_to(o, o->search->depth);
}

static void collect_seconds(struct optimal *o)
{
    const struct search *s = o->search;
    o->second_count = 0;
    add_undone(o, o->system->alive & ~(o->system->enabled & s->frames[s->depth].sleep), s->depth);
    add_killed(o);
    for (uint32_t i = o->known; i < s->depth; i++)
        add_second(o, on_path(o, i), o->levels[i].previous, i);
    size_t need = (size_t)o->second_count * o->stride;
    if (need > o->reversed_room) {
        o->reversed_room = 2 * need;
        o->reversed = memory_resize(o->reversed, o->reversed_room * sizeof *o->reversed);
    }
    if (need)
        memset(o->reversed, 0, need * sizeof *o->reversed);
}

/* Keeps the races of steps that are on the path as before. */
static void keep_races(struct optimal *o)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < o->search->depth; i++)
        o->levels[i].first_race = 0;
    for (uint32_t i = 0; i < o->race_count; i++) {
        struct race *r = &o->races[i];
        if (r->second.event.at >= o->known)
            continue;
        r->next = o->levels[r->first].first_race;
        o->races[kept++] = *r;
        o->levels[r->first].first_race = kept;
    }
    o->race_count = kept;
}

/* A first step that happens before one whose race is being reversed need not be looked at: that race shows it. */
static bool may_race(const struct optimal *o, uint32_t first, const struct second *s, const uint32_t *reversed)
{
    return s->limit > first && s->event.process != on_path(o, first)->process
        && !(s->event.at != NOT_TAKEN && !before(o, first, clock_of(o, s->event.at)))
        && !before(o, first, clock_before(o, s->previous)) && !before(o, first, reversed)
        && conflict(o, on_path(o, first), &s->event);
}

static void reverse_all(struct optimal *o, uint32_t first)
{
    uint32_t r = o->levels[first].first_race;
    bool asleep = r && beginning_sleeps(o, first);
    for (; r; r = o->races[r - 1].next) {
        const struct race *race = &o->races[r - 1];
        if (asleep && !race->drops && (race->second.event.at != NOT_TAKEN || race->second.limit == o->search->depth))
            continue;
        collect_free(o, first);
        stand_at(o, first);
        reverse(o, race);
    }
}

static void look_at(struct optimal *o, uint32_t first)
{
    for (uint32_t i = 0; i < o->second_count; i++) {
        uint32_t *reversed = o->reversed + (size_t)i * o->stride;
        if (may_race(o, first, &o->seconds[i], reversed))
            look_for_race(o, first, &o->seconds[i], reversed);
    }
    reverse_all(o, first);
    if (o->levels[first].picky)
        other_results(o, first);
    o->next_of[on_path(o, first)->process] = first + 1;
}

/* The path has come to its end, and it is what the program does. */
static void look_at_path(struct optimal *o)
{
    uint32_t depth = o->search->depth;
    o->standing = depth;
    o->free_first = NOT_TAKEN;
    make_clocks(o);
    keep_races(o);
    collect_seconds(o);
    memset(o->next_of, 0, sizeof o->next_of);
    for (uint32_t i = depth; i-- > 0;)
        look_at(o, i);
    o->known = depth;
}

/* ---- what to do in a state ---- */

/* Who ran least recently? */
static uint32_t longest_waiting(const struct optimal *o, uint64_t processes)
{
    for (uint32_t i = o->search->depth; i-- > 0 && processes & (processes - 1);)
        processes &= ~BIT(o->search->steps[i].process);
    return (uint32_t)__builtin_ctzll(processes);
}

/* Where the tree says nothing: who went last, so that there are few switches; but who lets others go first gets his wish. */
static uint32_t usual_process(const struct optimal *o, uint64_t awake)
{
    const struct search *s = o->search;
    uint64_t eager = 0;
    for (uint64_t left = awake; left; left &= left - 1) {
        int p = __builtin_ctzll(left);
        eager |= system_pending(o->system, p)->flags & NODE_YIELDS ? 0 : BIT(p);
    }
    if (!eager)
        return longest_waiting(o, awake);
    if (s->depth && eager & BIT(s->steps[s->depth - 1].process))
        return s->steps[s->depth - 1].process;
    return (uint32_t)__builtin_ctzll(eager);
}

/* The step that the level has chosen may have other results. Where nothing sleeps, all of them are to be tried. */
static void choose_results(struct optimal *o, struct level *l, uint64_t sleep)
{
    struct search *s = o->search;
    uint32_t choices = system_choices(o->system, (int)l->event.process), last = 0, offset = 0, stride = 1;
    l->picky = false;
    if (choices <= 1)
        return;
    l->picky = sleep && choices <= 64;
    l->done = BIT(l->event.choice % 64);
    if (s->settings->shuffle) {
        offset = (uint32_t)(search_random(s) % choices);
        stride = search_random(s) & 1 ? choices - 1 : 1;
    }
    for (uint32_t i = choices; i-- > 0 && !l->picky;) {
        struct event e = l->event;
        e.choice = (uint32_t)(((uint64_t)i * stride + offset) % choices);
        if (e.choice == l->event.choice || (l->tree && o->pool[l->tree].event.process == e.process
                                            && same_result(o, l->tree, e.choice, &last)))
            continue;
        uint32_t b = branch_new(o, &e);
        o->pool[b].implied = true;
        o->pool[b].next = l->tree;
        l->tree = b;
    }
}

/* Takes the first branch off the tree and hands what follows it to the next level. */
static void follow(struct optimal *o, uint32_t at)
{
    struct level *l = &o->levels[at];
    uint32_t b = l->tree;
    l->event = o->pool[b].event;
    l->from_tree = !o->pool[b].implied;
    l->tree = o->pool[b].next;
    o->levels[at + 1].tree = o->pool[b].child;
    branch_free(o, b);
}

static bool can_follow(const struct optimal *o, uint32_t b)
{
    const struct event *e = &o->pool[b].event;
    return o->system->enabled & BIT(e->process) && (e->choice == 0 || e->choice < system_choices(o->system, (int)e->process));
}

static void drop_first(struct optimal *o, struct level *l)
{
    uint32_t b = l->tree;
    l->tree = o->pool[b].next;
    free_list(o, o->pool[b].child);
    branch_free(o, b);
}

/* Moves the level to its next step; false: all are done. */
static bool next_branch(struct optimal *o)
{
    struct search *s = o->search;
    struct level *l = &o->levels[s->depth];
    struct frame *f = &s->frames[s->depth];
    for (; l->tree && !can_follow(o, l->tree); s->counts.surprises++)
        drop_first(o, l);
    if (l->taken && l->tree && o->pool[l->tree].event.process == l->event.process) {
        follow(o, s->depth);
        l->done |= BIT(l->event.choice % 64);
        return true;
    }
    if (l->taken)
        f->sleep |= BIT(l->event.process);
    if (!l->tree && l->taken)
        return false;
    if (l->tree) {
        follow(o, s->depth);
    } else {
        l->event = next_event(o, usual_process(o, o->system->enabled & ~f->sleep));
        l->from_tree = false;
        o->levels[s->depth + 1].tree = 0;
    }
    l->taken = true;
    l->picky = false;
    if (!system_pending(o->system, (int)l->event.process)->choices)
        choose_results(o, l, f->sleep);
    return true;
}

/* ---- paths that are believed for now ---- */

static void make_saved_room(struct saved *v, uint32_t depth, uint32_t pool)
{
    if (depth + 2 > v->room) {
        v->room = 2 * (depth + 2);
        v->steps = memory_resize(v->steps, v->room * sizeof *v->steps);
        v->frames = memory_resize(v->frames, v->room * sizeof *v->frames);
        v->levels = memory_resize(v->levels, v->room * sizeof *v->levels);
    }
    if (pool > v->pool_room) {
        v->pool_room = 2 * pool;
        v->pool = memory_resize(v->pool, v->pool_room * sizeof *v->pool);
    }
}

static void save(struct optimal *o)
{
    const struct search *s = o->search;
    struct saved *v = &o->saved;
    make_saved_room(v, s->depth, o->pool_count);
    v->counts = s->counts;
    v->depth = s->depth;
    v->pool_count = o->pool_count;
    v->unused = o->unused;
    v->processes = (uint32_t)o->system->processes;
    memcpy(v->steps, s->steps, s->depth * sizeof *v->steps);
    memcpy(v->frames, s->frames, (s->depth + 1) * sizeof *v->frames);
    memcpy(v->levels, o->levels, (s->depth + 2) * sizeof *v->levels);
    memcpy(v->pool, o->pool, o->pool_count * sizeof *v->pool);
    memcpy(v->nodes, o->system->node, v->processes * sizeof *v->nodes);
}

/* Where the process of a saved step stood after it. */
static uint32_t node_after(const struct saved *v, uint32_t at)
{
    uint32_t p = v->steps[at].process;
    for (uint32_t i = at + 1; i < v->depth; i++)
        if (v->steps[i].process == p)
            return v->steps[i].node;
    return v->nodes[p];
}

/* Takes the saved path again, now step by step with the program, as far as it goes: from where it leads elsewhere it is redone. */
static void walk_saved(struct optimal *o)
{
    struct search *s = o->search;
    const struct saved *v = &o->saved;
    system_foresee(o->system, false);
    for (uint32_t i = 0; i < v->depth && !s->over; i++) {
        int p = (int)v->steps[i].process;
        if (!(o->system->enabled & BIT(p)) || !search_step(s, o->system, (uint32_t)p, v->steps[i].choice))
            break;
        if (o->system->node[p] != node_after(v, i)) {
            search_back(s, o->system);
            break;
        }
    }
    system_foresee(o->system, true);
}

/* One of them was wrong: everything is as at the end of the first again. */
static void believe_no_more(struct optimal *o)
{
    struct search *s = o->search;
    struct saved *v = &o->saved;
    s->redo = s->stale = false;
    system_forget_deferred(o->system);
    while (s->depth)
        search_back(s, o->system);
    walk_saved(o);
    memcpy(s->frames, v->frames, (v->depth + 1) * sizeof *v->frames);
    memcpy(o->levels, v->levels, (v->depth + 2) * sizeof *v->levels);
    memcpy(o->pool, v->pool, v->pool_count * sizeof *v->pool);
    o->pool_count = v->pool_count;
    o->unused = v->unused;
    o->top = v->depth;
    o->known = o->race_count = 0;
    o->most = 1;
    uint32_t lost = v->depth - s->depth;
    s->counts = v->counts;
    s->counts.transitions -= lost;
    s->counts.states -= lost;
    s->redo = lost != 0;
    o->again = !lost;
}

/* True: the path is what the program does, or it is believed for now. */
static bool believe(struct optimal *o)
{
    struct search *s = o->search;
    if (!o->system->group || o->most == 1) {
        o->most = o->system->group ? 2 : 1;
        return search_settle(s);
    }
    if (!system_deferred(o->system))
        save(o);
    int rc = system_defer(o->system, o->most, s->err);
    if (rc < 0) {
        search_failed(s, rc);
        return false;
    }
    if (!system_deferred(o->system) && o->most < MOST_BELIEVED)
        o->most *= 2;
    return true;
}

/* What is still only believed, at the end of everything. False: some of it was wrong. */
static bool settle_rest(struct optimal *o)
{
    return !system_deferred(o->system) || search_settle(o->search);
}

/* ---- the search ---- */

static void end_path(struct optimal *o)
{
    struct search *s = o->search;
    const struct frame *f = &s->frames[s->depth];
    o->again = false;
    if (!believe(o) || search_over(s))
        return;
    if (!o->system->enabled)
        s->counts.executions++;
    else if (!(o->system->enabled & ~f->sleep))
        s->counts.sleep_cut++;
    else
        s->counts.depth_cut++;
    for (struct level *l = &o->levels[s->depth]; l->tree; s->counts.surprises++)
        drop_first(o, l);
    search_end_path(s);
    look_at_path(o);
    go_back(o);
    s->redo = s->stale = system_stale(o->system);
}

static bool ends(const struct optimal *o)
{
    const struct search *s = o->search;
    return s->depth == o->bound || !(o->system->enabled & ~s->frames[s->depth].sleep);
}

static void enter(struct optimal *o, uint64_t sleep, uint32_t moved)
{
    struct search *s = o->search;
    struct level *l = &o->levels[s->depth];
    o->top = s->depth;
    l->taken = l->picky = false;
    l->alive = o->system->alive;
    s->frames[s->depth].sleep = sleep;
    search_enter(s, o->system, moved);
    if (s->redo || search_over(s))
        return;
    if (s->watched)
        search_show_state(s);
    if (ends(o))
        end_path(o);
}

static void take(struct optimal *o)
{
    struct search *s = o->search;
    search_room(s);
    make_room(o);
    struct level *l = &o->levels[s->depth];
    struct frame *f = &s->frames[s->depth];
    uint32_t p = l->event.process;
    f->process = p;
    f->choice = l->event.choice;
    uint64_t sleep = f->sleep ? sleep_keep(o->system, f->sleep, (int)p, SLEEP_ALWAYS) : 0;
    l->stamp = system_stamp(o->system, (int)p);
    if (o->known > s->depth)
        o->known = s->depth;
    o->top = s->depth + 1;
    o->levels[o->top].taken = false;
    if (!search_step(s, o->system, p, l->event.choice))
        return;
    if (sleep)
        sleep = sleep_arrived(o->system, sleep, &s->steps[s->depth - 1]);
    if (s->watched)
        search_show_transition(s);
    enter(o, sleep, p);
}

/* The search was unwound, and the step at its end has to be taken again. What was still to be done below it is given back to
 * the tree: it was put there for good reasons, whatever the steps lead to. */
static void take_again(struct optimal *o)
{
    struct search *s = o->search;
    uint32_t below = 0;
    s->redo = false;
    for (; o->top > s->depth; o->top--) {
        struct level *l = &o->levels[o->top];
        while (l->tree && o->pool[l->tree].implied)
            drop_first(o, l);
        if (l->taken && l->from_tree) {
            uint32_t b = branch_new(o, &l->event);
            o->pool[b].child = below;
            o->pool[b].next = l->tree;
            below = b;
        } else {
            free_list(o, below);
            below = l->tree;
        }
        l->tree = 0;
        l->taken = false;
    }
    o->levels[s->depth + 1].tree = below;
    if (o->known > s->depth)
        o->known = s->depth;
    take(o);
}

static void back(struct optimal *o)
{
    search_back(o->search, o->system);
    o->top = o->search->depth;
}

static void go_through(struct optimal *o)
{
    struct search *s = o->search;
    enter(o, 0, NO_PROCESS);
    while (!search_over(s)) {
        if (s->stale)
            believe_no_more(o);
        else if (s->redo)
            take_again(o);
        else if (o->again)
            end_path(o);
        else if (!ends(o) && next_branch(o))
            take(o);
        else if (s->depth)
            back(o);
        else if (settle_rest(o))
            return;
    }
    if (!settle_rest(o) && s->stale)
        believe_no_more(o);
}

void optimal_run(struct search *s, uint32_t bound)
{
    struct optimal o = { .search = s, .system = s->system, .bound = bound, .free_first = NOT_TAKEN };
    o.stride = ((uint32_t)s->system->processes + 7) & ~7u;
    make_room(&o);
    branch_new(&o, &(struct event){ 0 });        /* number 0 is none */
    o.most = 1;
    system_foresee(s->system, !s->watched);      /* who watches is to see only what the program does */
    go_through(&o);
    system_foresee(s->system, false);
    release(&o);
}
