/* expect: incomplete.  options: --max-depth 3.  stops: max_depth.  searches: none, sleep, stateful, bfs.  none: 3 transitions.
 * expect: incomplete.  options: --stop-at-state 2.  stops: stop_at_state.  searches: none, sleep, stateful, bfs, source, auto.
 * expect: complete.  options: --max-depth 10.  none: 10 transitions, 1 executions.  stateful: 11 states, 10 transitions.
 *
 * Ten operations in a row. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    for (int i = 0; i < 10; i++)
        semsignal(semaphore, 0, 1);
    return 0;
}
