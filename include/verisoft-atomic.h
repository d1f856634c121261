/* Names that clang's <stdatomic.h> leads to, for a compiler that has others.
 * SPDX-License-Identifier: MIT */
#ifndef __clang__
#define __c11_atomic_init(p, v)               ((void)(*(p) = (v)))
#define __c11_atomic_load(p, o)               __atomic_load_n(p, o)
#define __c11_atomic_store(p, v, o)           __atomic_store_n(p, v, o)
#define __c11_atomic_exchange(p, v, o)        __atomic_exchange_n(p, v, o)
#define __c11_atomic_fetch_add(p, v, o)       __atomic_fetch_add(p, v, o)
#define __c11_atomic_fetch_sub(p, v, o)       __atomic_fetch_sub(p, v, o)
#define __c11_atomic_fetch_and(p, v, o)       __atomic_fetch_and(p, v, o)
#define __c11_atomic_fetch_or(p, v, o)        __atomic_fetch_or(p, v, o)
#define __c11_atomic_fetch_xor(p, v, o)       __atomic_fetch_xor(p, v, o)
#define __c11_atomic_thread_fence(o)          ((void)(o))
#define __c11_atomic_signal_fence(o)          ((void)(o))
#define __c11_atomic_compare_exchange_strong(p, e, v, s, f)  __atomic_compare_exchange_n(p, e, v, 0, s, f)
#define __c11_atomic_compare_exchange_weak(p, e, v, s, f)    __atomic_compare_exchange_n(p, e, v, 0, s, f)
#define _Value __val                           /* of an atomic_flag */
#endif
