/* Executing a transition the slow way, where step.h does not: the type's own `execute`, an edge that nobody took yet, for which the program
 * runs, what a step leads to known beforehand. And undoing it: the log is played back, and nothing else is.
 * SPDX-License-Identifier: MIT */
#include "system/group.h"

#include <assert.h>

/* ---- who can go ---- */

bool system_ask_type(const struct system *s, const struct node *n)
{
    return system_ask_choices(s, n) != 0;
}

uint32_t system_ask_choices(const struct system *s, const struct node *n)
{
    return s->group ? group_choices(s, n) : n->type->choices(s->words + n->state, &n->op);
}

void system_abort(struct system *s, int p)
{
    s->aborters |= BIT(p);
    s->enabled = 0;
}

/* ---- executing ---- */

void system_more_log(struct system *s, uint32_t changes)
{
    size_t used = (size_t)(s->log.top - s->log_start), room = (size_t)(s->log_end - s->log_start);
    room = 2 * room + changes;
    s->log_start = memory_resize(s->log_start, room * sizeof *s->log_start);
    s->log_end = s->log_start + room;
    s->log.top = s->log_start + used;
    assert((size_t)(s->log_end - s->log.top) >= changes);
}

void system_take_back(struct system *s, const struct step *step)
{
    STEP_ASSERT(step->log && s->log.top >= s->log_start + step->log - 1);
    if (s->group) {
        group_take_back(s, step);
        return;
    }
    object_take_back(&s->log, s->log_start + step->log - 1);
}

/* Where the edge over this result leads; if nobody took it yet, the program runs. */
static int find_next(struct system *s, int p, uint32_t result, uint32_t *next, struct err *err)
{
    struct leg leg = { .process = (uint32_t)p, .from = s->node[p], .result = result, .to = NO_NODE };
    const struct edge *known = graph_edge(&s->graphs[p], leg.from, result);
    struct arrival a = { 0 };
    uint32_t right = 0;
    if (known) {
        *next = known->next;
        return 0;
    }
    int rc = s->runner->run(s->runner->self, &leg, 1, &right, &a, err);
    if (rc < 0)
        return rc;
    assert(a.op.process == p);
    *next = system_add_node(s, p, &a, leg.from, result);
    graph_lead(&s->graphs[p], leg.from, result, *next, a.notes);
    return 0;
}

/* The node learns where its edges lead. */
static int new_edge(struct system *s, int p, uint32_t result, uint32_t *next, struct err *err)
{
    struct graph *g = &s->graphs[p];
    int rc = find_next(s, p, result, next, err);
    if (rc < 0)
        return rc;
    struct node *n = &g->nodes[s->node[p]];
    uint32_t flags = n->flags;
    assert(graph_edge(g, s->node[p], result)->next == *next);
    if (g->nodes[*next].flags & NODE_END)
        n->flags |= LEADS_TO_END;
    if (g->nodes[*next].flags & NODE_ABORT)
        n->flags |= LEADS_TO_ABORT;
    s->leads += n->flags != flags;
    if (n->one.result == 0)
        n->plain = n->guard.adds;
    return 0;
}

/* The step has just made its node plain, and must look like all later ones: a search may undo it and take it again. */
static void make_plain(struct system *s, const struct node *n, struct step *step)
{
    const struct change *only = s->log_start + step->log - 1;
    assert(n->op.type >= FIRST_USER_TYPE || (s->log.top == only + 1 && only->word == &s->words[n->guard.word]));
    assert(n->op.type >= FIRST_USER_TYPE || *only->word == only->old + n->plain);
    s->log.top = s->log_start + step->log - 1;
    step->log = 0;
}

enum took system_failed(struct err *err, int rc)
{
    if (err)
        err->code = rc;
    return STEP_FAILED;
}

/* Of a type that a user wrote it is seen how many words it changes. */
static int too_many_changes(struct system *s, const struct node *n, const struct step *step, struct err *err)
{
    size_t changes = (size_t)(s->log.top - s->log_start) + 1 - step->log;
    if (n->op.type < FIRST_USER_TYPE || changes <= OBJECT_CHANGES)
        return 0;
    system_take_back(s, step);
    return fail(err, "object type '%s': its operation '%s' changes %zu words, and no more than %d are allowed (see object.h)", n->type->name,
                n->type->operations[n->op.code].name, changes, OBJECT_CHANGES);
}

/* Executes the operation, and finds where its edge leads. */
static enum took operate(struct system *s, const struct node *n, struct step *step, uint32_t *next, struct err *err)
{
    enum { CHANGES_OF_ANY_TYPE = 4096 };
    uint32_t before = s->words[n->guard.word];
    assert(s->enabled & BIT(step->process));
    system_log_room(s, n->op.type < FIRST_USER_TYPE ? OBJECT_CHANGES_OF_GROUP : CHANGES_OF_ANY_TYPE);
    if (s->group)
        return group_operate(s, n, step, next, err);
    step->log = (uint32_t)(s->log.top - s->log_start) + 1;
    step->result = n->type->execute(&s->log, s->words + n->state, &n->op, step->choice);
    assert(s->log.top <= s->log_end);
    if (n->one.result == step->result && *next != NO_NODE)
        return STEP_TAKEN;
    int rc = too_many_changes(s, n, step, err);
    if (rc < 0)
        return system_failed(err, rc);
    rc = new_edge(s, (int)step->process, step->result, next, err);
    if (rc < 0) {
        system_take_back(s, step);
        return system_failed(err, rc);
    }
    if (step->result == 0 && before < GUARD_PLAIN && s->at[step->process]->plain)
        make_plain(s, s->at[step->process], step);
    return STEP_TAKEN;
}

enum took system_operate(struct system *s, struct step *step, struct err *err)
{
    const struct node *n = system_pending(s, (int)step->process);
    uint32_t slot = n->slot, next = n->one.next;         /* the node may move */
    assert(step->node == s->node[step->process] && !step->log);
    enum took took = operate(s, n, step, &next, err);
    if (took != STEP_TAKEN)
        return took;
    step_finish(s, (int)step->process, step, slot, next);
    if (__builtin_expect(s->hides, 0))
        return system_run_outside(s, step, err);
    STEP_CHECK(s);
    return STEP_TAKEN;
}

uint32_t system_preview(struct system *s, int p, uint32_t choice)
{
    const struct node *n = system_pending(s, p);
    assert(s->enabled & BIT(p));
    system_log_room(s, OBJECT_CHANGES_OF_GROUP);
    size_t mark = (size_t)(s->log.top - s->log_start);
    uint64_t enabled = s->enabled;
    uint32_t result = s->group ? group_preview(s, n, choice) : n->type->execute(&s->log, s->words + n->state, &n->op, choice);
    object_take_back(&s->log, s->log_start + mark);
    if (s->group)
        group_look_again(s);
    s->enabled = enabled;
    return result;
}

enum took system_execute(struct system *s, int p, uint32_t choice, struct step *step, struct err *err)
{
    return step_execute(s, p, choice, step, err);
}

/* The operation alone: its result, and what it does to words. */
static void operate_again(struct system *s, const struct node *n, struct step *step)
{
    if (step_plain(s, (int)step->process)) {
        s->words[n->guard.word] += n->plain;
        return;
    }
    system_log_room(s, OBJECT_CHANGES_OF_GROUP);
    if (s->group) {
        group_perform(s, n, step);
        return;
    }
    step->log = (uint32_t)(s->log.top - s->log_start) + 1;
    step->result = n->type->execute(&s->log, s->words + n->state, &n->op, step->choice);
}

bool system_execute_again(struct system *s, const struct step *before, struct step *step)
{
    const struct step old = *before;             /* it may be the same one */
    const struct node *n = system_pending(s, (int)old.process);
    uint32_t slot = n->slot;
    assert(s->node[old.process] == old.node);
    STEP_ASSERT(s->enabled & BIT(old.process));
    step_begin(s, (int)old.process, old.choice, step);
    operate_again(s, n, step);
    if (step->result != old.result) {
        step_undo(s, step);
        return false;
    }
    if (s->group)
        group_arrive(s, old.next);
    step_finish(s, (int)old.process, step, slot, old.next);
    if (s->group && old.tail)
        hidden_again(s, step, old.tail);
    STEP_CHECK(s);
    return true;
}

void system_follow(struct system *s, int p, uint32_t choice, uint32_t next, uint32_t tail, struct step *step)
{
    const struct node *n = system_pending(s, p);
    uint32_t slot = n->slot;
    assert(s->group);
    step_begin(s, p, choice, step);
    operate_again(s, n, step);
    group_arrive(s, next);
    step_finish(s, p, step, slot, next);
    if (tail)
        hidden_again(s, step, tail);
    STEP_CHECK(s);
}

void system_undo(struct system *s, const struct step *step)
{
    step_undo(s, step);
}

uint32_t system_path_length(const struct system *s) { return s->group ? s->group->count : 0; }

/* A leg outside that was wrong is one of the step whose tail it is in. */
uint32_t system_right(const struct system *s)
{
    uint32_t right = s->group ? s->group->right : UINT32_MAX;
    if (!s->group || !s->group->tails || right >= s->group->count)
        return s->group ? hidden_steps(s, right) : right;
    bool outside = s->nodes[s->group->path[right].process][s->group->path[right].from].flags & NODE_OUTSIDE;
    return hidden_steps(s, right) - outside;
}
