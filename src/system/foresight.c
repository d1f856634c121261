/* SPDX-License-Identifier: MIT */
#include "system/foresight.h"
#include "system/group.h"
#include "system/guess.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_DEFERRED = 48 };         /* paths of a set */
enum { MANY = 16 };                  /* paths of a set: worth going on while the program runs it */
enum { MOST_MISTAKES = 32 };         /* in a row, before the program is asked at every step: guesses may run in circles */
enum { MOST_UNSEEN = 12 };           /* steps of a path that are supposed before the program is asked */

struct set {
    uint32_t    number;
    struct leg *legs;                            /* of all its paths, one after the other */
    uint32_t    room, used;
    struct way  ways[MOST_DEFERRED];             /* `path` is filled when they are sent off */
    uint32_t    count;
};

struct foresight {
    struct system *system;
    struct guess  *guess;
    struct set     sets[2];                      /* paths that are believed for now: one set is gathered, the other may be sent off */
    uint32_t       gathered;                     /* which */
    uint32_t       numbered;                     /* sets so far */
    bool           sent;
    uint32_t       wrong;                        /* number of the set in which one was wrong; 0: none was */
    uint64_t       proven[MOST_DEFERRED];        /* those before it: they will come again */
    uint32_t       proven_count, proven_at;
    uint32_t       mistakes;                     /* since something was right */
};

struct foresight *foresight_new(struct system *s)
{
    struct foresight *f = memory_get(sizeof *f);
    assert(system_shares(s));
    f->system = s;
    f->guess = guess_new();
    return f;
}

void foresight_free(struct foresight *f)
{
    if (!f)
        return;
    guess_free(f->guess);
    free(f->sets[0].legs);
    free(f->sets[1].legs);
    free(f);
}

/* ---- what the program says ---- */

static uint64_t sum_of(const struct system *s, const struct leg *path, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum = guess_add(s, sum, &path[i]);
    return sum;
}

/* The legs of the path from `from` on, up to `right`, led where they say: a better guess next time. */
static void remember(struct foresight *f, const struct leg *path, uint32_t from, uint32_t right)
{
    const struct system *s = f->system;
    if (!s->group->varies)
        return;
    uint64_t sum = sum_of(s, path, from);
    for (uint32_t i = from; i < right; i++) {
        if (s->nodes[path[i].process][path[i].from].flags & NODE_VARIES) {
            guess_remember(f->guess, s, path, i, path[i].to);
            guess_remember_common(f->guess, s, sum, &path[i], path[i].to);
        }
        sum = guess_add(s, sum, &path[i]);
    }
}

/* Leg number `at` of the path led to `next`, where something else, or nothing, was thought. */
static void note_arrival(struct foresight *f, const struct leg *path, uint32_t at, uint32_t next)
{
    const struct system *s = f->system;
    guess_remember_like(f->guess, s, &path[at], next);
    if (s->nodes[path[at].process][path[at].from].flags & NODE_VARIES) {
        guess_remember(f->guess, s, path, at, next);
        guess_remember_common(f->guess, s, sum_of(s, path, at), &path[at], next);
    }
}

/* ---- sets of paths that are believed for now ---- */

bool foresight_believes(const struct foresight *f) { return f->sent || f->sets[f->gathered].count; }
uint32_t foresight_wrong_set(const struct foresight *f) { return f->wrong; }

/* What was sent off was awaited before it turned out wrong. */
void foresight_forget(struct foresight *f)
{
    assert(!f->sent);
    f->sets[f->gathered].count = f->sets[f->gathered].used = 0;
    f->wrong = 0;
}

static uint64_t hash_path(const struct leg *path, uint32_t count) { return XXH3_64bits(path, count * sizeof *path); }

/* Paths that were run, in vain because of one that came after them, are looked at again: they are right. */
bool foresight_proven(struct foresight *f)
{
    const struct group *g = f->system->group;
    assert(f->proven_at <= f->proven_count);
    if (f->proven_at == f->proven_count || f->proven[f->proven_at] != hash_path(g->path, g->count))
        return false;
    f->proven_at++;
    return true;
}

static void keep_proven(struct foresight *f, const struct set *set, uint32_t count)
{
    assert(count <= MOST_DEFERRED);
    for (uint32_t i = 0; i < count; i++)
        f->proven[i] = hash_path(set->ways[i].path, set->ways[i].count);
    f->proven_count = count;
    f->proven_at = 0;
}

/* How many legs two ways have in common, by whole blocks: a few more at the end are noted twice. */
static uint32_t common(const struct way *a, const struct way *b)
{
    enum { BLOCK = 16 };
    uint32_t same = 0, least = a->count < b->count ? a->count : b->count;
    while (same + BLOCK <= least && !memcmp(a->path + same, b->path + same, BLOCK * sizeof *a->path))
        same += BLOCK;
    return same;
}

static void note_right(struct foresight *f, const struct way *way, uint32_t from, uint32_t right)
{
    group_seen(f->system, way->path, from, right);
    remember(f, way->path, from, right);
}

static void note_wrong(struct foresight *f, const struct way *way, uint32_t right, struct arrival *a)
{
    f->mistakes += way->path[right].to != NO_NODE;
    note_arrival(f, way->path, right, group_learn(f->system, &way->path[right], a));
}

/* What became of the set that was sent off. VOID: a path was wrong. */
static enum took await_sent(struct foresight *f, struct err *err)
{
    const struct runner *runner = f->system->runner;
    const struct set *set = &f->sets[!f->gathered];
    uint32_t wrong = 0, right = 0;
    struct arrival a = { 0 };
    if (!f->sent)
        return STEP_TAKEN;
    f->sent = false;
    int rc = runner->await(runner->self, &wrong, &right, &a, err);
    if (rc < 0)
        return system_failed(err, rc);
    assert(wrong <= set->count && (wrong == set->count || right < set->ways[wrong].count));
    if (wrong < set->count)
        note_wrong(f, &set->ways[wrong], right, &a);
    for (uint32_t i = 0; i < wrong; i++)
        note_right(f, &set->ways[i], i ? common(&set->ways[i - 1], &set->ways[i]) : 0, set->ways[i].count);
    for (uint32_t i = 0; i < wrong && rc >= 0; i++)
        rc = group_races(f->system, set->ways[i].path, set->ways[i].count, i, err);
    if (rc < 0)
        return system_failed(err, rc);
    if (wrong == set->count) {
        f->mistakes = 0;
        return STEP_TAKEN;
    }
    note_right(f, &set->ways[wrong], 0, right);
    keep_proven(f, set, wrong);
    f->wrong = set->number;
    return STEP_VOID;
}

static enum took send_gathered(struct foresight *f, enum sending how, struct err *err)
{
    const struct runner *runner = f->system->runner;
    struct set *set = &f->sets[f->gathered];
    assert(!f->sent);
    if (!set->count)
        return STEP_TAKEN;
    for (uint32_t i = 0, at = 0; i < set->count; at += set->ways[i++].count)
        set->ways[i].path = set->legs + at;
    int rc = runner->send(runner->self, set->ways, set->count, how, err);
    f->sent = rc >= 0;
    f->gathered = !f->gathered;
    f->sets[f->gathered].count = f->sets[f->gathered].used = 0;
    return rc < 0 ? system_failed(err, rc) : STEP_TAKEN;
}

static enum took settle_deferred(struct foresight *f, struct err *err)
{
    if (f->wrong)
        return STEP_VOID;
    enum took took = await_sent(f, err);
    if (took == STEP_TAKEN)
        took = send_gathered(f, SEND_AND_WAIT, err);
    return took == STEP_TAKEN ? await_sent(f, err) : took;
}

static void gather(struct foresight *f)
{
    const struct group *g = f->system->group;
    struct set *set = &f->sets[f->gathered];
    assert(set->count < MOST_DEFERRED && !f->wrong);
    if (set->used + g->count > set->room) {
        set->room = 2 * (set->used + g->count);
        set->legs = memory_resize(set->legs, set->room * sizeof *set->legs);
    }
    if (!set->count)
        set->number = ++f->numbered;
    if (g->count)
        memcpy(set->legs + set->used, g->path, g->count * sizeof *g->path);
    set->used += g->count;
    assert(set->used <= set->room);
    set->ways[set->count++].count = g->count;
}

enum took foresight_defer(struct foresight *f, uint32_t most, uint32_t *set, bool *sent, struct err *err)
{
    *sent = false;
    if (f->wrong)
        return STEP_VOID;
    gather(f);
    *set = f->numbered;
    if (f->sets[f->gathered].count < most && f->sets[f->gathered].count < MOST_DEFERRED)
        return STEP_TAKEN;
    *sent = true;
    if (f->sets[f->gathered].count < MANY)               /* mostly because some were wrong: who goes on in vain wastes time */
        return settle_deferred(f, err);
    enum took took = await_sent(f, err);
    return took == STEP_TAKEN ? send_gathered(f, SEND_AND_GO_ON, err) : took;
}

/* ---- one path ---- */

static uint32_t led_to(const struct system *s, const struct leg *leg)
{
    const struct edge *edge = graph_edge(&s->graphs[leg->process], leg->from, leg->result);
    assert(edge);                                        /* the graph has just learned it */
    return edge->next;
}

/* Has the program run along it; the group then says how many legs were right. VOID: what was deferred was wrong. */
static enum took ask(struct foresight *f, struct err *err)
{
    struct group *g = f->system->group;
    enum took took = settle_deferred(f, err);
    uint32_t run = g->run;
    bool open = g->count && g->path[g->count - 1].to == NO_NODE;
    if (took != STEP_TAKEN || run == g->count) {
        g->right = g->count;
        return took;
    }
    int rc = group_run(f->system, err);
    if (rc < 0)
        return system_failed(err, rc);
    if (g->right < g->count) {
        f->mistakes += !(open && g->right + 1 == g->count);
        note_arrival(f, g->path, g->right, led_to(f->system, &g->path[g->right]));
    } else {
        f->mistakes = 0;
    }
    remember(f, g->path, run < g->right ? run : g->right, g->right);
    return STEP_TAKEN;
}

enum took foresight_settle(struct foresight *f, struct err *err)
{
    const struct group *g = f->system->group;
    enum took took = ask(f, err);
    return took == STEP_TAKEN && g->right < g->count ? STEP_AGAIN : took;
}

/* ---- where a step should lead ---- */

/* So many steps of the path may lead where nobody has been before the program is asked. */
static bool too_many_unseen(const struct system *s)
{
    const struct group *g = s->group;
    uint32_t unseen = 0;
    for (uint32_t i = g->count - 1; i-- > g->run && unseen < MOST_UNSEEN;)
        unseen += (s->nodes[g->path[i].process][g->path[i].to].flags & NODE_UNSEEN) != 0;
    return unseen == MOST_UNSEEN;
}

/* What a thread is to do may stand in memory (std::thread), not in the call that creates it. */
static bool is_told_by_memory(const struct op *op)
{
    return types_get(op->type)->operations[op->code].completes == COMPLETES_FUNCTION;
}

/* The leg is supposed to lead to a node like this one. Whether that is outside depends on who called whom, and which thread is made on memory, which nobody
 * knows who is only like it: there, and where something is hidden, the program is asked. */
static uint32_t suppose(struct system *s, const struct leg *leg, const struct node *like)
{
    if (s->group->tails || is_told_by_memory(&like->op))
        return NO_NODE;
    struct arrival a = { .op = like->op, .fingerprint = { 0, like->fingerprint[1] } };
    a.op.process = (uint8_t)leg->process;
    return too_many_unseen(s) ? NO_NODE : group_node(s, leg, &a, SUPPOSED);
}

/* One result has led to different nodes. */
static uint32_t guess(struct foresight *f, const struct leg *path, uint32_t at)
{
    struct system *s = f->system;
    uint32_t to = guess_where(f->guess, s, path, at);
    const struct node *like = to == NO_NODE ? guess_common(f->guess, s, sum_of(s, path, at), &path[at]) : NULL;
    assert(to == NO_NODE || s->nodes[path[at].process][to].fingerprint[0] == group_past(s, &path[at]));
    return like ? suppose(s, &path[at], like) : to;
}

/* Nobody took this step yet. */
static uint32_t guess_unknown(struct foresight *f, const struct leg *leg)
{
    uint32_t like = guess_like(f->guess, f->system, leg);
    return like == NO_NODE ? NO_NODE : suppose(f->system, leg, &f->system->nodes[leg->process][like]);
}

/* Where the last leg of the path should lead; NO_NODE: nobody knows. */
static uint32_t forecast(struct foresight *f)
{
    const struct group *g = f->system->group;
    const struct leg *leg = &g->path[g->count - 1];
    const struct graph *graph = &f->system->graphs[leg->process];
    if (f->mistakes > MOST_MISTAKES)
        return NO_NODE;
    uint32_t guessed = graph->nodes[leg->from].flags & NODE_VARIES ? guess(f, g->path, g->count - 1) : NO_NODE;
    if (guessed != NO_NODE)
        return guessed;
    const struct node *n = &graph->nodes[leg->from];
    if (n->one.result == leg->result && n->one.next != NO_NODE)
        return n->one.next;
    const struct edge *edge = graph_edge(graph, leg->from, leg->result);
    return edge ? edge->next : guess_unknown(f, leg);
}

/* Where it leads, by the program. */
static enum took find_out(struct foresight *f, uint32_t *to, struct err *err)
{
    struct group *g = f->system->group;
    enum took took = ask(f, err);
    if (took != STEP_TAKEN)
        return took;
    if (g->right + 1 < g->count)
        return STEP_AGAIN;
    g->run = g->count;
    *to = g->path[g->count - 1].to;
    assert(*to != NO_NODE);
    return STEP_TAKEN;
}

static enum took lead(struct foresight *f, enum asking how, uint32_t *to, struct err *err)
{
    *to = how == FORESEE ? forecast(f) : NO_NODE;
    return *to == NO_NODE ? find_out(f, to, err) : STEP_TAKEN;
}

static enum took foresee_outside(void *self, uint32_t *to, struct err *err) { return lead(self, FORESEE, to, err); }
static enum took ask_outside(void *self, uint32_t *to, struct err *err) { return lead(self, ASK, to, err); }

static enum took try_step(struct foresight *f, int p, uint32_t choice, enum asking how, struct step *step, struct err *err)
{
    struct system *s = f->system;
    const struct node *n = system_pending(s, p);
    uint32_t slot = n->slot, to;
    step_begin(s, p, choice, step);
    system_log_room(s, OBJECT_CHANGES_OF_GROUP);
    group_perform(s, n, step);
    enum took took = lead(f, how, &to, err);
    if (took != STEP_TAKEN) {
        step_undo(s, step);
        return took;
    }
    STEP_ASSERT(to < s->graphs[p].count);
    group_arrive(s, to);
    step_finish(s, p, step, slot, to);
    if (s->hides && s->group->tails)
        took = hidden_run(s, step, (struct arriving){ how == FORESEE ? foresee_outside : ask_outside, f }, err);
    STEP_CHECK(s);
    return took;
}

/* What was wrong in the tail of this very step is known now: it is tried again, and nobody need know. */
enum took foresight_execute(struct foresight *f, int p, uint32_t choice, enum asking how, struct step *step, struct err *err)
{
    uint32_t legs = system_path_length(f->system);
    enum took took;
    do
        took = try_step(f, p, choice, how, step, err);
    while (took == STEP_AGAIN && f->system->group->right >= legs);
    assert(took == STEP_TAKEN || system_path_length(f->system) == legs);
    return took;
}
