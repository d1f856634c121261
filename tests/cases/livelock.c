/* expect: livelock at depth 15 in process 1.  searches: auto, none, sleep, source, random.
 * options: --max-depth 40.  message: "process 1 was blocked during the last 15 transitions".
 * expect: complete.  searches: stateful, bfs.  local: 1, 2.  stateful: 2 states, 2 transitions.
 * expect: livelock at depth 20 in process 1.  searches: auto, none.  options: --livelock-limit 20 --max-depth 40.
 * expect: incomplete.  searches: none, sleep.  options: --livelock-limit 20 --max-depth 19.  stops: max_depth.
 * expect: incomplete.  searches: none, sleep.  options: --livelock-limit 0 --max-depth 40.  stops: max_depth.
 *
 * Process 1 starves while process 2 talks to itself.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int semaphore = semget(IPC_PRIVATE, 2, 0600);
    if (fork() == 0)
        for (;;) {
            semsignal(semaphore, 1, 1);
            semwait(semaphore, 1, 1);
        }
    semwait(semaphore, 0, 1);                                    /* ERROR */
    return 0;
}
