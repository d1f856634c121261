/* Who depends on whom in a sharing group, beyond what objects say: operations on processes.
 * SPDX-License-Identifier: MIT */
#include "system/group_internal.h"

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

static bool robust(const struct op *op) { return op->type == TYPE_MUTEX && op->arg[0] & MUTEX_ROBUST; }

/* A fork copies the locks and the ends of pipes of its UNIX process as they are. */
static bool copies(const struct group *g, const struct op *fork, const struct op *y)
{
    bool copied = y->type == TYPE_STREAMS || (y->type >= TYPE_MUTEX && y->type <= TYPE_COUNTER);
    return copied && g->host[fork->process] == g->host[y->process];
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
    return end_matters(g, host, y) || y->type == TYPE_STREAMS || y->type == TYPE_SEMSET;
}

static bool finish_reaches(const struct group *g, const struct op *x, const struct op *y)
{
    uint64_t host = BIT(g->host[x->process]);
    return joins(y, x->process) || robust(y)
        || (last_has_to_do(g) & host && is_process(y, PROCESS_FINISH) && same_host(g, x, y))
        || (last_is_seen(g) & host && sudden_end_matters(g, g->host[x->process], y));
}

/* Does what x does to a process matter to y? */
static bool reaches(const struct group *g, const struct op *x, uint32_t result, const struct op *y)
{
    switch (x->code) {
    case PROCESS_CREATE: return result == y->process || (x->arg[0] ? copies(g, x, y) : takes_from(g, x, y));
    case PROCESS_CANCEL: return x->arg[0] == y->process;
    case PROCESS_DETACH: return about_thread(y, x->arg[0]);
    case PROCESS_JOIN:   return about_thread(y, x->arg[0]) || (is_process(y, PROCESS_FINISH) && y->process == x->arg[0]);
    case PROCESS_FINISH: return finish_reaches(g, x, y);
    case PROCESS_WAIT:   return is_process(y, PROCESS_WAIT) && same_host(g, x, y);
    case PROCESS_EXITING: return is_process(y, PROCESS_EXITING) && same_host(g, x, y);
    case PROCESS_ALONE:  return same_host(g, x, y) || robust(y);
    case PROCESS_LEAVE:  return end_matters(g, g->host[x->process], y);
    case PROCESS_KILL:   return x->arg[0] == g->host[y->process] || sudden_end_matters(g, x->arg[0], y)
                             || (is_process(y, PROCESS_KILL) && x->arg[0] == y->arg[0]);
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
    if (is_process(op, PROCESS_FINISH) && op->arg[0])
        g->prepared |= BIT(g->host[op->process]);
    if (is_process(op, PROCESS_ALONE))
        g->leavers |= BIT(op->process);
    g->several |= is_process(op, PROCESS_CREATE) && op->arg[0];
}

/* These sets only grow. */
uint64_t group_rules(const struct group *g)
{
    return (uint64_t)(g->crowded + 2 * __builtin_popcountll(last_has_to_do(g))
                      + 4 * MAX_PROCESSES * __builtin_popcountll(last_is_seen(g)));
}

bool group_cancels(const struct group *g, const struct op *op) { return g->cancels && op->arg[2] & CANCELLABLE; }

/* An exit that is held back (ends.c) comes after all that others could do. */
bool group_enables(const struct group *g, const struct op *first, uint32_t first_result, const struct op *second,
                   uint32_t second_result)
{
    return (is_process(first, PROCESS_CREATE) && first_result == second->process)
        || (is_process(second, PROCESS_ALONE) && !g->several)
        || (is_process(first, PROCESS_FINISH) && is_process(second, PROCESS_JOIN) && second->arg[0] == first->process
            && !second->arg[1] && second_result == 0);
}

static uint64_t family(const struct group *g, int host) { return g->families[host]; }

/* Whom `reaches` can name. */
uint64_t group_reach(const struct group *g, const struct op *op, uint32_t result)
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
    case PROCESS_LEAVE:  return g->waiters | g->robust | g->leavers;
    case PROCESS_KILL:   return UINT64_MAX;
    default:             return 0;
    }
}

bool group_conflict(const struct group *g, const struct op *a, uint32_t a_result, const struct op *b, uint32_t b_result)
{
    return (a->type == TYPE_PROCESS && reaches(g, a, a_result, b)) || (b->type == TYPE_PROCESS && reaches(g, b, b_result, a));
}
