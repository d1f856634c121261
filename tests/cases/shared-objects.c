/* expect: deadlock in process 0.  errors: deadlock 1.  message: "semwait(0, 1, 1)" "has not given it back" "circle".
 * options: --config shared-objects.VS.  files: shared-objects.VS.  searches: none, sleep, persistent, optimal.
 * expect -DRIGHT: complete.  options: --config shared-objects.VS.  files: shared-objects.VS.
 * searches: none, sleep, persistent, optimal.
 * expect -DRIGHT -DUNDECLARED: structure in process 2.  message: "process 2 does semwait(1, 0, 1), which the declared structure does not allow" "process 1".
 * options: --config shared-objects.VS.  files: shared-objects.VS.  searches: none, sleep, persistent, optimal.
 * expect -DINDEX: structure in process 1.  message: "no semaphore of this index".  searches: none, optimal.
 * expect -DNEGATIVE: structure in process 1.  message: "the number must be 0 to 32767".  searches: none, optimal.
 *
 * VeriSoft's own objects in a program that has shared memory, too: the same words, and the same can be declared.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>
#include <sys/shm.h>

static void both(int locks, int first, int second)
{
    semwait(locks, first, 1);
    semwait(locks, second, 1);                                   /* ERROR */
    semsignal(locks, first, 1);
    semsignal(locks, second, 1);
}

int main(void)
{
    int locks = semget(IPC_PRIVATE, 2, 0600), own = semget(IPC_PRIVATE, 1, 0600), queue = get_bounded_queue(1);
    semsetval(locks, 0, 1);
    semsetval(locks, 1, 1);
    semsetval(own, 0, 1);
    shmat(shmget(IPC_PRIVATE, 4096, 0600), NULL, 0);
#ifdef INDEX
    semwait(locks, 2, 1);                                        /* ERROR */
#endif
#ifdef NEGATIVE
    semsignal(locks, 0, -1);                                     /* ERROR */
#endif
    if (fork() == 0) {
        send_to_queue(queue, 1, "here");
#ifdef RIGHT
        both(locks, 0, 1);
#else
        both(locks, 1, 0);
#endif
#ifdef UNDECLARED
        semwait(own, 0, 1);                                      /* ERROR */
#endif
        exit(0);
    }
    semwait(own, 0, 1);
    semsignal(own, 0, 1);
    both(locks, 0, 1);
    rcv_from_queue(queue, 1);
    exit(0);
}
