/* expect: complete.  options: --config declared.VS.  files: declared.VS.  stateful: 6 states, 6 transitions.
 * expect -DWRONG: structure at depth 4 in process 1.  options: --config declared.VS.  files: declared.VS.
 * message: "which the declared structure does not allow" "process 2".
 *
 * Only process 2 may send to queue 0. SPDX-License-Identifier: MIT */
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(2);
    if (fork() == 0) {
        send_to_queue(queue, 2, "question");
        send_to_queue(queue, 2, "again");
        exit(0);
    }
    rcv_from_queue(queue, 2);
    rcv_from_queue(queue, 2);
#ifdef WRONG
    send_to_queue(queue, 2, "answer");                           /* ERROR */
#endif
    return 0;
}
