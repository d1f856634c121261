/* expect: unsupported at depth 0 in process 1.  message: "execlp".  searches: auto, none, stateful.
 * expect -DSYSTEM: unsupported at depth 0 in process 1.  message: "system".  searches: auto, none, stateful.
 * expect -DTHREAD -pthread: unsupported at depth 0 in process 1.  message: "pthread_create".  searches: auto, none, stateful.
 * expect -DSTDIN: unsupported at depth 0 in process 1.  message: "read".  searches: auto.
 * expect -DSHARED: unsupported at depth 0 in process 1.  message: "shmat".  searches: auto, none, stateful.
 * expect -DSOCKET: unsupported at depth 0 in process 1.  message: "socket".  searches: auto, none, stateful.
 * expect -DLATER: unsupported at depth 2 in process 1.  message: "execlp".  errors: unsupported 1.
 *
 * What takes a process out of control. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <verisoft.h>

static void *thread(void *argument) { return argument; }

int main(void)
{
    int queue = get_bounded_queue(1), memory = shmget(IPC_PRIVATE, 100, 0600);
    if (fork() == 0) {
        send_to_queue(queue, 1, "go");
        exit(0);
    }
#if defined LATER
    rcv_from_queue(queue, 1);
#endif
#if defined SYSTEM
    system("true");                                              /* ERROR */
#elif defined THREAD
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);                  /* ERROR */
#elif defined STDIN
    getchar();                                                   /* ERROR */
#elif defined SHARED
    shmat(memory, NULL, 0);                                      /* ERROR */
#elif defined SOCKET
    socket(AF_UNIX, SOCK_STREAM, 0);                             /* ERROR */
#else
    execlp("true", "true", (char *)NULL);                        /* ERROR */
#endif
    return thread == NULL || memory < 0;
}
