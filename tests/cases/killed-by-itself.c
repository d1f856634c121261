/* expect: crash at depth 1 in process 1.  message: "killed by SIGTERM".  searches: auto, stateful, none.
 *
 * A signal sent to itself has no place in the source. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <verisoft.h>

int main(void)
{
    if (VS_toss(2) == 1)
        kill(getpid(), SIGTERM);
    return 0;
}
