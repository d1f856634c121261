/* What the runtime knows of a thread of a sharing group beyond its context: its end, its cleanup handlers, its cancellation,
 * its clock. It stands in the thread's own thread-local storage, so it goes back with snapshots and is copied by fork.
 *
 * Cancellation is deferred. Whoever writes a call that POSIX has as a cancellation point and that is a visible operation
 * enters it by RT_ENTER_CANCELLABLE(&call) instead of RT_ENTER(&call). Once the thread was cancelled the controller answers
 * RESULT_CANCELLED instead of executing the operation, also while it would block, and the thread unwinds from there and does
 * not return; so nothing may be held or half done. Who must set something right first takes RT_ENTER_OR_CANCELLED, which gives
 * RESULT_CANCELLED back, and calls rt_cancel_now() later: pthread_cond_wait has to take itself out of the waiters (COND_WAKE
 * again, with WAKE_CHANGED and by plain RT_ENTER; if a signal had come it is passed on by COND_SIGNAL) and to lock its mutex.
 * What is nothing but a cancellation point says rt_cancel_point(): whether a request of another has come is to depend on the order of
 * operations alone, so in a program whose threads cancel each other (GROUP_CANCELS) that is an operation, though nothing is done. In all
 * others a thread hears there only what it asked for itself, and without a group nothing. ARG_CANCELLABLE in arg[2] is the sign to the controller.
 * SPDX-License-Identifier: MIT */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include "accesses.h"
#include "group.h"
#include "rt.h"

#include <pthread.h>
#include <time.h>

/* A handler of a signal that was called; it lies on the stack that was interrupted, below all that was in use there. */
struct rt_handling { struct rt_handling *outer; };

struct rt_thread {
    void   *(*start)(void *);
    int     (*start_c11)(void *);                        /* instead: of thrd_create */
    void     *argument;
    void     *value;                                     /* returned, or of pthread_exit */
    struct _pthread_cleanup_buffer *routines;            /* cleanup handlers, innermost first: those that are called, */
    __pthread_unwind_buf_t *buffers;                     /* and those to whose function one jumps */
    uint64_t  clock;                                     /* nanoseconds that it slept and looked (clock.c) */
    uint64_t  busy;                                      /* nanoseconds of processor time that it believes to have had */
    uint64_t  busy_children;                             /* likewise of the children for whose end it waited */
    uint64_t  drawn;                                     /* random numbers (random.c) */
    uint64_t  end_place;                                 /* of the call that ends it, or its UNIX process; 0: none */
    uint64_t  others;                                    /* see rt_alone */
    size_t    guard_size;
    uint8_t   detached, born_detached;
    uint8_t   cancelled;                                 /* pthread_cancel was called for it, */
    uint8_t   cancelled_itself;                          /* by itself; */
    uint8_t   cancel_disabled;                           /* it does not want to know */
    uint64_t  mask;                                      /* signals that it blocks */
    struct rt_handling *handling;                        /* the innermost handler of a signal that it is in; NULL: it is in none */
    char     *stack;                                     /* for handlers (sigaltstack) */
    size_t    stack_size;                                /* 0: none */
    uint8_t   policy, priority;                          /* of scheduling (priority.c) */
    uint8_t   leaving;                                   /* its UNIX process ends, and closes what it has open */
    uint8_t   ending;                                    /* it is on its way out already */
    uint8_t   tells;                                     /* it says by VS_event what its real calls do */
    uint8_t   begun;                                     /* what it does belongs to a wait with a time limit, and comes before it waits (waits.h) */
    uint8_t   last;                                      /* all other threads of its UNIX process have ended, as the controller says */
};

extern __thread struct rt_thread rt_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

void rt_thread_run(void *unused);                        /* the outermost function of every thread but the first */
_Noreturn void rt_thread_unwind(void);                   /* calls cleanup handlers and destructors, then ends the thread */
_Noreturn void rt_thread_exit(void *value, void *place); /* the same, of a thread that asks for it there */
_Noreturn void rt_thread_end(void);                      /* no frame of the program is left */
_Noreturn void rt_cancel_now(void);                      /* unwinds, with PTHREAD_CANCELED */
int  rt_thread_process(pthread_t);                       /* its process number; -1: there never was such a thread */
int  rt_joinable(pthread_t, int *process);               /* as far as its creation says: 0, or an errno */
struct rt_thread *rt_thread_of(pthread_t);               /* a pthread_t is the address of the thread's control block */
void rt_run_key_destructors(void);
int  rt_set_schedule(struct rt_thread *, int policy, int priority);              /* 0 or an errno */
#define RT_CLOCK_START (1000000000ull * 1000000000ull)   /* when the program starts: nanoseconds since 1970 */
void rt_pass_time(const struct timespec *, bool until);  /* the running thread sleeps so long, or until then */

/* Is the running thread the only one of its UNIX process, and is that sure by its own past alone? It is the first, and has joined all
 * whom it created, and whom these left behind: `others` is a set of process numbers. Without a group there are no others. */
RT_INLINE bool rt_alone(void)
{
    return !rt_current() || rt_thread.last || (rt_current()->process == rt_current()->host && !rt_thread.others);
}

bool rt_has_forked(void);                                 /* process.c: this UNIX process, or one that it comes from */

RT_INLINE bool rt_may_be_cancelled(void)                 /* in a group */
{
    return !rt_thread.cancel_disabled && !rt_thread.ending;
}

RT_INLINE int rt_yield(const char *name)                 /* lets others go first; name: the call */
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_YIELD, .index = -1, .text = name};
    if (!rt_stays())
        RT_LOOKING(RT_ENTER(&call));
    return 0;
}

RT_INLINE uint64_t RT_ENTER_OR_CANCELLED(struct rt_call *call)
{
    if (rt_may_be_cancelled())
        call->arg[2] |= ARG_CANCELLABLE;
    return RT_ENTER(call);
}

RT_INLINE uint64_t RT_ENTER_CANCELLABLE(struct rt_call *call)
{
    uint64_t result = RT_ENTER_OR_CANCELLED(call);
    if (rt_may_be_cancelled() && (uint32_t)result == RESULT_CANCELLED)
        rt_cancel_now();
    return result;
}

/* An operation, though nothing is done. name: of the call; place: of the same, 0: where it is. */
RT_INLINE void rt_cancel_test(const char *name, uint64_t place)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_YIELD, .index = -1, .text = name, .place = place};
    if (rt_may_be_cancelled())
        RT_ENTER_CANCELLABLE(&call);
}

RT_INLINE void rt_cancel_point(const char *name, uint64_t place)
{
    if (rt_may_be_cancelled() && rt_thread.cancelled_itself)
        rt_cancel_now();
    if (rt->wire->group & GROUP_CANCELS && !rt_alone())
        rt_cancel_test(name, place);
}

static inline uint64_t rt_begins_with(const struct rt_thread *t) { return t->start ? (uint64_t)t->start : (uint64_t)t->start_c11; }

/* Of one that is waited for: only who has left something outside wants to know, for else threads that ended are alike, whatever they began with. */
static inline uint64_t rt_began_with(pthread_t t) { return rt->wire->group & GROUP_OUTSIDE ? rt_begins_with(rt_thread_of(t)) : 0; }

#endif
