/* expect: unsupported at depth 0 in process 1.  message: "execlp".  searches: auto, none, stateful.
 * expect -DSYSTEM: unsupported at depth 0 in process 1.  message: "system".  searches: auto, none, stateful.
 * expect -DEVENTS: unsupported at depth 0 in process 1.  message: "inotify_init1".  searches: auto, none, stateful.
 * expect -DSTDIN: unsupported at depth 0 in process 1.  message: "getchar".  searches: auto.
 * expect -DTIMER: unsupported at depth 0 in process 1.  message: "profil".  searches: auto, none, stateful.
 * expect -DSIGNALS: unsupported at depth 0 in process 1.  message: "signalfd".  searches: auto, none, stateful.
 * expect -DLATER: unsupported at depth 2 in process 1.  message: "execlp".  none: 2 transitions.
 *
 * What takes a process out of control. SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(1);
    if (fork() == 0) {
        send_to_queue(queue, 1, "go");
        exit(0);
    }
#if defined LATER
    rcv_from_queue(queue, 1);
#endif
#if defined SYSTEM
    system("true");                                              /* ERROR */
#elif defined EVENTS
    inotify_init1(0);                                            /* ERROR */
#elif defined STDIN
    getchar();                                                   /* ERROR */
#elif defined TIMER
    profil(NULL, 0, 0, 0);                                       /* ERROR */
#elif defined SIGNALS
    sigset_t none;
    sigemptyset(&none);
    signalfd(-1, &none, 0);                                      /* ERROR */
#else
    execlp("true", "true", (char *)NULL);                        /* ERROR */
#endif
    return 0;
}
