/* Fate: at some time a timer runs out although nothing is lost, somebody crashes, or a message of the coordinator is lost.
 * SPDX-License-Identifier: MIT */
#include "bank.h"

static void strike(int victim, enum kind fault, int value)
{
    message_send(victim, (struct message){ .kind = fault, .from = victim, .value = value });
}

void fate_run(void)
{
    for (int i = 0; i < FAULTS; i++)
        switch (VS_toss(3)) {
        case 0:  return;             /* a quiet day */
        case 1:  strike(VS_toss(COORDINATOR), TIMEOUT, 0); break;
        case 2:  strike(VS_toss(COORDINATOR), CRASH, 0); break;
        default: strike(COORDINATOR, LOSS, VS_toss(BRANCHES - 1)); break;
        }
}
