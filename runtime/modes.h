/* The front door: what a function that the program calls does in each of the three modes, in one place. (rt.h includes this.)
 *
 *     real    there is no controller          alone   a process with memory of its own          group   of a sharing group
 *
 *     RT_FUNCTION(int, pipe, (int ends[2]), (ends), LIBC, NEED_GROUP, DO(make_pipe(ends, 0)))
 *
 * makes `int pipe(int ends[2])`: it asks for the mode, once, and does what stands in the column of that mode. Where two modes do the
 * same there are two columns: those of RT_CONTROLLED are `real` and the other two, those of RT_GROUPED the first two and `group`.
 * A column is one of
 *
 *     LIBC                the C library's own function, looked up once
 *     NEXT                the same, looked up at each call, which leaves no trace in the program's memory
 *     KERNEL(number, ...) that system call
 *     DO(expression)      an operation, or an answer of the runtime
 *     NEED_GROUP          only a group can do this: the program is started again as one (NEED_GROUP_FOR: because of that function)
 *     REFUSE(words)       nobody controls this
 *
 * What an expression calls does not ask for the mode any more. Where it comes to RT_ENTER it is RT_INLINE, for the reason that stands
 * there. A process that is ending counts as alone; its operations do nothing.
 *
 * Who asks elsewhere is not called by the program as a function of the C library, or is what several of these have in common: RT_ENTER, where
 * both worlds come to; hooks of a compiler (instrument.c); handlers of faults (crash.c); what is told of files (plain_files.c); and what a
 * process that is ending must not do (check.c, process.c). tests/commands/house.sh looks for others.
 * SPDX-License-Identifier: MIT */
#ifndef RT_MODES_H
#define RT_MODES_H

#include <errno.h>

RT_INLINE long rt_answer(long result)                            /* of the kernel, as the C library tells it */
{
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
}

#define RT_LIBC(function) ({ static __typeof__(&function) next RT_PRIVATE; if (!next) next = RT_NEXT(function); next; })

/* ---- columns: RT_DO_ and what stands there, followed by (type, name, arguments) of the function ---- */

#define RT_NO_MORE(type, name, arguments)
#define RT_DO_LIBC(type, name, arguments)       RT_LIBC(name) arguments
#define RT_DO_NEXT(type, name, arguments)       RT_NEXT(name) arguments
#define RT_DO_KERNEL(...)                       rt_answer(RT_SYS(__VA_ARGS__)) RT_NO_MORE
#define RT_DO_DO(...)                           (__VA_ARGS__) RT_NO_MORE
#define RT_DO_NEED_GROUP(type, name, arguments) ({ RT_NEED_GROUP(name); (type)rt_answer(-ENOSYS); })
#define RT_DO_NEED_GROUP_FOR(function)          ({ RT_NEED_GROUP(function); rt_answer(-ENOSYS); }) RT_NO_MORE
#define RT_DO_REFUSE(words)                     ({ RT_REFUSE(words); rt_answer(-ENOSYS); }) RT_NO_MORE

/* ---- functions ---- */

/* The body alone, for a function that must get its arguments together first. */
#define RT_BY_MODE(type, name, arguments, real, alone, group) \
    switch (rt_mode) { \
    case RT_REAL:  return RT_DO_##real(type, name, arguments); \
    case RT_GROUP: return RT_DO_##group(type, name, arguments); \
    default:       return RT_DO_##alone(type, name, arguments); \
    }
#define RT_BY_CONTROL(type, name, arguments, real, controlled) \
    if (rt_mode == RT_REAL) \
        return RT_DO_##real(type, name, arguments); \
    return RT_DO_##controlled(type, name, arguments);
#define RT_BY_GROUP(type, name, arguments, elsewhere, group) \
    if (rt_mode != RT_GROUP) \
        return RT_DO_##elsewhere(type, name, arguments); \
    return RT_DO_##group(type, name, arguments);

#define RT_BY_MODE_FOR_EVER(name, arguments, real, alone, group) \
    switch (rt_mode) { \
    case RT_REAL:  RT_DO_##real(void, name, arguments); break; \
    case RT_GROUP: RT_DO_##group(void, name, arguments); break; \
    default:       RT_DO_##alone(void, name, arguments); \
    } \
    __builtin_unreachable();

#define RT_FUNCTION(type, name, parameters, arguments, real, alone, group) \
    RT_API type name parameters { RT_BY_MODE(type, name, arguments, real, alone, group) }
#define RT_CONTROLLED(type, name, parameters, arguments, real, controlled) \
    RT_API type name parameters { RT_BY_CONTROL(type, name, arguments, real, controlled) }
#define RT_GROUPED(type, name, parameters, arguments, elsewhere, group) \
    RT_API type name parameters { RT_BY_GROUP(type, name, arguments, elsewhere, group) }

#define RT_NORETURN(name, parameters, arguments, real, alone, group) \
    RT_API _Noreturn void name parameters { RT_BY_MODE_FOR_EVER(name, arguments, real, alone, group) }

/* One that only VeriSoft has: from now on the rules of the manual hold. */
#define RT_MANUAL(type, name, parameters, real, controlled) \
    RT_API type name parameters \
    { \
        if (rt_mode == RT_REAL) \
            return RT_DO_##real(type, name, ()); \
        rt->manual = true; \
        return RT_DO_##controlled(type, name, ()); \
    }
#define RT_MANUAL_BY_MODE(type, name, parameters, real, alone, group) \
    RT_API type name parameters \
    { \
        if (rt_mode == RT_REAL) \
            return RT_DO_##real(type, name, ()); \
        rt->manual = true; \
        if (rt_mode == RT_GROUP) \
            return RT_DO_##group(type, name, ()); \
        return RT_DO_##alone(type, name, ()); \
    }

/* The twin that a program compiled with _FORTIFY_SOURCE calls: where it does not fit the C library's own ends the program. */
#define RT_CHECKED(type, name, parameters, arguments, fits, controlled) \
    type name parameters; \
    RT_API type name parameters \
    { \
        if (!(fits)) \
            return RT_NEXT(name) arguments; \
        RT_BY_CONTROL(type, name, arguments, NEXT, controlled) \
    }
#define RT_CHECKED_GROUPED(type, name, parameters, arguments, fits, elsewhere, group) \
    type name parameters; \
    RT_API type name parameters \
    { \
        if (!(fits)) \
            return RT_NEXT(name) arguments; \
        RT_BY_GROUP(type, name, arguments, elsewhere, group) \
    }

#endif
