/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * mtx_trylock, mtx_timedlock, cnd_timedwait, recursive mutexes and detached threads of C11. WRONG: two locks in opposite
 * orders.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t first, second;
static cnd_t never;

static int backwards(void *argument)
{
    (void)argument;
    mtx_lock(&second);
#ifdef WRONG
    mtx_lock(&first);                                            /* ERROR */
    mtx_unlock(&first);
#else
    if (mtx_trylock(&first) == thrd_success)
        mtx_unlock(&first);
#endif
    mtx_unlock(&second);
    return 0;
}

int main(void)
{
    thrd_t thread;
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    mtx_init(&first, mtx_plain | mtx_recursive);
    mtx_init(&second, mtx_timed);
    cnd_init(&never);
    thrd_create(&thread, backwards, NULL);
    mtx_lock(&first);
    mtx_lock(&first);
    mtx_unlock(&first);
#ifdef WRONG
    mtx_lock(&second);                                           /* ERROR */
    mtx_unlock(&second);
#else
    int result = mtx_timedlock(&second, &until);
    assert(result == thrd_success || result == thrd_timedout);
    if (result == thrd_success) {
        assert(cnd_timedwait(&never, &second, &until) == thrd_timedout);
        mtx_unlock(&second);
    }
#endif
    mtx_unlock(&first);
    thrd_join(thread, NULL);
    return 0;
}
