/* expect: complete.  none: 2 transitions, 1 executions.
 *
 * The manual's semwait and semsignal without array and number. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    semget(IPC_PRIVATE, 2, 0600);
    semsetval(1, 0);
    if (fork() == 0) {
        semsignal(1);
        exit(0);
    }
    semwait(1);
    return 0;
}
