/* expect: complete.  none: 4 transitions, 1 executions.  searches: auto, none, stateful.
 *
 * The headers that C sources of 2001 include, in any order. SPDX-License-Identifier: MIT */
#include "msgdef.h"
#include "semdef.h"

int main()
{
    int queue = get_bounded_queue(1), semid = semget(IPC_PRIVATE, 1, 0700);
    semsetval(semid, 0, 0);
    if (fork() == 0) {
        send_to_queue(queue, 1, "message");
        semsignal(semid, 0, 1);
        exit(0);
    }
    semwait(semid, 0, 1);
    return strcmp((char *)rcv_from_queue(queue, 1), "message");
}
