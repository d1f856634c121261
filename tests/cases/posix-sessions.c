/* expect: complete.
 * expect -DKILL: assertion in process 1.
 * expect -DLATE: deadlock.
 * expect -DFORKS: unsupported in process 2.  message: "fork() (of a process that another one has put".  searches: auto, optimal.
 * expect -DWAITS: unsupported in process 2.  message: "setpgid() (of a child of who waits".  searches: auto, optimal.
 *
 * Process groups and sessions: who leads what, who is in it, signals to all of a group, waits for those of a group, a daemon.
 * KILL: the child has perhaps not left the group yet when all of it is ended. LATE: who waits for all of its group does not wait for
 * who has left it; here that one holds what the other waits for. FORKS, WAITS: what is not said to be looked at.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int fails(long result, int error) { return result == -1 && errno == error; }

static int status_of(pid_t which, pid_t *who)
{
    int status = -1;
    *who = waitpid(which, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void leads_a_session(void)
{
    pid_t self = getpid(), parent = getppid();
    assert(getpgrp() == parent && getsid(0) == parent && getpgid(0) == parent);
    assert(setsid() == self && getpgrp() == self && getsid(0) == self && getpgid(parent) == parent && getsid(parent) == parent);
    assert(fails(setsid(), EPERM) && fails(setpgid(0, 0), EPERM) && fails(setpgid(0, parent), EPERM) && fails(setpgid(parent, 0), ESRCH));
    assert(fails(getpgid(self + 7), ESRCH) && fails(setpgid(0, -1), EINVAL) && fails(syscall(SYS_setsid), EPERM));
    _exit(3);
}

static void leads_a_group(void)
{
    pid_t self = getpid(), parent = getppid();
    assert(!setpgid(0, 0) && getpgrp() == self && getsid(0) == parent);
    assert(fails(setsid(), EPERM) && !setpgid(0, parent) && getpgrp() == parent && setsid() == self);
    _exit(4);
}

static void in_the_usual_case(void)
{
    pid_t who, child = fork();
    if (child == 0)
        leads_a_session();
    assert(status_of(child, &who) == 3 && who == child && fails(setpgid(child, 0), ESRCH) && fails(getsid(child), ESRCH));
    child = fork();
    if (child == 0)
        leads_a_group();
    assert(status_of(child, &who) == 4);
    assert(fails(kill(-child, 0), ESRCH) && fails(killpg(child, SIGTERM), ESRCH) && !kill(-getpgrp(), 0) && !killpg(0, 0));

    int ends[2];
    char none;
    assert(!pipe(ends));
    child = fork();
    if (child == 0) {                /* ends when it is killed */
        read(ends[0], &none, 1);
        _exit(1);
    }
    assert(!setpgid(child, child) && getpgid(child) == child && getpgrp() == getpid() && fails(waitpid(0, NULL, WNOHANG), ECHILD));
    assert(!kill(-child, SIGTERM) && status_of(-child, &who) == -SIGTERM && who == child && fails(waitpid(-child, NULL, 0), ECHILD));

    child = fork();
    if (child == 0) {
        if (daemon(0, 0))
            abort();
        _exit(getpid() == getsid(0) && getpgrp() == getsid(0) ? 0 : 1);
    }
    assert(status_of(child, &who) == 0 && who == child);
}

int main(void)
{
    pid_t who, child;
    (void)who;
#if defined(KILL)
    signal(SIGTERM, SIG_IGN);
    if ((child = fork()) == 0) {
        signal(SIGTERM, SIG_DFL);
        setpgid(0, 0);
        _exit(5);
    }
    kill(0, SIGTERM);
    assert(status_of(child, &who) == 5);             /* ERROR */
#elif defined(LATE)
    int ends[2];
    assert(!pipe(ends));
    if ((child = fork()) == 0) {
        char one;
        close(ends[1]);
        setsid();
        _exit((int)read(ends[0], &one, 1));          /* ERROR */          /* the end of the file, when the parent has ended */
    }
    while (getsid(child) != child)
        sleep(1);
    assert(fails(waitpid(0, NULL, 0), ECHILD));
    waitpid(child, NULL, 0);                         /* ERROR */
#elif defined(FORKS)
    if ((child = fork()) == 0) {
        if (fork() == 0)                             /* ERROR */
            _exit(0);
        _exit(0);
    }
    setpgid(child, child);
    while (wait(NULL) > 0)
        ;
#elif defined(WAITS)
    if (fork() == 0) {
        setpgid(0, 0);                               /* ERROR */
        _exit(0);
    }
    waitpid(0, NULL, 0);
#else
    (void)child;
    in_the_usual_case();
#endif
    return 0;
}
