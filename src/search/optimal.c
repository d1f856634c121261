/* SPDX-License-Identifier: MIT */
#include "search/optimal_internal.h"
#include "search/share.h"

#include "base/memory.h"
#include "search/abroad.h"
#include "search/mission.h"
#include "search/sleep.h"
#include "system/foresight.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_UP_EVERY = 64 };         /* paths */
enum { MOST_IN_A_ROW = 8 };          /* steps of one process, while others could go, too */

/* ---- what to do in a state ---- */

/* Who ran least recently? */
static uint32_t longest_waiting(const struct optimal *o, uint64_t processes)
{
    for (uint32_t i = o->search->depth; i-- > 0 && processes & (processes - 1);)
        processes &= ~BIT(o->search->steps[i].process);
    assert(processes);
    return (uint32_t)__builtin_ctzll(processes);
}

static uint32_t steps_in_a_row(const struct search *s)
{
    uint32_t count = 0;
    while (count < s->depth && s->steps[s->depth - 1 - count].process == s->steps[s->depth - 1].process)
        count++;
    return count;
}

/* Where the tree says nothing: who went last, so that there are few switches; but not for ever, and who lets others go first gets
 * his wish. */
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
    uint32_t last = s->depth ? s->steps[s->depth - 1].process : NO_PROCESS;
    if (last == NO_PROCESS || !(eager & BIT(last)))
        return (uint32_t)__builtin_ctzll(eager);
    bool others = eager & ~BIT(last);
    return others && steps_in_a_row(s) >= MOST_IN_A_ROW ? longest_waiting(o, eager & ~BIT(last)) : last;
}

/* The step that the level has chosen may have other results. Where nothing sleeps, all of them are to be tried. */
static void choose_results(struct optimal *o, struct level *l, uint64_t sleep)
{
    struct search *s = o->search;
    uint32_t choices = system_choices(o->system, (int)l->event.process), last, offset = 0, stride = 1;
    if (choices <= 1)
        return;
    if (!l->from_tree)
        l->event = clocks_next_event(&o->past, l->event.process);
    l->picky = sleep && choices <= MOST_PICKED && !s->settings->accountable;
    l->done = BIT(l->event.choice % MOST_PICKED);
    if (s->settings->shuffle) {
        offset = (uint32_t)(search_random(s) % choices);
        stride = search_random(s) & 1 ? choices - 1 : 1;
    }
    for (uint32_t i = choices; i-- > 0 && !l->picky;) {
        struct move e = l->event;
        e.choice = (uint32_t)(((uint64_t)i * stride + offset) % choices);
        if (e.choice == l->event.choice || wakeup_same_result(&o->trees, l->tree, &e, &last))
            continue;
        uint32_t b = wakeup_new(&o->trees, &e);
        o->trees.pool[b].implied = true;
        o->trees.pool[b].next = l->tree;
        l->tree = b;
    }
}

/* Takes the first branch off the tree and hands what follows it to the next level. */
static void follow(struct optimal *o, uint32_t at)
{
    struct level *l = &o->past.levels[at];
    uint32_t b = l->tree;
    assert(b);
    l->event = o->trees.pool[b].event;
    l->from_tree = !o->trees.pool[b].implied;
    l->tree = o->trees.pool[b].next;
    o->past.levels[at + 1].tree = o->trees.pool[b].child;
    wakeup_free(&o->trees, b);
}

static bool can_follow(const struct optimal *o, uint32_t b)
{
    const struct move *e = &o->trees.pool[b].event;
    return o->system->enabled & BIT(e->process) && (e->choice == 0 || e->choice < system_choices(o->system, (int)e->process));
}

void optimal_drop_first(struct optimal *o, struct level *l)
{
    uint32_t b = l->tree;
    assert(b);
    l->tree = o->trees.pool[b].next;
    wakeup_free_list(&o->trees, o->trees.pool[b].child);
    wakeup_free(&o->trees, b);
}

/* The tree says what cannot be done here. */
static bool is_surprised(const struct optimal *o)
{
    const struct level *l = &o->past.levels[o->search->depth];
    return l->tree && !can_follow(o, l->tree);
}

/* Is the path what the program does? Then it stays undone, and is counted. */
static enum took drop_surprise(struct optimal *o)
{
    struct search *s = o->search;
    enum took took = search_settle(s);
    if (took == STEP_TAKEN) {
        s->counts.surprises++;
        optimal_drop_first(o, &o->past.levels[s->depth]);
    }
    return took;
}

/* Moves the level to its next step; false: all are done. */
static bool next_branch(struct optimal *o)
{
    struct search *s = o->search;
    struct level *l = &o->past.levels[s->depth];
    struct frame *f = &s->frames[s->depth];
    if (l->taken && l->tree && o->trees.pool[l->tree].event.process == l->event.process) {
        follow(o, s->depth);
        l->done |= BIT(l->event.choice % MOST_PICKED);
        return true;
    }
    if (l->taken)
        f->sleep |= BIT(l->event.process);
    if (!l->tree && l->taken)
        return false;
    if (l->tree) {
        follow(o, s->depth);
    } else {
        assert(o->system->enabled & ~f->sleep);
        /* The rest of it is filled in when it was taken (clocks_make), or where it has several results. */
        l->event = (struct move){ .process = usual_process(o, o->system->enabled & ~f->sleep), .at = NOT_TAKEN };
        l->from_tree = false;
        o->past.levels[s->depth + 1].tree = 0;
    }
    l->taken = true;
    l->picky = false;
    share_next(s, f);
    f->tried |= BIT(l->event.process);
    if (!system_pending(o->system, (int)l->event.process)->choices)
        choose_results(o, l, f->sleep);
    return true;
}

/* ---- checking ---- */

void optimal_check(const struct optimal *o)
{
    uint32_t branches = wakeup_count_unused(&o->trees);
    races_check(&o->races);
    for (uint32_t i = 0; i < o->past.room; i++)
        branches += wakeup_check(&o->trees, o->past.levels[i].tree);
    assert(branches + 1 == o->trees.pool_count); /* number 0 is none; each other one is somewhere, once */
}

/* ---- the search ---- */

/* Back to the last state where something is still to be done. */
static void go_back(struct optimal *o)
{
    struct search *s = o->search;
    uint32_t at = s->depth;
    while (at > o->floor && !o->past.levels[at].tree) {
        if (at < s->depth)
            share_leave(s, &s->frames[at], s->steps[at].enabled);
        at--;
    }
    survey_stand_at(&o->races.survey, at);
    survey_go_on_to(&o->races.survey, at);
    s->depth = o->top = at;
    assert(o->races.survey.standing == at);
}

static void count_end(const struct optimal *o)
{
    struct search *s = o->search;
    if (!o->system->enabled)
        s->counts.executions++;
    else if (!(o->system->enabled & ~s->frames[s->depth].sleep))
        s->counts.sleep_cut++;
    else
        search_count_cut(s);
}

static bool ends(const struct optimal *o)
{
    const struct search *s = o->search;
    return s->depth == o->bound || !(o->system->enabled & ~s->frames[s->depth].sleep);
}

/* The path is what the program does, or believed to be: it is counted, and its races are reversed. */
static void finish_path(struct optimal *o)
{
    struct search *s = o->search;
    count_end(o);
    search_end_path(s);
    if (search_over(s))
        return;
    assert(s->depth == o->top);
    for (struct level *l = &o->past.levels[s->depth]; l->tree; s->counts.surprises++)
        optimal_drop_first(o, l);
    races_look(&o->races);
    if (search_over(s)) {            /* it was interrupted on the way: the system is to be where the path ends */
        survey_go_on_to(&o->races.survey, s->depth);
        return;
    }
    if (o->races.mission)
        mission_looked(o->races.mission);
}

/* Makes a copy that searches ahead, if that is due. */
static enum took get_help(struct optimal *o)
{
    if (!aside_wants(o->aside))
        return STEP_TAKEN;
    enum took took = search_settle(o->search);
    if (took == STEP_TAKEN)
        aside_start(o->aside);
    return took;
}

/* Of a copy: what it has done; else: what copies have told. */
static enum took hear(struct optimal *o)
{
    enum aside_news news;
    enum took took = STEP_TAKEN;
    aside_close(o->races.aside);
    while (took == STEP_TAKEN && (news = aside_meets(o->aside)) != NO_NEWS) {
        took = search_settle(o->search);
        if (took == STEP_TAKEN)
            (news == NEWS ? aside_learn : aside_start)(o->aside);
    }
    return took;
}

enum took optimal_end_path(struct optimal *o)
{
    struct search *s = o->search;
    if (o->ends++ % LOOK_UP_EVERY == 0 || (s->settings->interrupt && *s->settings->interrupt))
        search_look_up(s);           /* a group's states are slow, and taken out of the counts again: they do not bring us there */
    enum took took = belief_in_path(o);
    if (took != STEP_TAKEN || search_over(s))
        return took;
    if (ends(o))
        finish_path(o);
    else if (o->aside && aside_knows(o->aside))
        aside_use(o->aside);
    else
        return STEP_TAKEN;           /* what is known of the program has changed since */
    if (search_over(s))
        return STEP_TAKEN;
    go_back(o);
    took = belief_so_far(o);
    return took == STEP_TAKEN ? get_help(o) : took;
}

/* Where a wakeup tree ends. */
static bool at_leaf(const struct optimal *o)
{
    uint32_t depth = o->search->depth;
    return (o->aside || o->search->abroad || o->search->mission) && depth && o->past.levels[depth - 1].from_tree && !o->past.levels[depth].tree;
}

/* At a leaf of which others may have searched all that is below. */
static enum took meet(struct optimal *o)
{
    bool used;
    enum took took = optimal_meet(o, &used);
    if (took == STEP_TAKEN && used && !search_over(o->search))
        go_back(o);
    return took;
}

static enum took enter(struct optimal *o, uint64_t sleep, uint32_t moved)
{
    struct search *s = o->search;
    struct level *l = &o->past.levels[s->depth];
    STEP_ASSERT(!(sleep & ~o->system->enabled) || system_shares(o->system));
    o->top = s->depth;
    l->taken = l->picky = false;
    l->asleep = sleep;
    l->besides = 0;
    l->alive = o->system->alive;
    s->frames[s->depth].sleep = sleep;
    s->frames[s->depth].tried = 0;
    share_enter(s, &s->frames[s->depth]);
    enum took took = search_enter(s, o->system, moved);
    if (s->full && took == STEP_TAKEN)
        took = search_stop_if_full(s);
    if (s->watched && took == STEP_TAKEN)
        search_show_state(s);
    if (took != STEP_TAKEN || search_over(s))
        return took;
    if (s->settings->check)
        optimal_check(o);
    if (o->aside)
        aside_entered(o->races.aside, moved);
    if (s->abroad)
        abroad_note(s->abroad);
    if (s->mission)
        mission_enter(s->mission, sleep, moved, at_leaf(o) && !ends(o) ? MISSION_LEAF : MISSION_WITHIN);
    if (ends(o) || (o->aside && at_leaf(o) && aside_knows(o->aside)))
        return optimal_end_path(o);
    if (at_leaf(o) && s->abroad)
        return meet(o);
    if (at_leaf(o))
        aside_open(o->races.aside);
    return STEP_TAKEN;
}

void optimal_make_room(struct optimal *o)
{
    if (search_room(o->search) && clocks_make_room(&o->past))
        races_make_room(&o->races);
}

static void remember_words(struct optimal *o, uint32_t at, const struct node *n)
{
    struct seen *seen = &o->past.seen[at];
    o->past.levels[at].take = ++o->past.takes;
    if (apart_copy(o->system, n, seen->words))
        seen->take = o->past.takes;
}

enum took optimal_step(struct optimal *o)
{
    struct search *s = o->search;
    struct level *l = &o->past.levels[s->depth];
    struct frame *f = &s->frames[s->depth];
    uint32_t p = l->event.process;
    assert(o->system->enabled & BIT(p) && (!(f->sleep & BIT(p)) || system_shares(o->system)));
    f->process = p;
    f->choice = l->event.choice;
    remember_words(o, s->depth, system_pending(o->system, (int)p));
    if (o->past.known > s->depth)
        o->past.known = s->depth;
    o->top = s->depth + 1;
    o->past.levels[o->top].taken = false;
    enum took took = belief_step(o, p, l->event.choice, &l->stamp);
    if (took == STEP_TAKEN)
        l->renews = system_pending(o->system, (int)p)->op.fresh;
    return took;
}

enum took optimal_take(struct optimal *o)
{
    struct search *s = o->search;
    optimal_make_room(o);
    const struct frame *f = &s->frames[s->depth];
    uint32_t p = o->past.levels[s->depth].event.process;
    uint64_t sleep = f->sleep ? sleep_after(o->system, f->sleep, (int)p, SLEEP_ALWAYS) : 0;
    enum took took = optimal_step(o);
    if (took != STEP_TAKEN)
        return took;
    if (sleep)
        sleep = sleep_arrived(o->system, sleep, &s->steps[s->depth - 1]);
    if (s->watched)
        search_show_transition(s);
    return enter(o, sleep, p);
}

static void back(struct optimal *o)
{
    assert(!o->past.levels[o->search->depth].tree);
    search_back(o->search, o->system);
    o->top = o->search->depth;
}

void optimal_go_on(struct optimal *o, enum took took)
{
    struct search *s = o->search;
    while (!search_over(s) && !(o->aside && aside_late(o->races.aside))) {
        if (o->aside && took == STEP_TAKEN)
            took = hear(o);
        if (s->mission && took == STEP_TAKEN && !mission_goes_on(s->mission))
            break;
        if (s->abroad && took == STEP_TAKEN)
            abroad_look(s->abroad);
        bool open = !ends(o);
        if (took != STEP_TAKEN)
            took = belief_recover(o, took);
        else if (open && is_surprised(o))
            took = drop_surprise(o);
        else if (open && next_branch(o))
            took = optimal_take(o);
        else if (s->depth > o->floor)
            back(o);
        else if ((took = belief_in_rest(o)) == STEP_TAKEN)
            return;
    }
    belief_end(o);
}

static bool pending(const void *self, uint32_t depth)
{
    const struct optimal *o = self;
    return o->past.levels[depth].tree != 0;
}

static void init(struct optimal *o, struct search *s, uint32_t bound)
{
    *o = (struct optimal){ .search = s, .system = s->system, .bound = bound };
    clocks_init(&o->past, s);
    wakeup_init(&o->trees, s->foresight);
    races_init(&o->races, &o->past, &o->trees);
    bool alone = !s->foresight || s->abroad || s->mission || s->settings->helpers.jobs < 2 || s->first_only || s->settings->shuffle || s->watcher->execution;
    o->aside = alone ? NULL : aside_new(o);
}

static void fini(struct optimal *o)
{
    aside_free(o->aside);
    races_fini(&o->races);
    wakeup_fini(&o->trees);
    clocks_fini(&o->past);
    belief_fini(&o->belief);
}

void optimal_run(struct search *s, uint32_t bound)
{
    struct optimal o;
    if (system_shares(s->system) && !s->watched && !s->foresight)        /* who watches is to see only what the program does */
        s->foresight = foresight_new(s->system);
    init(&o, s, bound);
    s->pending = pending;
    s->pending_of = &o;
    if (s->abroad)
        abroad_lend(s->abroad, &(struct abroad_lent){ &o, &o.past.levels, optimal_ask_at, optimal_course });
    if (s->mission)
        optimal_mission(&o);
    else
        optimal_go_on(&o, enter(&o, 0, NO_PROCESS));
    if (s->abroad)
        abroad_end(s->abroad);
    s->pending = NULL;
    fini(&o);
}
