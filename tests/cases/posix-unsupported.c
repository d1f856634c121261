/* expect -DFLOCK: unsupported in process 2.  message: "flock".  searches: auto, optimal.
 * expect -DRECORD: unsupported in process 2.  message: "fcntl".  searches: auto, optimal.
 * expect -DSIGNALS: unsupported in process 2.  message: "signalfd".  searches: auto, optimal.
 * expect -DINOTIFY: unsupported in process 2.  message: "inotify_init1".  searches: auto, optimal.
 * expect -DTIMER: unsupported in process 2.  message: "timer_create".  searches: auto, optimal.
 * expect -DINTERNET: unsupported in process 2.  message: "socket".  searches: auto, optimal.
 * expect -DALARM: unsupported in process 2.  message: "setitimer".  searches: auto, optimal.
 * expect -DPOPEN: unsupported in process 2.  message: "popen".  searches: auto, optimal.
 * expect -DFUTEX: unsupported in process 2.  message: "futex".  searches: auto, optimal.
 * expect -DEXEC: unsupported in process 2.  message: "execl".  searches: auto, optimal.
 * expect -DSTDIN: unsupported in process 2.  message: "read".  searches: auto, optimal.
 *
 * What could block, or let processes interact, and is not controlled: told at the moment it is called, with its place.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void *thread(void *argument)
{
#if defined FLOCK
    flock(open("/tmp", O_RDONLY), LOCK_EX);                      /* ERROR */
#elif defined RECORD
    struct flock all = { .l_type = F_RDLCK };
    fcntl(open("/etc/passwd", O_RDONLY), F_SETLKW, &all);        /* ERROR */
#elif defined SIGNALS
    sigset_t none;
    sigemptyset(&none);
    signalfd(-1, &none, 0);                                      /* ERROR */
#elif defined INOTIFY
    inotify_init1(0);                                            /* ERROR */
#elif defined TIMER
    timer_t timer;
    timer_create(CLOCK_PROCESS_CPUTIME_ID, NULL, &timer);        /* ERROR */
#elif defined INTERNET
    socket(AF_APPLETALK, SOCK_STREAM, 0);                            /* ERROR */
#elif defined ALARM
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);        /* ERROR */
#elif defined POPEN
    popen("true", "r");                                          /* ERROR */
#elif defined FUTEX
    static uint32_t word;
    syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0);  /* ERROR */
#elif defined EXEC
    execl("/bin/true", "true", (char *)NULL);                    /* ERROR */
#elif defined STDIN
    char c;
    read(0, &c, 1);                                              /* ERROR */
#endif
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    return 0;
}
