/* The rendezvous channel in the controller; rendezvous.h is what the program calls.
 *
 * The channel goes round and round: an offer, a take, a met, an offer, ... One word says which operation is next, so that an
 * operation is enabled exactly while that word is its code.
 * SPDX-License-Identifier: MIT */
#include "rendezvous.h"

#include <object.h>
#include <stdio.h>

enum { NEXT, MESSAGE, WORDS };       /* the words of a channel; MESSAGE is 0 except between offer and take */

static const struct operation operations[] = {
    [RENDEZVOUS_OFFER] = { .name = "rendezvous_offer", .format = "rendezvous_offer(%o, %t)", .role = ROLE_SEND },
    [RENDEZVOUS_TAKE]  = { .name = "rendezvous_take",  .format = "rendezvous_take(%o)", .result = RESULT_TEXT, .many = true,
                           .role = ROLE_RECEIVE },
    [RENDEZVOUS_MET]   = { .name = "rendezvous_met",   .format = "rendezvous_met(%o)" },
};

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)arg, (void)why, (void)room;            /* a channel has no arguments that could be wrong */
    return WORDS;
}

static void init(const int32_t arg[3], uint32_t *state)
{
    (void)arg;
    state[NEXT] = RENDEZVOUS_OFFER;
    state[MESSAGE] = 0;
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    return state[NEXT] == op->code;
}

static bool guard(const struct op *op, struct guard *g)
{
    *g = (struct guard){ .word = NEXT, .lo = op->code, .span = 0 };
    return true;
}

static uint32_t after(uint32_t code)
{
    return (code + 1) % RENDEZVOUS_OPERATIONS;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    uint32_t message = state[MESSAGE];
    object_set(log, &state[NEXT], after(op->code));
    object_set(log, &state[MESSAGE], op->code == RENDEZVOUS_OFFER ? op->text : 0);
    return op->code == RENDEZVOUS_TAKE ? message : 0;
}

/* Does `goes`, if it can, disable or enable the other? Who goes is no longer next, and what comes after it is. */
static bool concerns(const uint32_t *state, const struct op *goes, const struct op *other)
{
    return state[NEXT] == goes->code && (other->code == goes->code || other->code == after(goes->code));
}

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    return concerns(state, a, b) || concerns(state, b, a);
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    switch (state[NEXT]) {
    case RENDEZVOUS_OFFER: snprintf(out, room, "free"); break;
    case RENDEZVOUS_TAKE:  snprintf(out, room, "offering \"%s\"", text(texts, state[MESSAGE])); break;
    default:               snprintf(out, room, "just taken from"); break;
    }
}

/* No `conflict`, no `may_conflict`: any two of the three operations can matter to each other in some state. No `canonical`:
 * equal channels have equal words, because a taken message is wiped out. */
const struct object_type vs_type = {
    .version = OBJECT_VERSION, .name = "channel",
    .operations = operations, .operation_count = RENDEZVOUS_OPERATIONS,
    .size = size, .init = init, .choices = choices, .guard = guard, .execute = execute, .dependent = dependent, .print = print,
};
