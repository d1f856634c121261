/* The client orders transfers, one after the other, and audits the bank at the end of the day: every branch must have the
 * balance that the results say, and no money may have come or gone.
 * SPDX-License-Identifier: MIT */
#include "bank.h"

/* An amount that the paying branch has, or one that it does not have. */
static int choose_amount(void)
{
    return VS_toss(1) == 0 ? OPENING_BALANCE / 2 : OPENING_BALANCE + 1;
}

static bool transfer(int number, int amount)
{
    message_send(COORDINATOR, (struct message){ .kind = TRANSFER, .from = CLIENT, .value = amount });
    struct message m = message_receive(CLIENT);
    VS_assert(m.kind == RESULT && m.transfer == number);
    return m.value == 1;
}

static void stop(int party)
{
    message_send(party, (struct message){ .kind = STOP, .from = CLIENT });
}

static void audit(int paid)
{
    int total = 0;

    for (int i = 0; i < BRANCHES; i++) {
        stop(i);
        struct message m = message_receive(CLIENT);
        VS_assert(m.kind == BALANCE);
        if (i == 0)
            VS_assert(m.value == OPENING_BALANCE - paid);
        total += m.value;
    }
    VS_assert(total == BRANCHES * OPENING_BALANCE);
}

void client_run(void)
{
    int paid = 0;

    for (int i = 1; i <= TRANSFERS; i++) {
        int amount = choose_amount();
        if (transfer(i, amount))
            paid += amount;
    }
    audit(paid);
    stop(COORDINATOR);
}
