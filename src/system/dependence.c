/* SPDX-License-Identifier: MIT */
#include "system/dependence.h"
#include "system/group.h"

#include "objects/timers.h"

#include <assert.h>
#include <unistd.h>
#include <xxhash.h>

/* ---- of a sharing group: who waits for whom, who ends whom ---- */

static bool may_await(const struct group *g, const struct op *wait, int host)
{
    return is_process(wait, PROCESS_WAIT) && g->parent[host] == g->host[wait->process]
        && (wait->arg[0] < 0 || wait->arg[0] == host);
}

static bool joins(const struct op *op, int thread) { return is_process(op, PROCESS_JOIN) && op->arg[0] == thread; }

static bool about_thread(const struct op *op, int thread)
{
    return (is_process(op, PROCESS_JOIN) || is_process(op, PROCESS_DETACH)) && op->arg[0] == thread;
}

static bool robust(const struct op *op) { return types_traits(op) & OP_SEES_ENDS; }

/* A fork copies the locks and the ends of pipes of its UNIX process as they are. */
static bool copies(const struct group *g, const struct op *fork, const struct op *y)
{
    return types_get(y->type)->copied && g->host[fork->process] == g->host[y->process];
}

/* Which number a new thread gets may depend on who has ended, who was joined, and who came before it (numbers.c). */
static bool takes_from(const struct group *g, const struct op *create, const struct op *y)
{
    bool matters = is_process(y, PROCESS_FINISH) || is_process(y, PROCESS_CREATE) || is_process(y, PROCESS_JOIN)
                || is_process(y, PROCESS_DETACH);
    return g->crowded && matters && g->host[create->process] == g->host[y->process];
}

/* The last thread ends its UNIX process, if the first one has left that. Of which UNIX processes does it matter who is the last; of
 * which does it matter to others when all have ended? */
static uint64_t last_has_to_do(const struct group *g) { return g->leaderless & g->prepared; }
static uint64_t last_is_seen(const struct group *g)   { return g->several ? g->leaderless : 0; }

static bool same_host(const struct group *g, const struct op *x, const struct op *y)
{
    return g->host[x->process] == g->host[y->process];
}

/* Does it matter to y that this UNIX process ends? */
static bool end_matters(const struct group *g, int host, const struct op *y)
{
    return may_await(g, y, host) || robust(y) || (is_process(y, PROCESS_ALONE) && g->host[y->process] != host);
}

/* The same, when what it has open is closed with it. */
static bool sudden_end_matters(const struct group *g, int host, const struct op *y)
{
    return end_matters(g, host, y) || types_get(y->type)->killed || types_traits(y) & OP_SEES_KILLS;
}

/* ---- signals ---- */

/* Does it take, or look at, what is pending for its UNIX process? */
static bool may_take(const struct op *op)
{
    return is_process(op, PROCESS_SIGMASK) || is_process(op, PROCESS_SIGWAIT) || is_process(op, PROCESS_SIGPENDING)
        || is_process(op, PROCESS_PAUSE);
}

static bool took_shared(const struct op *op, uint32_t result)
{
    return result == UINT32_MAX || ((IS_RESULT_SIGNAL(result) || is_process(op, PROCESS_SIGWAIT)) && result & SIGNAL_SHARED);
}

/* Two that look for what is pending for their UNIX process: it matters who comes first if one of them finds something. Of one
 * that was executed the result says so; where only one was, what it found is all that there was for both. */
static bool compete(const struct group *g, const struct op *x, uint32_t result, const struct op *y, uint32_t y_result)
{
    if (!may_take(y) || !same_host(g, x, y))
        return false;
    if ((result == UINT32_MAX) != (y_result == UINT32_MAX))
        return took_shared(result == UINT32_MAX ? y : x, result == UINT32_MAX ? y_result : result);
    return took_shared(x, result) || took_shared(y, y_result);
}

/* A signal that was sent to this UNIX process, with this result: does y, of the same, change who gets it, or is it who does? Where
 * several could have got it, each may be: which one it was is the search's choice, and must not tell what depends on it. */
static bool signal_meets(const struct group *g, int host, uint32_t result, const struct op *y, uint32_t y_result)
{
    if (g->host[y->process] != host)
        return false;
    bool known = result != UINT32_MAX && !(result & (SIGNAL_ENDS | SIGNAL_KILLED));
    uint32_t target = result >> SIGNAL_TARGET_SHIFT & SIGNAL_TARGET;
    if (!known || result & SIGNAL_ONE_OF_MANY || may_take(y) || IS_RESULT_SIGNAL(y_result))
        return true;
    if (is_process(y, PROCESS_SIGACTION) || is_process(y, PROCESS_CREATE) || is_process(y, PROCESS_FINISH)
        || is_process(y, PROCESS_LEAVE) || is_process(y, PROCESS_ALONE))
        return true;
    return !IS_RESULT_SIGNAL(result) && result & SIGNAL_SENT && target == y->process;
}

static int target_host(const struct group *g, const struct op *kill)
{
    return kill->arg[2] & KILL_THREAD ? g->host[kill->arg[0]] : kill->arg[0];
}

/* Of the signal that a parent gets: nothing comes of it unless it is handled or blocked. */
static bool tells_parent(const struct group *g, const struct op *leave, uint32_t result, const struct op *y, uint32_t y_result)
{
    int parent = g->parent[g->host[leave->process]];
    if (parent < 0)
        return false;
    if (result != UINT32_MAX && !(result & SIGNAL_SENT))
        return g->host[y->process] == parent && (is_process(y, PROCESS_SIGACTION) || may_take(y) || is_process(y, PROCESS_LEAVE));
    return signal_meets(g, parent, result == UINT32_MAX && !g->signals ? 0 : result, y, y_result)
        || ((is_process(y, PROCESS_KILL) || is_process(y, PROCESS_EXPIRE)) && target_host(g, y) == parent && y->arg[1]);
}

static bool kill_meets(const struct group *g, const struct op *x, uint32_t result, const struct op *y, uint32_t y_result)
{
    int host = target_host(g, x);
    bool ends = result == UINT32_MAX || result & (SIGNAL_KILLED | SIGNAL_ENDS);
    if (signal_meets(g, host, x->arg[1] ? result : 0, y, y_result) || may_await(g, y, host) || about_thread(y, x->arg[0]))
        return true;
    if ((is_process(y, PROCESS_KILL) || (is_process(y, PROCESS_EXPIRE) && y->arg[1])) && target_host(g, y) == host)
        return true;
    if (x->arg[2] & KILL_FIRST_OF_MANY && is_process(y, PROCESS_CREATE) && y->arg[0])
        return true;
    return x->arg[1] && ends && (sudden_end_matters(g, host, y)
                                 || (g->parent[host] >= 0 && g->parent[host] == g->host[y->process]));
}

/* ---- timers: see timers.c ---- */

static bool same_timer(const struct op *x, const struct op *y)
{
    int a = is_process(x, PROCESS_EXPIRE) ? x->process : timers_of(x), b = is_process(y, PROCESS_EXPIRE) ? y->process : timers_of(y);
    return a == b;
}

static bool begins_to_wait(const struct op *op)
{
    uint64_t span;
    return timers_begins(op, &span);
}

static bool sees_ticks(const struct op *op, uint32_t channel)
{
    const struct object_type *type = types_get(op->type);
    return type->sees_ticks && type->sees_ticks(op, channel);
}

/* May y change who of several is held? */
static bool may_release(const struct group *g, const struct op *y, uint32_t y_result)
{
    return (g->several && (IS_RESULT_SIGNAL(y_result) || may_take(y) || is_process(y, PROCESS_SIGACTION))) || sees_ticks(y, NO_OBJECT);
}

static bool expiry_meets(const struct group *g, const struct op *x, uint32_t result, const struct op *y, uint32_t y_result)
{
    uint32_t channel = (uint32_t)x->arg[2] >> EXPIRE_CHANNEL_SHIFT & 0xff;
    bool any = x->arg[2] & EXPIRE_ANY;
    if (result != UINT32_MAX && result & EXPIRE_GONE)            /* it only sees that it is deleted */
        return timer_operates(y) && same_timer(x, y);
    if (timer_operates(y) && (same_timer(x, y) || (!any && !is_process(y, PROCESS_GETTIME) && !begins_to_wait(y))))
        return true;
    if ((channel && sees_ticks(y, channel - 1)) || (!any && may_release(g, y, y_result)))
        return true;
    return x->arg[1] && kill_meets(g, x, result != UINT32_MAX && result & EXPIRE_AGAIN ? 0 : result, y, y_result);
}

static bool settime_meets(const struct op *x, const struct op *y)
{
    uint32_t channel = (uint32_t)x->arg[0] >> TIMER_CHANNEL_SHIFT & TIMER_FIELD;
    return (timer_operates(y) && same_timer(x, y)) || (channel && sees_ticks(y, channel - 1));
}

/* ---- operations on processes ---- */

static bool finish_reaches(const struct group *g, const struct op *x, const struct op *y, uint32_t y_result)
{
    uint64_t host = BIT(g->host[x->process]);
    return joins(y, x->process) || robust(y)
        || (last_has_to_do(g) & host && is_process(y, PROCESS_FINISH) && same_host(g, x, y))
        || (last_is_seen(g) & host && (sudden_end_matters(g, g->host[x->process], y) || tells_parent(g, x, UINT32_MAX, y, y_result)));
}

/* Does what x does to a process matter to y? */
static bool reaches(const struct group *g, const struct op *x, uint32_t result, const struct op *y, uint32_t y_result)
{
    switch (x->code) {
    case PROCESS_CREATE: return result == y->process || (x->arg[0] ? copies(g, x, y) : takes_from(g, x, y));
    case PROCESS_CANCEL: return x->arg[0] == y->process;
    case PROCESS_DETACH: return about_thread(y, x->arg[0]);
    case PROCESS_JOIN:   return about_thread(y, x->arg[0]) || (is_process(y, PROCESS_FINISH) && y->process == x->arg[0]);
    case PROCESS_FINISH: return finish_reaches(g, x, y, y_result);
    case PROCESS_WAIT:   return is_process(y, PROCESS_WAIT) && same_host(g, x, y);
    case PROCESS_EXITING: return is_process(y, PROCESS_EXITING) && same_host(g, x, y);
    case PROCESS_ALONE:  return same_host(g, x, y) || robust(y);
    case PROCESS_LEAVE:  return end_matters(g, g->host[x->process], y) || tells_parent(g, x, result, y, y_result);
    case PROCESS_KILL:   return kill_meets(g, x, result, y, y_result);
    case PROCESS_EXPIRE: return expiry_meets(g, x, result, y, y_result);
    case PROCESS_SETTIME: return settime_meets(x, y);
    case PROCESS_SIGACTION:
        return same_host(g, x, y) && (IS_RESULT_SIGNAL(y_result) || may_take(y) || (is_process(y, PROCESS_CREATE) && y->arg[0])
                                      || (is_process(y, PROCESS_SIGACTION) && (x->arg[0] & SIGNAL_NUMBER) == (y->arg[0] & SIGNAL_NUMBER)));
    case PROCESS_SIGMASK:
    case PROCESS_SIGWAIT:
    case PROCESS_SIGPENDING:
    case PROCESS_PAUSE:  return compete(g, x, result, y, y_result);
    default:             return false;
    }
}

void dependence_note(struct system *s, const struct op *op)
{
    struct group *g = s->group;
    if (!g)
        return;
    bool about = is_process(op, PROCESS_JOIN) || is_process(op, PROCESS_DETACH);
    assert(!about || (op->arg[0] >= 0 && op->arg[0] < MAX_PROCESSES));
    if (about)
        g->joiners[op->arg[0]] |= BIT(op->process);
    if (is_process(op, PROCESS_WAIT))
        g->waiters |= BIT(op->process);
    if (robust(op))
        g->robust |= BIT(op->process);
    g->cancels |= is_process(op, PROCESS_CANCEL);
    g->signals |= is_process(op, PROCESS_SIGMASK)
               || (is_process(op, PROCESS_SIGACTION) && op->arg[0] >> SIGACTION_SHIFT & SIGACTION_HANDLED);
    if (is_process(op, PROCESS_FINISH) && g->host[op->process] == op->process)
        g->leaderless |= BIT(op->process);
    if (is_process(op, PROCESS_FINISH) && op->arg[0])
        g->prepared |= BIT(g->host[op->process]);
    if (is_process(op, PROCESS_ALONE))
        g->leavers |= BIT(op->process);
    g->several |= is_process(op, PROCESS_CREATE) && op->arg[0] && !op->outside;
}

/* These sets only grow. */
static uint64_t premises_of(const struct group *g)
{
    return (uint64_t)(g->crowded + 2 * __builtin_popcountll(last_has_to_do(g))
                      + 4 * MAX_PROCESSES * __builtin_popcountll(last_is_seen(g)));
}

/* An exit that is held back (ends.c) comes after all that others could do, and so does a timer that comes late (timers.c). */
static bool enables(const struct group *g, const struct op *first, uint32_t first_result, const struct op *second,
                    uint32_t second_result)
{
    return (is_process(first, PROCESS_CREATE) && first_result == second->process) || timer_is_late(first, first_result) || timer_is_late(second, second_result)
        || (is_process(second, PROCESS_ALONE) && !g->several && (!is_process(first, PROCESS_EXPIRE) || first_result & EXPIRE_GONE))
        || (is_process(first, PROCESS_FINISH) && is_process(second, PROCESS_JOIN) && second->arg[0] == first->process
            && !op_gives_up(second) && second_result == 0);
}

static uint64_t family(const struct group *g, int host) { return g->families[host]; }

static uint64_t parents_family(const struct group *g, const struct op *leave)
{
    int parent = g->parent[g->host[leave->process]];
    return parent < 0 ? 0 : family(g, parent);
}

/* Whom `reaches` can name. */
static uint64_t reach_of(const struct group *g, const struct op *op, uint32_t result)
{
    switch (op->code) {
    case PROCESS_CREATE: return (result < MAX_PROCESSES ? BIT(result) : 0)
                              | (op->arg[0] || g->crowded ? family(g, g->host[op->process]) : 0);
    case PROCESS_CANCEL: return BIT(op->arg[0]);
    case PROCESS_DETACH:
    case PROCESS_JOIN:   return BIT(op->arg[0]) | g->joiners[op->arg[0]];
    case PROCESS_FINISH: return last_is_seen(g) & BIT(g->host[op->process]) ? UINT64_MAX : g->joiners[op->process] | g->robust
                              | (last_has_to_do(g) & BIT(g->host[op->process]) ? family(g, g->host[op->process]) : 0);
    case PROCESS_WAIT:   return g->waiters;
    case PROCESS_EXITING: return family(g, g->host[op->process]);
    case PROCESS_ALONE:  return family(g, g->host[op->process]) | g->robust;
    case PROCESS_LEAVE:  return g->waiters | g->robust | g->leavers | parents_family(g, op);
    case PROCESS_KILL: case PROCESS_EXPIRE: case PROCESS_SETTIME: return UINT64_MAX;
    case PROCESS_SIGACTION: case PROCESS_SIGMASK: case PROCESS_SIGWAIT: case PROCESS_SIGPENDING: case PROCESS_PAUSE:
        return family(g, g->host[op->process]);
    default:             return 0;
    }
}

static bool act_on_each_other(const struct group *g, const struct op *a, uint32_t a_result, const struct op *b, uint32_t b_result)
{
    return (about_processes(a) && reaches(g, a, a_result, b, b_result))
        || (about_processes(b) && reaches(g, b, b_result, a, a_result));
}

/* ---- the clock: see time.c ---- */

static bool moves_clock(const struct op *op, uint32_t result)
{
    return is_process(op, PROCESS_EXPIRE) && (result == UINT32_MAX || !(result & EXPIRE_GONE));
}

/* Of the end of a wait: does y change which deadlines there are? */
static bool end_of_wait_meets(const struct group *g, const struct op *x, const struct op *y, uint32_t y_result)
{
    return time_limits(x) && (is_process(y, PROCESS_SETTIME) || may_release(g, y, y_result));
}

/* Is it the clock, and nothing that they say to each other, that keeps them in order? */
static bool clock_orders(const struct system *s, const struct op *a, uint32_t a_result, const struct op *b, uint32_t b_result)
{
    return timer_is_late(a, a_result) || timer_is_late(b, b_result)
        || (s->timed && (moves_clock(a, a_result) || moves_clock(b, b_result)
                        || end_of_wait_meets(s->group, a, b, b_result) || end_of_wait_meets(s->group, b, a, a_result)));
}

/* ---- the questions ---- */

/* A parent's wait, and a transition with which that child ends. */
static bool awaits(const struct op *wait, const struct node *other)
{
    return about_processes(wait) && wait->process == 0 && other->flags & LEADS_TO_END
        && (wait->arg[0] < 0 || wait->arg[0] == other->op.process);
}

bool dependence_on_arrival(const struct system *s, const struct step *step, int q)
{
    const struct node *left = &s->nodes[step->process][step->node];
    STEP_ASSERT(step->process != (uint32_t)q);
    return left->flags & LEADS_TO_ABORT || awaits(&system_pending(s, q)->op, left);
}

/* Does it matter, whatever the objects, what either of the two comes to? */
static bool arrivals_matter(const struct node *a, const struct node *b)
{
    return (a->flags | b->flags) & LEADS_TO_ABORT || awaits(&a->op, b) || awaits(&b->op, a);
}

static bool same_object(const struct node *a, const struct node *b)
{
    return a->op.object == b->op.object && a->op.object != NO_OBJECT;
}

static bool in_group_matters(const struct system *s, int p, int q)
{
    const struct node *a = system_pending(s, p), *b = system_pending(s, q);
    uint32_t a_result = dependence_expected(s, p), b_result = dependence_expected(s, q);
    return clock_orders(s, &a->op, a_result, &b->op, b_result) || act_on_each_other(s->group, &a->op, a_result, &b->op, b_result)
        || (same_object(a, b) && (signal_is_due(s, &a->op) || signal_is_due(s, &b->op)));
}

bool dependence_now(const struct system *s, int p, int q)
{
    const struct node *a = system_pending(s, p), *b = system_pending(s, q);
    STEP_ASSERT(p != q && (s->group || (s->enabled & BIT(p) && s->enabled & BIT(q))));
    if (arrivals_matter(a, b) || (s->group && in_group_matters(s, p, q)))
        return true;
    return same_object(a, b) && (!a->type->dependent || a->type->dependent(s->words + a->state, &a->op, &b->op));
}

uint32_t dependence_stamp(const struct system *s, int p)
{
    const struct node *n = system_pending(s, p);
    return n->type->stamp ? n->type->stamp(s->words + n->state, &n->op) : 0;
}

uint32_t dependence_expected(const struct system *s, int p)
{
    const struct op *op = &system_pending(s, p)->op;
    if (!s->group)
        return UINT32_MAX;
    return signal_is_due(s, op) ? RESULT_SIGNAL : is_process(op, PROCESS_EXPIRE) ? timer_expected(s, op) : UINT32_MAX;
}

/* A step as `conflict` looks at it: one that was executed, or the next of a process. */
struct act { const struct node *node; uint32_t stamp, result; };

static struct act executed(const struct system *s, const struct step *step, uint32_t stamp)
{
    return (struct act){ &s->nodes[step->process][step->node], stamp, step->result };
}

static struct act pending(const struct system *s, int p)
{
    return (struct act){ system_pending(s, p), dependence_stamp(s, p), dependence_expected(s, p) };
}

/* Whatever the clock says. */
static bool meet(const struct system *s, struct act a, struct act b)
{
    const struct op *x = &a.node->op, *y = &b.node->op;
    if ((a.node->flags | b.node->flags) & LEADS_TO_ABORT)
        return true;
    if ((about_processes(x) || about_processes(y))
        && (awaits(x, b.node) || awaits(y, a.node) || (s->group && act_on_each_other(s->group, x, a.result, y, b.result))))
        return true;
    return same_object(a.node, b.node)
        && (IS_RESULT_SIGNAL(a.result) || IS_RESULT_SIGNAL(b.result) || !a.node->type->conflict
            || a.node->type->conflict(&a.node->op, a.stamp, &b.node->op, b.stamp));
}

static bool conflict(const struct system *s, struct act a, struct act b)
{
    return meet(s, a, b) || clock_orders(s, &a.node->op, a.result, &b.node->op, b.result);
}

bool dependence_meet(const struct system *s, const struct step *first, uint32_t first_stamp, const struct step *second, uint32_t second_stamp)
{
    return meet(s, executed(s, first, first_stamp), executed(s, second, second_stamp));
}

bool dependence_conflict(const struct system *s, const struct step *first, uint32_t first_stamp,
                     const struct step *second, uint32_t second_stamp)
{
    return conflict(s, executed(s, first, first_stamp), executed(s, second, second_stamp));
}

bool dependence_conflict_next(const struct system *s, const struct step *first, uint32_t first_stamp, int p)
{
    return conflict(s, executed(s, first, first_stamp), pending(s, p));
}

uint64_t dependence_reach(const struct system *s, const struct step *step)
{
    const struct node *n = &s->nodes[step->process][step->node];
    if (n->flags & LEADS_TO_ABORT)
        return UINT64_MAX;
    if (s->timed && time_limits(&n->op))
        return UINT64_MAX;
    if (!about_processes(&n->op))
        return 0;
    return s->group ? reach_of(s->group, &n->op, step->result) : UINT64_MAX;
}

enum about dependence_about_processes(const struct system *s, uint32_t process, uint32_t node)
{
    const struct node *n = &s->nodes[process][node];
    if (!about_processes(&n->op) || n->op.code == PROCESS_YIELD)
        return NOT_ABOUT_PROCESSES;
    bool only = (n->op.code == PROCESS_JOIN && !s->timed) || n->op.code == PROCESS_DETACH || n->op.code == PROCESS_WAIT;
    return s->group && only && !(n->flags & LEADS_TO_ABORT) ? ONLY_PROCESSES : ABOUT_PROCESSES;
}

bool dependence_enables(const struct system *s, const struct step *first, const struct step *second)
{
    const struct node *a = &s->nodes[first->process][first->node], *b = &s->nodes[second->process][second->node];
    return s->group && enables(s->group, &a->op, first->result, &b->op, second->result);
}

bool dependence_is_local(const struct system *s, const struct node *n)
{
    return !about_processes(&n->op) && !(s->group && ((s->group->cancels && op_is_cancellable(&n->op)) || s->group->signals));
}

bool dependence_exchangeable(const struct system *s, int p, int q)
{
    STEP_ASSERT(p != q && (s->group || (s->enabled & BIT(p) && s->enabled & BIT(q))));
    struct act a = pending(s, p), b = pending(s, q);
    return !conflict(s, a, b) && !conflict(s, b, a);
}

uint64_t dependence_premises(const struct system *s) { return s->group ? premises_of(s->group) : 0; }

/* Of what was seen, all but where steps were seen to lead. */
static uint64_t flags_seen(const struct system *s)
{
    const struct group *g = s->group;
    uint64_t seen[11] = { (uint64_t)s->processes, s->aborters, (uint64_t)(s->polls + 2 * s->kills + 4 * s->hides), s->timers };
    if (g) {
        seen[4] = (uint64_t)(g->crowded + 2 * g->signals + 4 * g->cancels + 8 * g->several);
        seen[5] = g->waiters;
        seen[6] = g->robust;
        seen[7] = g->leaderless;
        seen[8] = g->prepared;
        seen[9] = g->leavers;
        seen[10] = XXH3_64bits(g->joiners, sizeof g->joiners);
    }
    return XXH3_64bits(seen, sizeof seen);
}

uint64_t dependence_seen(const struct system *s)
{
    uint64_t seen[] = { s->leads, s->learned, flags_seen(s) };
    return XXH3_64bits(seen, sizeof seen);
}

/* What of the ends that nodes were seen to lead to: a sum, so that the order in which they were seen does not matter. One that is like no other is known to nobody
 * else. */
static uint64_t leads_known(const struct system *s)
{
    uint64_t sum = 0;
    for (int p = 0; p < s->processes; p++)
        for (uint32_t i = 0; i < s->graphs[p].count; i++) {
            const struct node *n = &s->graphs[p].nodes[i];
            uint64_t leads = n->flags & (LEADS_TO_END | LEADS_TO_ABORT);
            uint64_t one[] = { (uint64_t)p, leads, n->fingerprint[0], n->fingerprint[1], n->flags & NODE_ALONE && !s->group ? (uint64_t)(uintptr_t)n + (uint64_t)getpid() : 0 };
            sum += leads || one[4] ? XXH3_64bits(one, sizeof one) : 0;
        }
    return sum;
}

uint64_t dependence_knowledge(const struct system *s)
{
    const struct group *g = s->group;
    uint64_t known[] = { leads_known(s), flags_seen(s), 0 };
    for (uint32_t i = 0; g && i < g->birth_count; i++) {
        uint64_t birth[] = { known[2], (uint64_t)g->births[i].parent, (uint64_t)g->births[i].kind, g->births[i].nth, (uint64_t)g->births[i].number };
        known[2] = XXH3_64bits(birth, sizeof birth);
    }
    return XXH3_64bits(known, sizeof known);
}

bool dependence_signals(const struct system *s) { return s->group && s->group->signals; }
