/* Cancellation, cleanup handlers, and the unwinding of a thread that ends from within.
 *
 * As in the C library, frames are taken down by the unwinder of the compiler's library, so that C++ destructors run in order
 * with cleanup handlers. A handler that C code pushed has a buffer to which one jumps when its function's frame is reached; the
 * function calls the handler itself and then says __pthread_unwind_next.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "insides.h"
#include "rt.h"
#include "sys.h"
#include "thread.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unwind.h>
#pragma GCC poison malloc calloc free printf

typedef rt_routine_t routine_t;
void _pthread_cleanup_push(routine_t *, void (*)(void *), void *);
void _pthread_cleanup_pop(routine_t *, int execute);
void _pthread_cleanup_push_defer(routine_t *, void (*)(void *), void *);
void _pthread_cleanup_pop_restore(routine_t *, int execute);

static __thread struct _Unwind_Exception exception __attribute__((tls_model("initial-exec")));

static void call_routines(uintptr_t below, routine_t *until)
{
    routine_t *r;
    while ((r = rt_thread.routines) && r != until && (uintptr_t)r <= below) {
        rt_thread.routines = rt_routine_outer(r);
        rt_routine_call(r);
    }
}

/* The unwinder asks at each frame, from within outwards. */
static _Unwind_Reason_Code at_frame(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                    struct _Unwind_Exception *e, struct _Unwind_Context *context, void *unused)
{
    (void)version, (void)class, (void)e, (void)unused;
    uintptr_t frame = _Unwind_GetCFA(context);
    bool last = actions & _UA_END_OF_STACK || _Unwind_GetRegionStart(context) == (uintptr_t)rt_thread_run;
    __pthread_unwind_buf_t *buffer = rt_thread.buffers;
    bool reached = buffer && (last || frame >= (uintptr_t)rt_buffer_words(buffer)[RT_BUFFER_FRAME]);
    call_routines(last || reached ? UINTPTR_MAX : frame, buffer ? rt_buffer_words(buffer)[RT_BUFFER_ROUTINES] : NULL);
    if (reached)
        longjmp((struct __jmp_buf_tag *)buffer, 1);
    if (last)
        rt_thread_end();
    return _URC_NO_REASON;
}

/* C++ code caught it by catch (...) and did not throw it on. */
static void swallowed(_Unwind_Reason_Code reason, struct _Unwind_Exception *e)
{
    (void)reason, (void)e;
    static const char words[] = "FATAL: exception not rethrown\n";
    RT_SYS(SYS_write, 2, words, sizeof words - 1);
    abort();
}

void rt_thread_unwind(void)
{
    rt_thread.ending = 1;
    rt_thread.begun = false;
    exception = (struct _Unwind_Exception){.exception_cleanup = swallowed};
    _Unwind_ForcedUnwind(&exception, at_frame, NULL);
    abort();
}

void rt_cancel_now(void)
{
    rt_thread.value = PTHREAD_CANCELED;
    rt_thread_unwind();
}

/* ---- cleanup handlers ---- */

/* Expanded in what the program calls: the stack pointer of the caller, by which the unwinder knows its frame. */
#define CALLERS_FRAME ((char *)__builtin_frame_address(0) + 16)

static void add_buffer(__pthread_unwind_buf_t *buffer, void *frame)
{
    void **words = rt_buffer_words(buffer);
    words[RT_BUFFER_PREVIOUS] = rt_thread.buffers;
    words[RT_BUFFER_ROUTINES] = rt_thread.routines;
    words[RT_BUFFER_FRAME] = frame;
    rt_thread.buffers = buffer;
}

static void drop_buffer(__pthread_unwind_buf_t *buffer)
{
    rt_thread.buffers = rt_buffer_words(buffer)[RT_BUFFER_PREVIOUS];
}

RT_GROUPED(void, __pthread_register_cancel, (__pthread_unwind_buf_t *buffer), (buffer),
    NEXT, DO(add_buffer(buffer, CALLERS_FRAME)))
RT_GROUPED(void, __pthread_register_cancel_defer, (__pthread_unwind_buf_t *buffer), (buffer),
    NEXT, DO(add_buffer(buffer, CALLERS_FRAME)))
RT_GROUPED(void, __pthread_unregister_cancel, (__pthread_unwind_buf_t *buffer), (buffer),
    NEXT, DO(drop_buffer(buffer)))
RT_GROUPED(void, __pthread_unregister_cancel_restore, (__pthread_unwind_buf_t *buffer), (buffer),
    NEXT, DO(drop_buffer(buffer)))

/* By another name, because pthread.h declares it as weak, and so our own would be. */
_Noreturn void unwind_next(__pthread_unwind_buf_t *) __asm__("__pthread_unwind_next");
RT_NORETURN(unwind_next, (__pthread_unwind_buf_t *buffer), (buffer),
    DO(RT_NEXT(__pthread_unwind_next)(buffer)), DO(RT_NEXT(__pthread_unwind_next)(buffer)), DO(drop_buffer(buffer), rt_thread_unwind()))

static void push(routine_t *r, void (*routine)(void *), void *arg)
{
    rt_routine_set(r, routine, arg, rt_thread.routines);
    rt_thread.routines = r;
}

static void pop(routine_t *r, int execute)
{
    rt_thread.routines = rt_routine_outer(r);
    if (execute)
        rt_routine_call(r);
}

#define PUSH(name) \
    RT_GROUPED(void, name, (routine_t *r, void (*routine)(void *), void *arg), (r, routine, arg), NEXT, DO(push(r, routine, arg)))
#define POP(name) RT_GROUPED(void, name, (routine_t *r, int execute), (r, execute), NEXT, DO(pop(r, execute)))
PUSH(_pthread_cleanup_push)
PUSH(_pthread_cleanup_push_defer)
POP(_pthread_cleanup_pop)
POP(_pthread_cleanup_pop_restore)

/* ---- what the program asks for ---- */

RT_INLINE int group_pthread_cancel(pthread_t t)
{
    int process = rt_thread_process(t);
    if (process < 0)
        return ESRCH;
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_CANCEL, .index = -1,
                           .arg = {process}, .start = rt_began_with(t)};
    RT_ENTER(&call);
    rt_thread_of(t)->cancelled = 1;
    rt_thread.cancelled_itself |= rt_thread_of(t) == &rt_thread;
    return 0;
}

RT_GROUPED(int, pthread_cancel, (pthread_t t), (t), NEXT, DO(group_pthread_cancel(t)))

RT_INLINE int group_pthread_setcancelstate(int state, int *old)
{
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old)
        *old = rt_thread.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    rt_thread.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    return 0;
}

RT_GROUPED(int, pthread_setcancelstate, (int state, int *old), (state, old), NEXT, DO(group_pthread_setcancelstate(state, old)))

RT_INLINE int group_pthread_setcanceltype(int type, int *old)
{
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
        RT_REFUSE("pthread_setcanceltype (asynchronous)");
    if (type != PTHREAD_CANCEL_DEFERRED)
        return EINVAL;
    if (old)
        *old = PTHREAD_CANCEL_DEFERRED;
    return 0;
}

RT_GROUPED(int, pthread_setcanceltype, (int type, int *old), (type, old), NEXT, DO(group_pthread_setcanceltype(type, old)))

RT_GROUPED(void, pthread_testcancel, (void), (), NEXT, DO(rt_cancel_test("pthread_testcancel", 0)))
