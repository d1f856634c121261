/* expect -DOBJECT_AFTER_FORK: structure at depth 0 in process 1.  message: "get_bounded_queue after fork".
 * searches: auto, none, stateful.
 * expect -DFORK_BY_CHILD: structure at depth 0 in process 2.  message: "fork in process 2".  searches: auto, none, stateful.
 * expect -DFORK_LATE: structure at depth 1 in process 1.  message: "fork after a visible operation".
 * searches: auto, none, stateful.
 * expect -DLONG: structure at depth 0 in process 1.  message: "the message is longer than 4095 bytes".
 * searches: auto, none, stateful.
 * expect -DINDEX: structure at depth 0 in process 1.  message: "semwait on index 2: semaphore array 0 has 2 semaphores".
 * searches: auto, none, stateful.
 * expect -DNEGATIVE_TOSS: structure at depth 0 in process 1.  message: "VS_toss(-1)".  searches: auto, none, stateful.
 * expect -DNO_QUEUE: structure at depth 0 in process 1.  message: "send_to_queue on queue 7".  searches: auto, none, stateful.
 * expect -DOTHER_SIZE: structure at depth 0 in process 1.  message: "was created with size 3".  searches: auto, none, stateful.
 * expect -DSET_LATE: structure at depth 1 in process 1.  message: "semsetval after a visible operation".
 * searches: auto, none, stateful.
 *
 * The rules of the manual's section 6.1, each broken. SPDX-License-Identifier: MIT */
#include <verisoft.h>

static char text[5000];

int main(void)
{
    int queue = get_bounded_queue(3), semaphores = semget(IPC_PRIVATE, 2, 0600);
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
#ifdef FORK_BY_CHILD
            fork();                                              /* ERROR */
#endif
            exit(0);
        }
    memset(text, 'x', sizeof text - 1);
#if defined OBJECT_AFTER_FORK
    queue = get_bounded_queue(1);                                /* ERROR */
#elif defined FORK_LATE
    send_to_queue(queue, 3, "late");
    fork();                                                      /* ERROR */
#elif defined LONG
    send_to_queue(queue, 3, text);                               /* ERROR */
#elif defined INDEX
    semwait(semaphores, 2, 1);                                   /* ERROR */
#elif defined NEGATIVE_TOSS
    VS_toss(-1);                                                 /* ERROR */
#elif defined NO_QUEUE
    send_to_queue(7, 3, "message");                              /* ERROR */
#elif defined OTHER_SIZE
    send_to_queue(queue, 4, "message");                          /* ERROR */
#elif defined SET_LATE
    semsignal(semaphores, 0, 1);
    semsetval(semaphores, 0, 1);                                 /* ERROR */
#endif
    return 0;
}
