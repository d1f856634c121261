/* expect: crash at depth 1 in process 1.  message: "killed itself by SIGTERM".  searches: auto, stateful, none.
 *
 * A signal that a process sends to itself. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <verisoft.h>

int main(void)
{
    if (VS_toss(2) == 1)
        kill(getpid(), SIGTERM);                                 /* ERROR */
    return 0;
}
