/* Signals of a sharing group, in which the kernel has no part: what threads block and processes do about signals is kept in memory,
 * so that it goes back with snapshots; the controller says when one comes (RESULT_SIGNAL), and its handler is then called like any
 * function, on the stack of its thread. The kernel's handlers are the runtime's own (crash.c), its masks empty.
 * SPDX-License-Identifier: MIT */
#ifndef RT_SIGNALS_H
#define RT_SIGNALS_H

#include "rt.h"

#include <signal.h>
#include <string.h>
#include <ucontext.h>

enum { RT_SIGNALS = 64 };

struct rt_action { uint64_t handler, mask; int flags; };         /* handler: as sa_handler; what is blocked meanwhile */

RT_INLINE bool rt_is_signal(int signal) { return signal > 0 && signal <= RT_SIGNALS && signal != 32 && signal != 33; }
RT_INLINE uint64_t rt_signal_bit(int signal) { return UINT64_C(1) << (signal - 1); }

RT_INLINE uint64_t rt_mask_of(const sigset_t *set)               /* without those that nobody can block */
{
    uint64_t bits;
    memcpy(&bits, set, sizeof bits);
    return bits & ~(rt_signal_bit(SIGKILL) | rt_signal_bit(SIGSTOP) | rt_signal_bit(32) | rt_signal_bit(33));
}

const struct rt_action *rt_action_of(int signal);
void rt_set_action(int signal, const struct rt_action *, void *frame, const char *name);
void rt_change_mask(uint64_t mask, bool suspends, void *frame, const char *name);
void rt_set_mask(uint64_t mask, const char *name, void *frame);      /* the same, where it differs from what the thread blocks */

/* What is told with a signal, by whoever sent it. */
struct rt_told { int32_t code, pid, status, timer; uint64_t value; };      /* timer: whose it is; 0: none */
void rt_tell(uint32_t sent, const struct rt_told *);     /* sent: what the controller gave back for it, SIGNAL_SENT */
void rt_timer_seen(const struct rt_told *);              /* timer.c: a thread has got it */
void rt_fill_info(siginfo_t *, int signal, const struct rt_told *);
const struct rt_told *rt_told_with(uint32_t taken);      /* taken: what SIGWAIT gave */
/* The handler runs, or the process ends. told NULL: what was told with it. after: what the thread blocks then. */
void rt_handle(uint32_t result, const struct rt_told *told, uint64_t after, void *frame);
void rt_leave_handlers(const char *to);                  /* a jump to where the stack ends there leaves those that were called since */

/* A fault, or an abort in a library, stopped the thread there. True: when the kernel goes back, its handler runs. */
bool rt_handle_fault(const siginfo_t *, ucontext_t *);

void rt_crashed(int, siginfo_t *, void *);   /* crash.c: what the kernel calls */

void rt_raise(int signal, void *frame);       /* kill.c, in a group: to the thread itself */
bool rt_is_there(int host, const char *name, void *frame);       /* that process, which name asks for; one that nobody has waited for is */

/* ---- deaths by signals ---- */

/* What the process does to itself by this signal ends it. Its parent may look at that, and then it is no error. words: why, or
 * NULL; caller: the place in the program to be told when there is no stack any more to find it on; 0: where it is called. */
_Noreturn void rt_end_by_signal(int signal, const char *words, uint64_t caller, void *frame);
bool rt_end_can_be_seen(void);               /* it has a parent */
void rt_seen(int child, bool looks);         /* the process waited for this child; looks: at its status */
void rt_nobody_saw(void);                    /* it has ended; are there children whose deaths it did not look at? */

/* exception.c: why abort() is called, if it is by std::terminate; else "". In a group gives the place in the program, or 0. */
enum { RT_WORDS = 256 };
uint64_t rt_exception(char words[RT_WORDS]);
void rt_exception_failed(void);              /* a fault; does not return when it is one of rt_exception */

uint64_t rt_hosts(void);                     /* all UNIX processes that there ever were */
int      rt_parent_host(void);               /* process.c; -1: the first process */
uint32_t rt_leave(int status, void *frame, uint64_t place);     /* process.c: the UNIX process ends, with this wait status; SIGNAL_* */

void rt_signals_inherited(int child);        /* before the fork: by that host, from this one */

#endif
