/* Operations tried apart from the path: on a copy of the words of their object, or on these themselves with a log of one's own.
 * No process moves, nothing is enabled or disabled, and the program does not run: so it tells only what the object alone decides
 * (dependence_is_local). Inline, for this is done for every pair of steps that may be in a race.
 * Invariant: what is tried on the words themselves can go there, with its choice.
 * SPDX-License-Identifier: MIT */
#ifndef APART_H
#define APART_H

#include "system/step.h"

#include <string.h>

enum { APART_WORDS = 20 };           /* objects of so many words can be copied */
enum { APART_CHANGES = OBJECT_CHANGES_OF_GROUP };        /* that one operation may write into a log */

/* Copies the words of the object that the node's operation is on; false: it is on none, or there are too many. */
static inline bool apart_copy(const struct system *s, const struct node *n, uint32_t words[APART_WORDS])
{
    if (n->slot >= s->table || s->objects[n->slot].words > APART_WORDS)
        return false;
    memcpy(words, s->words + n->state, s->objects[n->slot].words * sizeof *words);
    return true;
}

/* Executes it on the copy; false: it cannot go there, or gives another result. */
static inline bool apart_execute(const struct node *n, uint32_t *words, struct log *log, uint32_t choice, uint32_t result)
{
    return n->type->choices(words, &n->op) > choice && n->type->execute(log, words, &n->op, choice) == result;
}

/* Could it go there? Then `stamp` is what its stamp would be (dependence_stamp). */
static inline bool apart_could_go(const struct node *n, const uint32_t *words, uint32_t *stamp)
{
    if (!n->type->choices(words, &n->op))
        return false;
    *stamp = n->type->stamp ? n->type->stamp(words, &n->op) : 0;
    return true;
}

static inline bool apart_is_stamped(const struct node *n) { return n->type->stamp; }     /* does its stamp depend on the state? */

/* Executes it on the words themselves; who says so takes it back by the log (object_take_back). */
static inline void apart_try(struct system *s, const struct node *n, struct log *log, uint32_t choice)
{
    STEP_ASSERT(n->type->choices(s->words + n->state, &n->op) > choice);
    n->type->execute(log, s->words + n->state, &n->op, choice);
}

/* Has the step changed words of another object than its own, the table of processes aside? `next` is the first step after it that
 * wrote into the log; NULL: none did. */
static inline bool apart_has_spread(const struct system *s, const struct step *step, const struct step *next)
{
    const struct node *n = &s->nodes[step->process][step->node];
    const struct object *table = &s->objects[s->table];
    uint32_t own = n->slot == s->nothing ? 0 : s->objects[n->slot].words;
    const struct change *end = next ? s->log_start + next->log - 1 : s->log.top;
    for (const struct change *c = s->log_start + step->log - 1; step->log && c < end; c++) {
        uint64_t word = (uint64_t)((uintptr_t)c->word - (uintptr_t)s->words) / sizeof *c->word;
        if (word < s->word_count && word - n->state >= own && word - table->state >= table->words)
            return true;
    }
    return false;
}

#endif
