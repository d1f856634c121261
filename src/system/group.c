/* SPDX-License-Identifier: MIT */
#include "system/group.h"
#include "system/guess.h"
#include "system/step.h"

#include "base/memory.h"
#include "objects/process.h"
#include "objects/types.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { NODE_NONE, NODE_START, NODE_KILLED };     /* the first nodes of every graph */
enum { CANCELLABLE = 1 };                        /* in arg[2] */

/* How a process comes to be: it keeps its number in all executions by it. Kind NEVER: nobody has this number. */
enum { A_THREAD, A_UNIX_PROCESS, NEVER };
struct birth { int parent, kind; uint32_t nth; };

enum { MOST_DEFERRED = 48 };
enum { MANY = 16 };                              /* such a set is worth going on while the program runs it */
enum { MOST_MISTAKES = 32 };                     /* in a row, before the program is asked at every step: guesses may run in circles */
enum { MOST_UNSEEN = 12 };                       /* steps of a path that are supposed before the program is asked */

struct set {
    uint32_t         number;
    struct foreseen *steps;                      /* of all its paths, one after the other */
    uint32_t         room, used;
    struct way       ways[MOST_DEFERRED];        /* `path` is filled when they are sent off */
    uint32_t         count;
};

struct group {
    const struct runner  *runner;
    const struct created *created;
    struct foreseen      *path;
    uint32_t              count, room, settled, right;
    struct set            sets[2];               /* paths that are believed for now: one set is gathered, the other may be sent off */
    uint32_t              gathered;              /* which */
    uint32_t              numbered;              /* sets so far */
    bool                  sent;
    uint32_t              wrong;                 /* number of the set in which one was wrong; 0: none was */
    uint64_t              proven[MOST_DEFERRED]; /* those before it: they will come again */
    uint32_t              proven_count, proven_at;
    struct guess         *guess;
    uint32_t              expect_result, expect; /* where the next step leads, if it gives this; NO_NODE: nobody knows */
    uint32_t              mistakes;              /* since something was right */
    bool                  foresee;
    bool                  varies;                /* some node does (NODE_VARIES) */
    int                   next_child;            /* the number for the next new process; -1: the next free one */
    struct birth          births[MAX_PROCESSES];
    int                   host[MAX_PROCESSES], parent[MAX_PROCESSES];    /* UNIX process it belongs to; its parent's, -1: none */
    uint64_t              joiners[MAX_PROCESSES];        /* who was seen to join or detach it */
    uint64_t              waiters, robust;               /* who was seen to wait for children, to use a robust mutex */
    uint64_t              families[MAX_PROCESSES];       /* of each UNIX process: its threads */
    bool                  cancels;                       /* somebody was seen to cancel another */
    uint64_t              born;                          /* who was there when the program ran, not only in a forecast */
    uint64_t              leaderless;                    /* UNIX processes whose first thread was seen to end before the others */
    uint32_t              ends[MAX_PROCESSES];   /* what step.h writes when a process ends; nobody looks at it */
};

struct group *group_new(const struct start *start)
{
    struct group *g = memory_get(sizeof *g);
    g->created = start->objects;
    g->parent[0] = g->next_child = -1;
    g->families[0] = UINT64_MAX;                 /* until they are known not to be */
    g->guess = guess_new();
    g->expect = NO_NODE;
    return g;
}

void group_free(struct group *g)
{
    if (g)
        free(g->path), free(g->sets[0].steps), free(g->sets[1].steps), guess_free(g->guess);
    free(g);
}

void group_foresee(struct group *g, bool on) { g->foresee = on; }
uint32_t group_right(const struct group *g) { return g->right; }
uint32_t group_length(const struct group *g) { return g->count; }
const struct created *group_created(const struct group *g) { return g->created; }

static const uint32_t *table(const struct system *s) { return s->words + s->objects[s->table].state; }

/* ---- processes ---- */

static void add_first_nodes(struct system *s, int p)
{
    static const uint8_t codes[] = { [NODE_NONE] = PROCESS_NONE, [NODE_START] = PROCESS_START, [NODE_KILLED] = PROCESS_EXIT };
    for (uint32_t i = 0; i < sizeof codes; i++) {
        struct arrival a = { .op = { .type = TYPE_PROCESS, .code = codes[i], .process = (uint8_t)p, .object = NO_OBJECT },
                             .fingerprint = { (uint64_t)p + 1, i } };
        graph_add(&s->graphs[p], &a, NO_NODE, 0);
    }
    s->nodes[p] = s->graphs[p].nodes;
    step_place(s, p, NODE_NONE);
}

static void move_to(struct system *s, int p, uint32_t node)
{
    object_set(&s->log, &s->node[p], node);
    step_place(s, p, node);
}

void group_attach(struct system *s, const struct runner *runner)
{
    s->group->runner = runner;
    s->ends = s->group->ends;
    add_first_nodes(s, 0);
    step_place(s, 0, NODE_START);
    s->alive = s->enabled = BIT(0);
}

static void add_number(struct system *s)
{
    int p = s->processes++;
    s->group->births[p].kind = NEVER;
    graph_init(&s->graphs[p], p, s->group->runner);
    s->graphs[p].prepare = s->graphs[0].prepare;
    s->graphs[p].prepare_arg = s;
    add_first_nodes(s, p);
}

/* A number that nobody has; MAX_PROCESSES: all are taken. */
static int number_for_new(struct system *s)
{
    int p = s->group->next_child;
    s->group->next_child = -1;
    if (p < 1 || p >= MAX_PROCESSES || (p < s->processes && s->group->births[p].kind != NEVER))
        p = s->processes;
    while (s->processes <= p && p < MAX_PROCESSES)
        add_number(s);
    return p;
}

/* The number of the process that this one creates next; UINT32_MAX: there are too many. */
static uint32_t child_of(struct system *s, const struct op *op)
{
    struct group *g = s->group;
    struct birth b = { op->process, op->arg[0] ? A_UNIX_PROCESS : A_THREAD, process_children(table(s), op->process) };
    for (int p = 1; p < s->processes; p++)
        if (g->births[p].parent == b.parent && g->births[p].kind == b.kind && g->births[p].nth == b.nth)
            return (uint32_t)p;
    int p = number_for_new(s);
    if (p == MAX_PROCESSES)
        return UINT32_MAX;
    g->births[p] = b;
    g->families[g->host[p]] &= ~BIT(p);
    g->host[p] = b.kind == A_UNIX_PROCESS ? p : g->host[b.parent];
    g->families[g->host[p]] |= BIT(p);
    g->parent[p] = b.kind == A_UNIX_PROCESS ? g->host[b.parent] : -1;
    return (uint32_t)p;
}

void group_next_child(struct group *g, int number) { g->next_child = number; }

void group_expect(struct group *g, uint32_t result, uint32_t next)
{
    g->expect_result = result;
    g->expect = next;
}

static void bear(struct system *s, int child)
{
    move_to(s, child, NODE_START);
    s->alive |= BIT(child);
    s->enabled |= BIT(child);
}

static void tell_ended(struct system *s, int process)
{
    for (struct object *o = s->objects; o < s->objects + s->object_count; o++)
        if (o->type->ended)
            o->type->ended(&s->log, s->words + o->state, process);
}

static void kill_family(struct system *s, int host, int but)
{
    uint64_t family = 0;
    for (uint64_t m = s->alive; m; m &= m - 1)
        family |= process_host(table(s), __builtin_ctzll(m)) == host ? m & -m : 0;
    for (uint64_t m = family; m; m &= m - 1)
        tell_ended(s, __builtin_ctzll(m));
    family &= ~(but < 0 ? 0 : BIT(but));
    s->alive &= ~family;
    s->enabled &= ~family;
    for (; family; family &= family - 1)
        move_to(s, __builtin_ctzll(family), NODE_KILLED);
}

/* ---- what an operation does ---- */

static bool is_process(const struct op *op, uint8_t code) { return op->type == TYPE_PROCESS && op->code == code; }

/* Does it change where others stand? */
static bool moves_others(const struct op *op)
{
    return is_process(op, PROCESS_CREATE) || is_process(op, PROCESS_LEAVE) || is_process(op, PROCESS_KILL);
}

static inline bool was_cancelled(const struct system *s, const struct op *op)
{
    return op->arg[2] & CANCELLABLE && (op->type == TYPE_PROCESS || op->type >= TYPE_MUTEX)
        && process_cancelled(table(s), op->process);
}

uint32_t group_choices(const struct system *s, const struct node *n)
{
    uint32_t choices = n->type->choices(s->words + n->state, &n->op);
    return choices ? choices : was_cancelled(s, &n->op);
}

static void tell_killed(struct system *s, int host)
{
    for (struct object *o = s->objects; o < s->objects + s->object_count; o++)
        if (o->type->killed)
            o->type->killed(&s->log, s->words + o->state, host);
}

static void tell_forked(struct system *s, int parent, int child)
{
    for (struct object *o = s->objects; o < s->objects + s->object_count; o++)
        if (o->type->forked)
            o->type->forked(&s->log, s->words + o->state, parent, child);
}

static uint32_t perform(struct system *s, const struct node *n, uint32_t choice)
{
    const struct op *op = &n->op;
    if (was_cancelled(s, op))
        return RESULT_CANCELLED;
    if (is_process(op, PROCESS_CREATE))
        choice = child_of(s, op);
    uint32_t result = n->type->execute(&s->log, s->words + n->state, op, choice);
    if (op->type != TYPE_PROCESS)
        return result;
    if (is_process(op, PROCESS_CREATE) && result != UINT32_MAX) {
        bear(s, (int)result);
        if (op->arg[0])
            tell_forked(s, s->group->host[op->process], (int)result);
    }
    if (is_process(op, PROCESS_FINISH))
        tell_ended(s, op->process);
    if (is_process(op, PROCESS_LEAVE))
        kill_family(s, s->group->host[op->process], op->process);
    if (is_process(op, PROCESS_KILL) && result == 0 && op->arg[1]) {
        kill_family(s, op->arg[0], -1);
        tell_killed(s, op->arg[0]);
    }
    return result;
}

/* A process stands before the first operation on an object since its memory was set up. */
static void renew(struct system *s, const struct op *op)
{
    const struct object *o = &s->objects[op->object];
    uint32_t *words = s->words + o->state;
    o->type->init(op->arg, s->scratch);
    for (uint32_t i = 0; i < o->words; i++)
        if (words[i] != s->scratch[i])
            object_set(&s->log, &words[i], s->scratch[i]);
}

/* ---- running, or foreseeing ---- */

static void push(struct group *g, const struct step *step, uint32_t to)
{
    if (__builtin_expect(g->count == g->room, 0))
        ARRAY_GROW(g->path, g->count, g->room);
    g->path[g->count++] = (struct foreseen){ .process = step->process, .from = step->node, .result = step->result,
                                             .to = to, .host = g->host[step->process] };
}

static void pop(struct group *g)
{
    g->count--;
    if (g->settled > g->count)
        g->settled = g->count;
}

/* The program has run this step. */
static void note_birth(struct system *s, const struct foreseen *f)
{
    if (is_process(&s->nodes[f->process][f->from].op, PROCESS_CREATE) && f->result < MAX_PROCESSES)
        s->group->born |= BIT(f->result);
}

bool group_was_there(const struct group *g, int process) { return process == 0 || g->born >> process & 1; }

/* The first `right` steps of the path led where they should: a better guess next time. */
static void remember(struct system *s, const struct foreseen *path, uint32_t right)
{
    struct guess *guess = s->group->guess;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < right; i++) {
        struct node *nodes = s->graphs[path[i].process].nodes;
        nodes[path[i].to].flags &= ~(uint32_t)NODE_UNSEEN;
        note_birth(s, &path[i]);
        if (!s->group->varies)
            continue;
        if (nodes[path[i].from].flags & NODE_VARIES) {
            guess_remember(guess, s, path, i, path[i].to);
            guess_remember_common(guess, s, sum, &path[i], path[i].to);
        }
        sum = guess_add(s, sum, &path[i]);
    }
}

/* What a process did so far, in whatever order, not where in memory it is, makes it the same node. Two pasts that differ only in
 * their order mostly lead on alike; and no node comes twice on a path, for the past grows. */
enum certainty { SUPPOSED, SEEN };
static uint32_t arrive_at(struct system *s, const struct foreseen *f, struct arrival *a, enum certainty how)
{
    struct graph *g = &s->graphs[f->process];
    uint32_t count = g->count;
    uint64_t past[2] = { f->result, g->nodes[f->from].fingerprint[1] };
    a->fingerprint[0] = g->nodes[f->from].fingerprint[0] + XXH3_64bits(past, sizeof past);
    a->mergeable = true;
    uint32_t next = how == SEEN || !graph_edge(g, f->from, f->result) ? graph_learn(g, f->from, f->result, a)
                                                                       : graph_add(g, a, f->from, f->result);
    s->nodes[f->process] = g->nodes;
    s->at[f->process] = &g->nodes[s->node[f->process]];
    if (how == SEEN)
        g->nodes[next].flags &= ~(uint32_t)NODE_UNSEEN;
    else if (g->count > count)
        g->nodes[next].flags |= NODE_UNSEEN;
    if (g->nodes[next].flags & NODE_ABORT)
        g->nodes[f->from].flags |= LEADS_TO_ABORT;
    return next;
}

static uint64_t sum_of(const struct system *s, const struct foreseen *path, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum = guess_add(s, sum, &path[i]);
    return sum;
}

/* Step number `at` of the path leads to this arrival. */
static uint32_t learn(struct system *s, const struct foreseen *path, uint32_t at, struct arrival *a)
{
    const struct foreseen *f = &path[at];
    struct graph *g = &s->graphs[f->process];
    const struct edge *edge = graph_edge(g, f->from, f->result);
    bool known = edge && !(g->nodes[edge->next].flags & NODE_UNSEEN);
    uint32_t next = arrive_at(s, f, a, SEEN);
    note_birth(s, f);
    guess_remember_like(s->group->guess, s, f, next);
    s->group->mistakes += f->to != NO_NODE;
    if (known) {
        g->nodes[f->from].flags |= NODE_VARIES;
        s->group->varies = true;
    }
    if (g->nodes[f->from].flags & NODE_VARIES) {
        guess_remember(s->group->guess, s, path, at, next);
        guess_remember_common(s->group->guess, s, sum_of(s, path, at), f, next);
    }
    return next;
}

/* So many steps of the path may lead where nobody has been before the program is asked. */
static bool too_many_unseen(const struct system *s)
{
    const struct group *g = s->group;
    uint32_t unseen = 0;
    for (uint32_t i = g->count; i-- > g->settled && unseen < MOST_UNSEEN;)
        unseen += (s->nodes[g->path[i].process][g->path[i].to].flags & NODE_UNSEEN) != 0;
    return unseen == MOST_UNSEEN;
}

/* The step is supposed to lead to a node like this one. */
static uint32_t suppose(struct system *s, const struct foreseen *f, const struct node *like)
{
    struct arrival a = { .op = like->op, .fingerprint = { 0, like->fingerprint[1] } };
    a.op.process = (uint8_t)f->process;
    return too_many_unseen(s) ? NO_NODE : arrive_at(s, f, &a, SUPPOSED);
}

uint32_t group_local_states(const struct system *s, int p)
{
    uint32_t count = 1;                          /* its start; not: before it and after it was killed */
    for (uint32_t i = NODE_KILLED + 1; i < s->graphs[p].count; i++)
        count += !(s->nodes[p][i].flags & NODE_UNSEEN);
    return count;
}

/* ---- paths that are believed for now ---- */

bool group_believes(const struct group *g) { return g->sent || g->sets[g->gathered].count; }
uint32_t group_wrong_set(const struct group *g) { return g->wrong; }

/* What was sent off was awaited before it turned out wrong. */
void group_forget_deferred(struct group *g)
{
    g->sets[g->gathered].count = g->sets[g->gathered].used = 0;
    g->wrong = 0;
}

static uint64_t hash_path(const struct foreseen *path, uint32_t count) { return XXH3_64bits(path, count * sizeof *path); }

/* Paths that were run, in vain because of one that came after them, are looked at again: they are right. */
bool group_proven(const struct system *s)
{
    struct group *g = s->group;
    if (g->proven_at == g->proven_count || g->proven[g->proven_at] != hash_path(g->path, g->count))
        return false;
    g->proven_at++;
    return true;
}

static void keep_proven(struct group *g, const struct set *set, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        g->proven[i] = hash_path(set->ways[i].path, set->ways[i].count);
    g->proven_count = count;
    g->proven_at = 0;
}

/* What became of the set that was sent off. -ESTALE: a path was wrong. */
static int await_sent(struct system *s, struct err *err)
{
    struct group *g = s->group;
    const struct set *set = &g->sets[!g->gathered];
    uint32_t wrong = 0, right = 0;
    struct arrival a = { 0 };
    if (!g->sent)
        return 0;
    g->sent = false;
    int rc = g->runner->await(g->runner->self, &wrong, &right, &a, err);
    if (rc < 0)
        return rc;
    if (wrong < set->count)
        learn(s, set->ways[wrong].path, right, &a);
    for (uint32_t i = 0; i < wrong; i++)
        remember(s, set->ways[i].path, set->ways[i].count);
    if (wrong == set->count) {
        g->mistakes = 0;
        return 0;
    }
    remember(s, set->ways[wrong].path, right);
    keep_proven(g, set, wrong);
    g->wrong = set->number;
    return -ESTALE;
}

static int send_gathered(struct group *g, struct err *err)
{
    struct set *set = &g->sets[g->gathered];
    if (!set->count)
        return 0;
    for (uint32_t i = 0, at = 0; i < set->count; at += set->ways[i++].count)
        set->ways[i].path = set->steps + at;
    int rc = g->runner->send(g->runner->self, set->ways, set->count, err);
    g->sent = rc >= 0;
    g->gathered = !g->gathered;
    g->sets[g->gathered].count = g->sets[g->gathered].used = 0;
    return rc;
}

static int settle_deferred(struct system *s, struct err *err)
{
    if (s->group->wrong)
        return -ESTALE;
    int rc = await_sent(s, err);
    if (rc >= 0)
        rc = send_gathered(s->group, err);
    return rc >= 0 ? await_sent(s, err) : rc;
}

static void gather(struct group *g)
{
    struct set *set = &g->sets[g->gathered];
    if (set->used + g->count > set->room) {
        set->room = 2 * (set->used + g->count);
        set->steps = memory_resize(set->steps, set->room * sizeof *set->steps);
    }
    if (!set->count)
        set->number = ++g->numbered;
    memcpy(set->steps + set->used, g->path, g->count * sizeof *g->path);
    set->used += g->count;
    set->ways[set->count++].count = g->count;
}

int group_defer(struct system *s, uint32_t most, uint32_t *set, struct err *err)
{
    struct group *g = s->group;
    if (g->wrong)
        return -ESTALE;
    gather(g);
    *set = g->numbered;
    if (g->sets[g->gathered].count < most && g->sets[g->gathered].count < MOST_DEFERRED)
        return 0;
    bool few = g->sets[g->gathered].count < MANY;        /* mostly because some were wrong: who goes on in vain wastes time */
    int rc = await_sent(s, err);
    if (rc >= 0)
        rc = send_gathered(g, err);
    if (rc >= 0 && few)
        rc = await_sent(s, err);
    return rc < 0 ? rc : 1;
}

int group_settle(struct system *s, uint32_t *right, struct err *err)
{
    struct group *g = s->group;
    struct arrival a = { 0 };
    int stale = settle_deferred(s, err);
    if (stale < 0)
        return stale;
    *right = g->count;
    if (g->settled == g->count)
        return 0;
    int rc = g->runner->settle(g->runner->self, g->path, g->count, right, &a, err);
    if (rc < 0)
        return rc;
    if (*right < g->count)
        g->path[*right].to = learn(s, g->path, *right, &a);
    else
        g->mistakes = 0;
    remember(s, g->path, *right);
    g->settled = *right;
    return 0;
}

/* Runs the program to the end of the path. What the last step leads to is then known; a step before it may be wrong. */
static int run_on(struct system *s, struct err *err)
{
    struct group *g = s->group;
    int rc = group_settle(s, &g->right, err);
    if (rc < 0)
        return rc;
    if (g->right + 1 < g->count)
        return -EAGAIN;
    g->settled = g->count;
    return 0;
}

/* One result has led to different nodes. */
static uint32_t guess(struct system *s, const struct step *step)
{
    struct group *g = s->group;
    push(g, step, NO_NODE);
    struct foreseen f = g->path[--g->count];
    uint32_t to = guess_where(g->guess, s, g->path, g->count);
    const struct node *like = to == NO_NODE ? guess_common(g->guess, s, sum_of(s, g->path, g->count), &f) : NULL;
    return like ? suppose(s, &f, like) : to;
}

/* Nobody took this step yet. */
static uint32_t guess_unknown(struct system *s, const struct step *step)
{
    struct foreseen f = { .process = step->process, .from = step->node, .result = step->result };
    uint32_t like = guess_like(s->group->guess, s, &f);
    return like == NO_NODE ? NO_NODE : suppose(s, &f, &s->nodes[f.process][like]);
}

/* Where the step should lead; NO_NODE: nobody knows. */
static uint32_t edge_to(struct system *s, const struct node *n, const struct step *step)
{
    if (s->group->mistakes > MOST_MISTAKES)
        return NO_NODE;
    uint32_t guessed = n->flags & NODE_VARIES ? guess(s, step) : NO_NODE;
    if (guessed != NO_NODE)
        return guessed;
    n = &s->nodes[step->process][step->node];            /* a guess may have made the graph grow */
    if (n->one.result == step->result && n->one.next != NO_NODE)
        return n->one.next;
    const struct edge *edge = graph_edge(&s->graphs[step->process], step->node, step->result);
    return edge ? edge->next : s->group->foresee ? guess_unknown(s, step) : NO_NODE;
}

int group_operate(struct system *s, const struct node *n, struct step *step, uint32_t *next, struct err *err)
{
    struct group *g = s->group;
    int p = (int)step->process;
    step->log = (uint32_t)(s->log.top - s->log_start) + 1;
    step->result = perform(s, n, step->choice);
    bool expected = g->expect != NO_NODE && g->expect_result == step->result;
    uint32_t to = expected ? g->expect : edge_to(s, n, step);
    push(g, step, to);
    if (to == NO_NODE || !g->foresee) {
        int rc = run_on(s, err);
        if (rc < 0) {
            uint64_t enabled = step->enabled;
            step_place(s, p, step->node);
            group_take_back(s, step);
            s->enabled = enabled;
            return rc;
        }
    }
    *next = g->path[g->count - 1].to;
    const struct op *op = &s->nodes[p][*next].op;
    if (op->fresh && op->object != NO_OBJECT)
        renew(s, op);
    return 0;
}

static void look_again(struct system *s)
{
    s->alive = 0;
    for (int p = 0; p < s->processes; p++) {
        step_place(s, p, s->node[p]);
        s->alive |= s->at[p]->flags & NODE_END ? 0 : BIT(p);
    }
}

void group_take_back(struct system *s, const struct step *step)
{
    const struct op *op = &s->nodes[step->process][step->node].op;
    for (struct change *end = s->log_start + step->log - 1; s->log.top > end;) {
        s->log.top--;
        *s->log.top->word = s->log.top->old;
    }
    pop(s->group);
    if (moves_others(op))
        look_again(s);
}

uint64_t group_ends_with(const struct system *s, int p)
{
    const struct op *op = &system_pending(s, p)->op;
    if (is_process(op, PROCESS_LEAVE))
        return process_family(table(s), s->group->host[p]) & s->alive & ~BIT(p);
    return is_process(op, PROCESS_KILL) && op->arg[1] ? process_family(table(s), op->arg[0]) & s->alive & ~BIT(p) : 0;
}

/* ---- who depends on whom ---- */

static bool may_await(const struct group *g, const struct op *wait, int host)
{
    return is_process(wait, PROCESS_WAIT) && g->parent[host] == g->host[wait->process]
        && (wait->arg[0] < 0 || wait->arg[0] == host);
}

static bool about_thread(const struct op *op, int thread)
{
    return (is_process(op, PROCESS_JOIN) || is_process(op, PROCESS_DETACH)) && op->arg[0] == thread;
}

static bool robust(const struct op *op) { return op->type == TYPE_MUTEX && op->arg[0] & MUTEX_ROBUST; }

/* A fork copies the locks and the ends of pipes of its UNIX process as they are. */
static bool copies(const struct group *g, const struct op *fork, const struct op *y)
{
    bool copied = y->type == TYPE_STREAMS || (y->type >= TYPE_MUTEX && y->type <= TYPE_COUNTER);
    return copied && g->host[fork->process] == g->host[y->process];
}

/* Who ends last ends the UNIX process, unless its first thread left it before. */
static bool may_be_last(const struct group *g, const struct op *finish) { return g->leaderless >> g->host[finish->process] & 1; }

/* Does what x does to a process matter to y? */
static bool reaches(const struct group *g, const struct op *x, uint32_t result, const struct op *y)
{
    switch (x->code) {
    case PROCESS_CREATE: return result == y->process || (x->arg[0] && copies(g, x, y));
    case PROCESS_CANCEL: return x->arg[0] == y->process;
    case PROCESS_DETACH:
    case PROCESS_JOIN:   return about_thread(y, x->arg[0]) || (is_process(y, PROCESS_FINISH) && y->process == x->arg[0]);
    case PROCESS_FINISH: return about_thread(y, x->process) || robust(y)
                             || (may_be_last(g, x) && is_process(y, PROCESS_FINISH)
                                 && g->host[x->process] == g->host[y->process]);
    case PROCESS_WAIT:   return is_process(y, PROCESS_WAIT) && g->host[x->process] == g->host[y->process];
    case PROCESS_LEAVE:  return g->host[x->process] == g->host[y->process] || may_await(g, y, g->host[x->process]) || robust(y);
    case PROCESS_KILL:   return x->arg[0] == g->host[y->process] || may_await(g, y, x->arg[0]) || robust(y)
                             || (is_process(y, PROCESS_KILL) && x->arg[0] == y->arg[0])
                             || (is_process(y, PROCESS_LEAVE) && x->arg[0] == g->host[y->process])
                             || y->type == TYPE_STREAMS || y->type == TYPE_SEMSET;
    default:             return false;
    }
}

void group_note(struct group *g, const struct op *op)
{
    if (is_process(op, PROCESS_JOIN) || is_process(op, PROCESS_DETACH))
        g->joiners[op->arg[0]] |= BIT(op->process);
    if (is_process(op, PROCESS_WAIT))
        g->waiters |= BIT(op->process);
    if (robust(op))
        g->robust |= BIT(op->process);
    g->cancels |= is_process(op, PROCESS_CANCEL);
    if (is_process(op, PROCESS_FINISH) && g->host[op->process] == op->process)
        g->leaderless |= BIT(op->process);
}

uint64_t group_rules(const struct group *g) { return g->leaderless; }
bool group_cancels(const struct group *g, const struct op *op) { return g->cancels && op->arg[2] & CANCELLABLE; }

bool group_enables(const struct op *first, uint32_t first_result, const struct op *second, uint32_t second_result)
{
    return (is_process(first, PROCESS_CREATE) && first_result == second->process)
        || (is_process(first, PROCESS_FINISH) && is_process(second, PROCESS_JOIN) && second->arg[0] == first->process
            && !second->arg[1] && second_result == 0);
}

static uint64_t family(const struct group *g, int host) { return g->families[host]; }

/* Whom `reaches` can name. */
uint64_t group_reach(const struct group *g, const struct op *op, uint32_t result)
{
    switch (op->code) {
    case PROCESS_CREATE: return (result < MAX_PROCESSES ? BIT(result) : 0) | (op->arg[0] ? family(g, g->host[op->process]) : 0);
    case PROCESS_CANCEL: return BIT(op->arg[0]);
    case PROCESS_DETACH:
    case PROCESS_JOIN:   return BIT(op->arg[0]) | g->joiners[op->arg[0]];
    case PROCESS_FINISH: return g->joiners[op->process] | g->robust
                              | (may_be_last(g, op) ? family(g, g->host[op->process]) : 0);
    case PROCESS_WAIT:   return g->waiters;
    case PROCESS_LEAVE:  return family(g, g->host[op->process]) | g->waiters | g->robust;
    case PROCESS_KILL:   return UINT64_MAX;
    default:             return 0;
    }
}

bool group_conflict(const struct group *g, const struct op *a, uint32_t a_result, const struct op *b, uint32_t b_result)
{
    return (a->type == TYPE_PROCESS && reaches(g, a, a_result, b)) || (b->type == TYPE_PROCESS && reaches(g, b, b_result, a));
}
