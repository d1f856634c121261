/* System calls without the C library: they set no errno, take no lock, and cannot be intercepted (not even by us).
 * Each gives the kernel's answer: a result, or a negative errno.
 * SPDX-License-Identifier: MIT */
#ifndef RT_SYS_H
#define RT_SYS_H

#include <stdint.h>
#include <sys/syscall.h>

#ifndef __x86_64__
#error "the runtime knows only x86-64: system calls, registers and the stack switch in sys.h, enter.c and fingerprint.c"
#endif

static inline long rt_sys6(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

#define RT_SYS_PICK(a, b, c, d, e, f, g, count, ...) count
#define RT_SYS(...) \
    RT_SYS_PICK(__VA_ARGS__, RT_SYS_6, RT_SYS_5, RT_SYS_4, RT_SYS_3, RT_SYS_2, RT_SYS_1, RT_SYS_0, 0)(__VA_ARGS__)
#define RT_SYS_0(n)                    rt_sys6(n, 0, 0, 0, 0, 0, 0)
#define RT_SYS_1(n, a)                 rt_sys6(n, (long)(a), 0, 0, 0, 0, 0)
#define RT_SYS_2(n, a, b)              rt_sys6(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define RT_SYS_3(n, a, b, c)           rt_sys6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define RT_SYS_4(n, a, b, c, d)        rt_sys6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define RT_SYS_5(n, a, b, c, d, e)     rt_sys6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define RT_SYS_6(n, a, b, c, d, e, f)  rt_sys6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif
