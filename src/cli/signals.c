/* SPDX-License-Identifier: MIT */
#include "cli/signals.h"

#include "cli/commands.h"
#include "search/search.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int interrupted;             /* enum interrupt; global, as signals are */
static struct timespec first;

/* timeout(1) and some shells send the same signal twice, to the process and to its group: that is one request. */
static bool long_since_first(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - first.tv_sec) * 1000 + (now.tv_nsec - first.tv_nsec) / 1000000 >= 500;
}

static void stop(int signal)
{
    (void)signal;
    if (interrupted == INTERRUPTED) {
        if (long_since_first())
            _exit(EXIT_INTERRUPTED);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &first);
    interrupted = INTERRUPTED;
}

static void out_of_time(int signal)
{
    (void)signal;
    if (!interrupted)
        interrupted = OUT_OF_TIME;
}

/* ulimit -t: the next such signal cannot be caught. */
static void out_of_processor_time(int signal)
{
    static const char words[] = "verisoft: processor time is limited (see ulimit -t), and used up: the search ends here\n";
    ssize_t heard = interrupted ? 0 : write(STDERR_FILENO, words, sizeof words - 1);
    (void)heard;
    out_of_time(signal);
}

static void nothing(int signal)
{
    (void)signal;
}

static void on(int signal, void (*handler)(int))
{
    struct sigaction action = { .sa_handler = handler };         /* no SA_RESTART: waiting must end */
    sigaction(signal, &action, NULL);
}

void signals_catch(void)
{
    struct sigaction hangup;
    on(SIGINT, stop);
    on(SIGTERM, stop);
    sigaction(SIGHUP, NULL, &hangup);
    if (hangup.sa_handler != SIG_IGN)                            /* nohup */
        on(SIGHUP, stop);
    on(SIGPIPE, nothing);                                        /* not SIG_IGN, which the program would inherit */
    on(SIGXFSZ, nothing);                                        /* a file grew past ulimit -f: the write fails, and says so */
    on(SIGXCPU, out_of_processor_time);
}

int signals_limit_time(int64_t seconds, struct err *err)
{
    struct itimerval in = { .it_value.tv_sec = (time_t)seconds };
    if (!seconds)
        return 0;
    on(SIGALRM, out_of_time);
    return setitimer(ITIMER_REAL, &in, NULL) ? fail_errno(err, "--time-limit: the system sets no timer (setitimer)") : 0;
}

const volatile int *signals_interrupt(void)
{
    return &interrupted;
}

int signals_wait(pid_t child)
{
    struct sigaction action = { .sa_handler = nothing }, old_action;
    sigset_t watched, old_mask, while_waiting;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    sigaddset(&watched, SIGINT);
    sigaddset(&watched, SIGTERM);
    sigaddset(&watched, SIGHUP);
    sigaddset(&watched, SIGALRM);
    sigaction(SIGCHLD, &action, &old_action);                    /* only a caught signal ends sigsuspend */
    sigprocmask(SIG_BLOCK, &watched, &old_mask);
    while_waiting = old_mask;
    sigdelset(&while_waiting, SIGCHLD);
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (interrupted)
            kill(-child, SIGKILL);
        sigsuspend(&while_waiting);
    }
    sigprocmask(SIG_SETMASK, &old_mask, NULL);
    sigaction(SIGCHLD, &old_action, NULL);
    return status;
}
