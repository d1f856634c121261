/* prctl, by its options: names of threads are the runtime's; what only concerns the world outside is not done, and nobody can tell;
 * what changes who dies, who waits for whom, or what a system call does is refused, for the controller would not know of it.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/prctl.h>
#pragma GCC poison malloc calloc free printf

enum treatment { REFUSED, NAMES, PASSED_ON, KEPT, NO_EFFECT, ONLY_OFF };

static enum treatment treatment_of(int option)
{
    switch (option) {
    case PR_SET_NAME: case PR_GET_NAME:
        return NAMES;
    case PR_GET_DUMPABLE: case PR_GET_KEEPCAPS: case PR_GET_TIMERSLACK: case PR_GET_SECCOMP: case PR_GET_NO_NEW_PRIVS:
    case PR_GET_SECUREBITS: case PR_CAPBSET_READ: case PR_GET_THP_DISABLE: case PR_GET_FPEMU: case PR_GET_FPEXC:
    case PR_GET_UNALIGN: case PR_GET_ENDIAN: case PR_GET_TIMING: case PR_GET_SPECULATION_CTRL: case PR_GET_TSC:
        return PASSED_ON;
    case PR_SET_KEEPCAPS: case PR_SET_NO_NEW_PRIVS: case PR_SET_SECUREBITS: case PR_CAPBSET_DROP: case PR_CAP_AMBIENT:
    case PR_SET_THP_DISABLE: case PR_SET_TIMERSLACK:
        return KEPT;
    case PR_SET_DUMPABLE: case PR_SET_PTRACER:
        return NO_EFFECT;                                /* a debugger of ours may look, whatever the program says */
    case PR_SET_PDEATHSIG: case PR_SET_CHILD_SUBREAPER: case PR_GET_PDEATHSIG: case PR_GET_CHILD_SUBREAPER:
        return ONLY_OFF;
    default:
        return REFUSED;
    }
}

static int fails(int error)
{
    errno = error;
    return -1;
}

static int name(int option, char *text)
{
    enum { ROOM = 16 };
    char cut[ROOM];
    if (option == PR_GET_NAME)
        return pthread_getname_np(pthread_self(), text, ROOM) ? fails(EINVAL) : 0;
    uint32_t length = rt_length(text, ROOM - 1);
    for (uint32_t i = 0; i < ROOM; i++)
        cut[i] = i < length ? text[i] : 0;
    return pthread_setname_np(pthread_self(), cut) ? fails(EINVAL) : 0;
}

/* The runtime's own wish, to die with the controller, stays in force. */
static int only_off(int option, const unsigned long *argument)
{
    if (option == PR_GET_PDEATHSIG || option == PR_GET_CHILD_SUBREAPER)
        *(int *)argument[0] = 0;
    return 0;
}

static bool is_refused(int option, unsigned long first)
{
    enum treatment t = treatment_of(option);
    return t == REFUSED || ((option == PR_SET_PDEATHSIG || option == PR_SET_CHILD_SUBREAPER) && first);
}

static int pass_on(int option, const unsigned long *argument)
{
    return (int)rt_answer(RT_SYS(SYS_prctl, option, argument[0], argument[1], argument[2], argument[3]));
}

RT_INLINE int treat(int option, const unsigned long *argument)
{
    if (is_refused(option, argument[0]))
        RT_REFUSE("prctl (with this option)");
    switch (treatment_of(option)) {
    case NAMES:     return name(option, (char *)argument[0]);
    case REFUSED:
    case NO_EFFECT: return 0;
    case ONLY_OFF:  return only_off(option, argument);
    case KEPT:      rt_kernel_keeps_state("prctl"); break;
    case PASSED_ON: break;
    }
    return pass_on(option, argument);
}

RT_API int prctl(int option, ...)
{
    unsigned long argument[4];
    va_list rest;
    va_start(rest, option);
    for (int i = 0; i < 4; i++)
        argument[i] = va_arg(rest, unsigned long);
    va_end(rest);
    RT_BY_CONTROL(int, prctl, (), DO(pass_on(option, argument)), DO(treat(option, argument)))
}
