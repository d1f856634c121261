/* Fate: at some time a timer runs out although nothing is lost, or the coordinator or a branch crashes.
 * SPDX-License-Identifier: MIT */
#include "bank.h"

static void strike(int victim, enum kind fault)
{
    message_send(victim, (struct message){ .kind = fault, .from = victim });
}

void fate_run(void)
{
    for (int i = 0; i < FAULTS; i++) {
        int victim = VS_toss(COORDINATOR + 1);
        if (victim > COORDINATOR)
            return;                  /* a quiet day */
        strike(victim, VS_toss(1) == 0 ? TIMEOUT : CRASH);
    }
}
