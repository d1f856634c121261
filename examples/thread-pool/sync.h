/* Mutexes and condition variables that cannot fail quietly: what POSIX reports as an error of the caller ends the program, with
 * the call and the reason. The pool never goes on in a state that nobody thought of.
 * SPDX-License-Identifier: MIT */
#ifndef SYNC_H
#define SYNC_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/* Ends the program when error is not 0; `what` names the call. */
void sync_check(int error, const char *what);

void mutex_init(pthread_mutex_t *);
void mutex_destroy(pthread_mutex_t *);
void mutex_lock(pthread_mutex_t *);
void mutex_unlock(pthread_mutex_t *);

void condition_init(pthread_cond_t *);                           /* its clock is CLOCK_MONOTONIC */
void condition_destroy(pthread_cond_t *);
void condition_wait(pthread_cond_t *, pthread_mutex_t *);
void condition_signal(pthread_cond_t *);
void condition_broadcast(pthread_cond_t *);

/* False: the time came and nobody had signalled. The mutex is locked either way. */
bool condition_wait_until(pthread_cond_t *, pthread_mutex_t *, const struct timespec *until);

/* Now plus so many milliseconds, as condition_wait_until wants it. */
struct timespec time_after(long milliseconds);

#endif
