/* Billing: a record for each call that a line makes, and for each that it forwards.
 * SPDX-License-Identifier: MIT */
#include "switch.h"

#include <stdio.h>
#include <string.h>

struct record {
    int  payer, other;               /* ports */
    char number[DIGITS + 1];         /* that was dialled, or forwarded to */
    long begun, answered, ended;     /* seconds; -1: not so far */
    bool forwarded;
};

static struct record records[RECORDS];
static int count, lost;              /* lost: those that there was no room for */

static struct record *record_new(int payer, int other, const char *number)
{
    if (count == RECORDS) {
        lost++;
        return NULL;
    }
    struct record *r = &records[count++];
    *r = (struct record){ .payer = payer, .other = other, .begun = now(), .answered = -1, .ended = -1 };
    snprintf(r->number, sizeof r->number, "%s", number);
    return r;
}

/* The line's open record of a call with this port. */
static int *slot_of(struct line *x, int port)
{
    for (int i = 0; i < CALLS; i++)
        if (x->bills[i] && records[x->bills[i] - 1].other == port)
            return &x->bills[i];
    return NULL;
}

void bill_begin(struct line *x, int port)
{
    for (int i = 0; i < CALLS; i++)
        if (!x->bills[i]) {
            x->bills[i] = record_new(x->port, port, x->dialled) ? count : 0;
            return;
        }
}

void bill_answer(struct line *x, int port)
{
    int *slot = slot_of(x, port);
    if (slot && records[*slot - 1].answered < 0)
        records[*slot - 1].answered = now();
}

void bill_end(struct line *x, int port)
{
    int *slot = slot_of(x, port);
    if (!slot)
        return;
    records[*slot - 1].ended = now();
    *slot = 0;
}

void bill_move(struct line *x, int from, int to)
{
    int *slot = slot_of(x, from);
    if (slot)
        records[*slot - 1].other = to;
}

void bill_forward(struct line *x, int caller)
{
    struct record *r = record_new(x->port, caller, x->forward);
    if (!r)
        return;
    r->forwarded = true;
    r->ended = now();
}

void bill_print(void)
{
    for (int i = 0; i < count; i++) {
        const struct record *r = &records[i];
        printf("bill: %d %s %s, ", r->payer, r->forwarded ? "forwards to" : "calls", r->number);
        if (r->forwarded)
            printf("from %d\n", r->other);
        else if (r->answered < 0)
            printf("not answered\n");
        else if (r->ended < 0)
            printf("%ld seconds so far\n", now() - r->answered);
        else
            printf("%ld seconds\n", r->ended - r->answered);
    }
    if (lost)
        printf("bill: %d records are lost\n", lost);
}
