/* expect: assertion at depth 27.
 *     verisoft *.c --livelock-limit 0
 * expect -DFIXED: complete.  (How many states that are depends on what the compiler leaves in memory: some 750,000.)
 *     verisoft *.c -DFIXED --search stateful
 *
 * A bank transfer by two-phase commit among six processes; bank.h tells the story. Process 1 is the client, 2 to 4 are the
 * branches, 5 is the coordinator and 6 is fate.
 * SPDX-License-Identifier: MIT */
#include "bank.h"

int main(void)
{
    message_open();
    for (int i = 0; i < BRANCHES; i++)
        if (fork() == 0) {
            branch_run(i);
            exit(0);
        }
    if (fork() == 0) {
        coordinator_run();
        exit(0);
    }
    if (fork() == 0) {
        fate_run();
        exit(0);
    }
    client_run();
#ifndef VERIFY
    while (wait(NULL) > 0)
        ;
    message_close();
#endif
    return 0;
}
