/* expect: complete.  optimal: 2 executions.
 * expect -DUNSAFE: assertion in process 1.
 * expect -DATTRIBUTES: complete.  optimal: 2 executions.
 *
 * A timer that calls a function, in a thread of its own. UNSAFE: it is deleted, and its function may run all the same. ATTRIBUTES: its threads have
 * the stack that was asked for when it was made.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int calls;

static void call(union sigval value)
{
#ifdef ATTRIBUTES
    pthread_attr_t own;
    size_t size;
    assert(!pthread_getattr_np(pthread_self(), &own) && !pthread_attr_getstacksize(&own, &size) && size == 1 << 20);
    pthread_attr_destroy(&own);
#endif
    pthread_mutex_lock(&lock);
    calls += value.sival_int;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = call, .sigev_value.sival_int = 1};
    struct itimerspec once = {.it_value.tv_sec = 1};
    timer_t timer;
#ifdef ATTRIBUTES
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    event.sigev_notify_attributes = &attributes;
#endif
    assert(timer_create(CLOCK_REALTIME, &event, &timer) == 0 && timer_settime(timer, 0, &once, NULL) == 0);
#ifdef UNSAFE
    assert(timer_delete(timer) == 0);
    pthread_mutex_lock(&lock);
    int now = calls;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(calls == now);                                        /* ERROR */
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_lock(&lock);
    while (calls == 0)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    assert(timer_delete(timer) == 0);
#endif
    return 0;
}
