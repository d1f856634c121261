/* SPDX-License-Identifier: MIT */
#include "search/optimal_internal.h"

#include "base/memory.h"
#include "search/sleep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_UP_EVERY = 64 };         /* paths */
enum { MOST_IN_A_ROW = 8 };          /* steps of one process, while others could go, too */
enum { MOST_BELIEVED = 32 };         /* paths before the program is asked */

/* ---- what to do in a state ---- */

/* Who ran least recently? */
static uint32_t longest_waiting(const struct optimal *o, uint64_t processes)
{
    for (uint32_t i = o->search->depth; i-- > 0 && processes & (processes - 1);)
        processes &= ~BIT(o->search->steps[i].process);
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
        if (e.choice == l->event.choice || (l->tree && o->trees.pool[l->tree].event.process == e.process
                                            && wakeup_same_result(&o->trees, l->tree, e.choice, &last)))
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
    const struct event *e = &o->trees.pool[b].event;
    return o->system->enabled & BIT(e->process) && (e->choice == 0 || e->choice < system_choices(o->system, (int)e->process));
}

static void drop_first(struct optimal *o, struct level *l)
{
    uint32_t b = l->tree;
    l->tree = o->trees.pool[b].next;
    wakeup_free_list(&o->trees, o->trees.pool[b].child);
    wakeup_free(&o->trees, b);
}

/* The tree says what cannot be done here. Is the path what the program does? Then it stays undone, and is counted. */
static bool surprised(struct optimal *o)
{
    struct search *s = o->search;
    struct level *l = &o->past.levels[s->depth];
    if (!l->tree || can_follow(o, l->tree))
        return false;
    if (search_settle(s)) {
        s->counts.surprises++;
        drop_first(o, l);
    }
    return true;
}

/* Moves the level to its next step; false: all are done. */
static bool next_branch(struct optimal *o)
{
    struct search *s = o->search;
    struct level *l = &o->past.levels[s->depth];
    struct frame *f = &s->frames[s->depth];
    if (l->taken && l->tree && o->trees.pool[l->tree].event.process == l->event.process) {
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
        assert(o->system->enabled & ~f->sleep);
        l->event = clocks_next_event(&o->past, usual_process(o, o->system->enabled & ~f->sleep));
        l->from_tree = false;
        o->past.levels[s->depth + 1].tree = 0;
    }
    l->taken = true;
    l->picky = false;
    if (!system_pending(o->system, (int)l->event.process)->choices)
        choose_results(o, l, f->sleep);
    return true;
}

/* ---- paths that are believed for now ---- */

static void make_saved_room(struct saved *v, uint32_t depth)
{
    if (depth + 2 > v->room) {
        v->room = 2 * (depth + 2);
        v->steps = memory_resize(v->steps, v->room * sizeof *v->steps);
        v->frames = memory_resize(v->frames, v->room * sizeof *v->frames);
        v->levels = memory_resize(v->levels, v->room * sizeof *v->levels);
    }
}

static void save(struct optimal *o, struct saved *v)
{
    const struct search *s = o->search;
    make_saved_room(v, s->depth);
    v->counts = s->counts;
    v->depth = s->depth;
    v->known = o->past.known;
    v->pool_count = o->trees.pool_count;
    v->unused = o->trees.unused;
    v->undo = o->trees.undo_count;
    memcpy(v->steps, s->steps, s->depth * sizeof *v->steps);
    memcpy(v->frames, s->frames, (s->depth + 1) * sizeof *v->frames);
    memcpy(v->levels, o->past.levels, (s->depth + 2) * sizeof *v->levels);
}

/* Nobody will go back to before this. */
static void forget_before(struct optimal *o, struct saved *v)
{
    if (!v->undo)
        return;
    o->trees.undo_count -= v->undo;
    memmove(o->trees.undo, o->trees.undo + v->undo, o->trees.undo_count * sizeof *o->trees.undo);
    v->undo = 0;
}

/* Takes one step of the saved path again; false, and as before, when it leads elsewhere. */
static bool step_saved(struct optimal *o, const struct saved *v, uint32_t i, bool foresee)
{
    struct search *s = o->search;
    uint32_t p = v->steps[i].process;
    if (s->over || s->redo || s->depth != i || !(o->system->enabled & BIT(p)))
        return false;
    system_foresee(o->system, foresee);
    bool taken = search_step(s, o->system, p, v->steps[i].choice);
    system_foresee(o->system, true);
    if (!taken || s->steps[i].next == v->steps[i].next)
        return taken;
    search_back(s, o->system);
    return false;
}

/* Takes the saved path again, as far as it goes: from where it leads elsewhere it is redone. A wrong guess on the way is asked about. */
static void walk_saved(struct optimal *o, const struct saved *v)
{
    struct search *s = o->search;
    for (uint32_t i = 0; i < v->depth && (step_saved(o, v, i, true) || step_saved(o, v, i, false)); i++)
        ;
    s->redo = false;
}

/* How many of the steps that are known are those of the saved path, and were known then: what reverses their races is still in the
 * trees. */
static uint32_t known_of_saved(const struct optimal *o, const struct saved *v)
{
    const struct step *steps = o->search->steps;
    uint32_t same = 0, least = o->past.known < v->known ? o->past.known : v->known;
    while (same < least && steps[same].process == v->steps[same].process && steps[same].node == v->steps[same].node
           && steps[same].result == v->steps[same].result && steps[same].next == v->steps[same].next)
        same++;
    return same;
}

/* One of them was wrong: everything is as at the end of the first again. */
static void believe_no_more(struct optimal *o)
{
    struct search *s = o->search;
    o->set = system_wrong_set(o->system);
    struct saved *v = &o->saved[o->set % 2];
    s->redo = s->stale = false;
    system_forget_deferred(o->system);
    while (s->depth)
        search_back(s, o->system);
    uint32_t known = known_of_saved(o, v);
    walk_saved(o, v);
    o->past.known = known < s->depth ? known : s->depth;
    races_forget(&o->races);
    memcpy(s->frames, v->frames, (v->depth + 1) * sizeof *v->frames);
    memcpy(o->past.levels, v->levels, (v->depth + 2) * sizeof *v->levels);
    races_link(&o->races, v->depth + 2);
    wakeup_undo(&o->trees, v->undo);
    o->trees.pool_count = v->pool_count;
    o->trees.unused = v->unused;
    o->top = v->depth;
    o->most = o->most > 8 ? o->most / 4 : 2;
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
    if (system_proven(o->system))
        return true;
    if (o->most == 1) {
        o->most = o->system->group ? 2 : 1;
        return search_settle(s);
    }
    uint32_t set = o->set;
    int rc = system_defer(o->system, o->most, &set, s->err);
    if (set != o->set) {
        forget_before(o, &o->saved[o->set % 2]);
        save(o, &o->saved[set % 2]);
    }
    o->set = set;
    if (rc < 0) {
        search_failed(s, rc);
        return false;
    }
    if (rc && o->most < MOST_BELIEVED)
        o->most *= 2;
    return true;
}

/* What is still only believed, at the end of everything. False: some of it was wrong. */
static bool settle_rest(struct optimal *o)
{
    return !o->search->stale && (!system_believes(o->system) || search_settle(o->search));
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
    while (at && !o->past.levels[at].tree)
        at--;
    ahead_stand_at(&o->races.survey, at);
    ahead_go_on_to(&o->races.survey, at);
    s->depth = o->top = at;
}

static void count_end(const struct optimal *o)
{
    struct search *s = o->search;
    if (!o->system->enabled)
        s->counts.executions++;
    else if (!(o->system->enabled & ~s->frames[s->depth].sleep))
        s->counts.sleep_cut++;
    else
        s->counts.depth_cut++;
}

static void end_path(struct optimal *o)
{
    struct search *s = o->search;
    o->again = false;
    if (o->ends++ % LOOK_UP_EVERY == 0 || (s->settings->interrupt && *s->settings->interrupt))
        search_look_up(s);           /* a group's states are slow, and taken out of the counts again: they do not bring us there */
    if (!believe(o) || search_over(s))
        return;
    count_end(o);
    search_end_path(s);
    if (search_over(s))
        return;
    for (struct level *l = &o->past.levels[s->depth]; l->tree; s->counts.surprises++)
        drop_first(o, l);
    races_look(&o->races);
    go_back(o);
    s->redo = s->stale = system_wrong_set(o->system) != 0;
}

static bool ends(const struct optimal *o)
{
    const struct search *s = o->search;
    return s->depth == o->bound || !(o->system->enabled & ~s->frames[s->depth].sleep);
}

static void enter(struct optimal *o, uint64_t sleep, uint32_t moved)
{
    struct search *s = o->search;
    struct level *l = &o->past.levels[s->depth];
    o->top = s->depth;
    l->taken = l->picky = false;
    l->alive = o->system->alive;
    s->frames[s->depth].sleep = sleep;
    search_enter(s, o->system, moved);
    if (s->watched && !s->redo)
        search_show_state(s);
    if (s->redo || search_over(s))
        return;
    if (s->settings->check)
        optimal_check(o);
    if (ends(o))
        end_path(o);
}

/* For one more step. */
static void make_room(struct optimal *o)
{
    search_room(o->search);
    if (clocks_make_room(&o->past))
        races_make_room(&o->races);
}

static void remember_words(struct optimal *o, uint32_t at, const struct node *n)
{
    const struct system *system = o->system;
    struct seen *seen = &o->past.seen[at];
    o->past.levels[at].take = ++o->past.takes;
    if (n->slot >= system->table || system->objects[n->slot].words > FEW_WORDS)
        return;
    seen->take = o->past.takes;
    memcpy(seen->words, system->words + n->state, system->objects[n->slot].words * sizeof *seen->words);
}

static void take(struct optimal *o)
{
    struct search *s = o->search;
    make_room(o);
    struct level *l = &o->past.levels[s->depth];
    struct frame *f = &s->frames[s->depth];
    uint32_t p = l->event.process;
    f->process = p;
    f->choice = l->event.choice;
    uint64_t sleep = f->sleep ? sleep_keep(o->system, f->sleep, (int)p, SLEEP_ALWAYS) : 0;
    l->stamp = system_stamp(o->system, (int)p);
    remember_words(o, s->depth, system_pending(o->system, (int)p));
    if (o->past.known > s->depth)
        o->past.known = s->depth;
    o->top = s->depth + 1;
    o->past.levels[o->top].taken = false;
    if (!search_step(s, o->system, p, l->event.choice))
        return;
    l->renews = system_pending(o->system, (int)p)->op.fresh;
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
        struct level *l = &o->past.levels[o->top];
        while (l->tree && o->trees.pool[l->tree].implied)
            drop_first(o, l);
        if (l->taken && l->from_tree) {
            uint32_t b = wakeup_new(&o->trees, &l->event);
            o->trees.pool[b].child = below;
            o->trees.pool[b].next = l->tree;
            below = b;
        } else {
            wakeup_free_list(&o->trees, below);
            below = l->tree;
        }
        l->tree = 0;
        l->taken = false;
    }
    o->past.levels[s->depth + 1].tree = below;
    if (o->past.known > s->depth)
        o->past.known = s->depth;
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
        else if (!ends(o) && surprised(o))
            continue;
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

static void init(struct optimal *o, struct search *s, uint32_t bound)
{
    *o = (struct optimal){ .search = s, .system = s->system, .bound = bound, .most = 1 };
    clocks_init(&o->past, s);
    wakeup_init(&o->trees, s->system->group);
    races_init(&o->races, &o->past, &o->trees);
}

static void fini(struct optimal *o)
{
    races_fini(&o->races);
    wakeup_fini(&o->trees);
    clocks_fini(&o->past);
    for (struct saved *v = o->saved; v < o->saved + 2; v++) {
        free(v->steps);
        free(v->frames);
        free(v->levels);
    }
}

void optimal_run(struct search *s, uint32_t bound)
{
    struct optimal o;
    init(&o, s, bound);
    s->redo = s->stale = false;                  /* of an earlier search that was given up */
    system_foresee(s->system, !s->watched);      /* who watches is to see only what the program does */
    go_through(&o);
    system_foresee(s->system, false);
    fini(&o);
}
