/* expect: complete.  optimal: 1 executions, 0 sleep_cut.  searches: optimal, none.
 *
 * A handler that sends its own signal: it comes again when the handler has returned, as often as that may be, and needs no more stack than the
 * first time.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>

enum { TIMES = 100 };
static volatile sig_atomic_t handled;

static void again(int signal)
{
    if (++handled < TIMES)
        raise(signal);
}

static void *thread(void *unused)
{
    raise(SIGUSR1);
    assert(handled == TIMES);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_attr_t small;
    signal(SIGUSR1, again);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 4 * PTHREAD_STACK_MIN);
    pthread_create(&one, &small, thread, NULL);
    pthread_join(one, NULL);
    return 0;
}
