/* expect: complete.
 * expect -DCASE=1: unsupported.  message: "pread".
 * expect -DCASE=2: unsupported.  message: "setpriority".
 * expect -DCASE=3: unsupported.  message: "pthread_mutex_getprioceiling".
 * expect -DCASE=4: unsupported.  message: "tcdrain".
 * expect -DCASE=5: deadlock.
 *
 * Functions of the C library that are controlled by a rule (runtime/functions.h); one that the program has by the same name as
 * the C library is its own. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <syslog.h>
#include <termios.h>
#include <unistd.h>

int login(int n);
int login(int n) { return n + 1; }
ssize_t __read(int, void *, size_t);                             /* another name of read */

static void on_a_plain_file(void)
{
    char name[] = "rules-XXXXXX", text[6] = "";
    int fd = mkstemp(name);
    assert(fd >= 0 && write(fd, "hello", 5) == 5);
    assert(pread(fd, text, 5, 0) == 5 && !strcmp(text, "hello"));
    assert(fsync(fd) == 0 && close(fd) == 0 && unlink(name) == 0);
}

static void of_itself(void)
{
    struct sched_param p;
    assert(sched_getparam(getpid(), &p) == 0);
    assert(getpriority(PRIO_PROCESS, getpid()) == getpriority(PRIO_PROCESS, 0));
    assert(getpgrp() == getpid() && getsid(0) == getpid());
}

static void kept_by_the_kernel(void)
{
    DIR *d = opendir("/");
    assert(d && readdir(d) && closedir(d) == 0);
    assert(chdir(".") == 0);
}

static void *thread(void *unused)
{
    syslog(LOG_INFO, "%d %f", 1, 2.0);
    return unused;
}

int main(void)
{
    pthread_t t;
    int ends[2];
    char text[4] = "";
    assert(login(1) == 2 && pthread_create(&t, NULL, thread, NULL) == 0 && pipe(ends) == 0);
    on_a_plain_file();
    of_itself();
    kept_by_the_kernel();
    pthread_join(t, NULL);
    assert(write(ends[1], "abc", 3) == 3);
#if CASE == 1
    pread(ends[0], text, 3, 0);                                  /* ERROR */
#elif CASE == 2
    setpriority(PRIO_PROCESS, 1, 1);                             /* ERROR */
#elif CASE == 3
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int ceiling;
    pthread_mutex_getprioceiling(&mutex, &ceiling);              /* ERROR */
#elif CASE == 4
    tcdrain(1);                                                  /* ERROR */
#elif CASE == 5
    __read(ends[0], text, 3);
    __read(ends[0], text, 3);                                    /* ERROR */
#endif
    return text[0] == 1;
}
