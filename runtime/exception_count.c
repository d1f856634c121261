/* References to a C++ exception, which the library counts where nobody sees it: who lets go of one (std::exception_ptr, the end of a handler) comes after
 * all who let go before, for the last destroys and frees what the others have read. So to let go is told as what it is, an atomic operation on the count;
 * it changes nothing here, for the library counts.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"

#include <dlfcn.h>
#pragma GCC poison malloc calloc free printf

int __tsan_atomic32_fetch_or(volatile int *, int value, int order);     /* instrument.c: it tells what it does */

/* By its name in C++: std::exception_ptr::_M_release. */
#define release _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv
#define NEXT_OF(function) RT_NEXT(function)              /* by that name */
void release(void **exception);
void __cxa_end_catch(void);

typedef void *current_t(void);
typedef void  let_go_t(void *);

/* The C++ ABI has a header in front of each exception; here its last word stands for all of it. */
RT_INLINE void tell(void *exception)
{
    if (exception)
        __tsan_atomic32_fetch_or((int *)exception - 2, 0, __ATOMIC_ACQ_REL);
}

RT_INLINE void tell_caught(void)
{
    current_t *current = (current_t *)dlsym(RTLD_DEFAULT, "__cxa_current_primary_exception");
    let_go_t *let_go = (let_go_t *)dlsym(RTLD_DEFAULT, "__cxa_decrement_exception_refcount");
    void *exception = current && let_go ? current() : NULL;
    if (!exception)
        return;
    tell(exception);
    let_go(exception);
}

RT_GROUPED(void, release, (void **exception), (exception), NEXT, DO(tell(*exception), NEXT_OF(release)(exception)))
RT_GROUPED(void, __cxa_end_catch, (void), (), NEXT, DO(tell_caught(), RT_NEXT(__cxa_end_catch)()))
