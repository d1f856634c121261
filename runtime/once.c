/* What is done once: pthread_once, and the variables in C++ functions.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sync.h"
#include "sys.h"

#include <linux/futex.h>
#pragma GCC poison malloc calloc free printf

/* A pthread_once_t holds the mark and nothing else. When the C library itself did it, before the group began, it holds the bit
 * that says so in a mark, too. */
_Static_assert((int)RT_OVER == RT_ONCE_DONE, "as in the C library");

RT_INLINE uint32_t enter(const void *object, uint8_t code, bool done, bool fresh)
{
    struct rt_call call = rt_operation(TYPE_ONCE, code, object, done, fresh);
    return (uint32_t)RT_ENTER(&call);
}

RT_INLINE bool begin(const void *object, uint32_t *mark)                 /* true: this one is to do it */
{
    uint32_t done = rt_is_known(object, mark) ? 0 : *mark & RT_OVER;
    bool fresh = rt_is_fresh(object, mark) || done;
    *mark |= done;
    return enter(object, ONCE_ENTER, done, fresh) == ONCE_RUN;
}

RT_INLINE void end(const void *object, uint32_t *mark, bool done)
{
    enter(object, done ? ONCE_DONE : ONCE_UNDO, false, false);
    if (done)
        *mark |= RT_OVER;
}

/* If the function is left by an exception, or its thread is cancelled there, the next one does it again. */
struct turn { pthread_once_t *once; bool done; };

RT_INLINE void end_turn(struct turn *turn)
{
    end(turn->once, (uint32_t *)turn->once, turn->done);
}

RT_INLINE int once_only(pthread_once_t *once, void (*function)(void))
{
    if (!begin(once, (uint32_t *)once))
        return 0;
    __attribute__((cleanup(end_turn))) struct turn turn = {.once = once};
    function();
    turn.done = true;
    return 0;
}

RT_GROUPED(int, pthread_once, (pthread_once_t *once, void (*function)(void)), (once, function),
    LIBC, DO(once_only(once, function)))

/* ---- C11 ---- */

typedef struct { int data; } once_flag;
void call_once(once_flag *, void (*)(void));

RT_GROUPED(void, call_once, (once_flag *flag, void (*function)(void)), (flag, function),
    LIBC, DO((void)once_only(&flag->data, function)))

/* ---- variables in C++ functions ---- */

/* The compiler looks at the first byte itself: only while it is 0 it calls these. In a group it stays 0, so that every use of
 * the variable is seen, in order with its initialisation; the mark is in the upper half. Otherwise the lower half is as in the
 * GNU library of C++, whose functions these stand for (there may be none to pass the call on to). */
enum { GUARD_DONE = 1, GUARD_PENDING = 1 << 8, GUARD_WAITING = 1 << 16 };

struct guard_variable { uint32_t state, mark; };

int  __cxa_guard_acquire(struct guard_variable *);
void __cxa_guard_release(struct guard_variable *);
void __cxa_guard_abort(struct guard_variable *);

static int acquire(uint32_t *state)
{
    for (;;) {
        uint32_t seen = 0;
        if (__atomic_compare_exchange_n(state, &seen, GUARD_PENDING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return 1;
        if (seen & GUARD_DONE)
            return 0;
        uint32_t waiting = seen | GUARD_WAITING;
        if (seen == waiting || __atomic_compare_exchange_n(state, &seen, waiting, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            RT_SYS(SYS_futex, state, FUTEX_WAIT, waiting, 0);
    }
}

static void release(uint32_t *state, uint32_t value)
{
    if (__atomic_exchange_n(state, value, __ATOMIC_ACQ_REL) & GUARD_WAITING)
        RT_SYS(SYS_futex, state, FUTEX_WAKE, INT32_MAX);
}

RT_GROUPED(int, __cxa_guard_acquire, (struct guard_variable *g), (g), DO(acquire(&g->state)), DO(begin(g, &g->mark)))
RT_GROUPED(void, __cxa_guard_release, (struct guard_variable *g), (g),
    DO(release(&g->state, GUARD_DONE)), DO(end(g, &g->mark, true)))
RT_GROUPED(void, __cxa_guard_abort, (struct guard_variable *g), (g), DO(release(&g->state, 0)), DO(end(g, &g->mark, false)))
