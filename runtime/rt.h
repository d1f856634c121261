/* The runtime: the part of VeriSoft in the program under test. A call of the program becomes a struct rt_call, which
 * rt_enter describes to the controller; then the process waits, and goes on with the result it is given.
 *
 * Invariant: what the runtime remembers is in its own mapping (struct rt) and on its own stack, never in memory that the
 * program can see; so the program's memory depends on the program alone. What it must share with the program (the virtual
 * clock, received messages) is part of the program's state.
 * SPDX-License-Identifier: MIT */
#ifndef RT_H
#define RT_H

#include "wire.h"

enum rt_mode {
    RT_REAL,                         /* no controller: the calls do the real thing */
    RT_CONTROLLED,                   /* a process with memory of its own */
    RT_GROUP,                        /* a process or thread of a sharing group */
    RT_ENDING                        /* the controller ended this process and its own handler is cleaning up */
};

struct rt_call {
    uint32_t    event;               /* EVENT_* of wire.h; likewise the next fields */
    uint8_t     type, code;
    int32_t     number, index, arg[3];
    uint32_t    room;                /* of reply */
    const char *text;                /* NULL: none */
    uint64_t    place;               /* 0: the address to which the intercepted call returns */
    char       *reply;               /* where the text of the result goes; its `room` bytes are filled up with 0 */
    bool        replied;             /* false: the text of the result is NULL */

    int32_t     interrupted;         /* in a group: the result when a signal ends its waiting; 0: none does */
    bool        was_interrupted;
    uint64_t    start, argument;     /* of PROCESS_CREATE: what the new thread begins with; 0: unknown */
    uint64_t    object;              /* in a group: the object's address, or a key that its type knows; 0: none */
    bool        fresh;               /* in a group: see wire.h */
    bool        tries;               /* and what it did not get it may try again: RT_TRY of accesses.h */
};

enum { RT_STACK = 256 << 10, RT_SIGNAL_STACK = 64 << 10 };

struct rt_standard { uint64_t device, inode; };           /* which file stands for standard input, output or error */
struct rt_standard rt_look_at(int fd);

struct rt {
    struct wire      *wire;
    struct wire_slot *slot;          /* this process's */
    uint64_t          end_place;     /* of the last call of exit and its like; 0: none */
    bool              manual;        /* see wire.h */
    int               quick_status;  /* of quick_exit, whose handlers are not told */
    struct rt_standard standard[3];  /* at the start */
    uint64_t         *written[2];    /* what the C library counts of standard output and error */
    bool              input;         /* standard input is a file, which is the same in every start */
    bool              watches;       /* the kernel will not end it with the controller: it has to look */
    char              lines[16 << 10];                   /* of /proc/self/maps */
    uint64_t          pages[512];                        /* of /proc/self/pagemap */
    _Alignas(64) char stack[RT_STACK];
    _Alignas(64) char signal_stack[RT_SIGNAL_STACK];
};

extern struct rt    *rt;             /* NULL in RT_REAL */
extern enum rt_mode  rt_mode;
extern char         *rt_stack_top;

#define RT_API __attribute__((visibility("default"), noinline, used))
/* Of a variable that is the runtime's alone: it says nothing about the program, and stays when memory goes back (journal.h). */
#define RT_PRIVATE __attribute__((section("rt_private")))
#define RT_UNCOUNTED __attribute__((section("rt_uncounted")))    /* of one that goes back, but says nothing about the program, either */
#define RT_INLINE static inline __attribute__((always_inline))

/* What the function has computed on its way, and needs no more, is left in these registers, which are kept where the process stands: it would
 * keep equal states apart that were come to by different ways. */
#define RT_CLEAR_REGISTERS() \
    ({ __asm__ volatile("xorl %%ebx, %%ebx\n xorl %%r12d, %%r12d\n xorl %%r13d, %%r13d\n xorl %%r14d, %%r14d\n xorl %%r15d, %%r15d" \
                        : : : "rbx", "r12", "r13", "r14", "r15", "cc"); })

/* Both must be expanded in a function that the program calls: __builtin_unwind_init makes it save all callee-saved registers in its
 * frame on the program's stack, where they are part of the fingerprint. What is told of a place begins with that frame. */
#define RT_FRAME (__builtin_unwind_init(), __builtin_frame_address(0))
#define RT_ENTER(call) \
    (__builtin_unwind_init(), rt_mode == RT_GROUP  ? rt_group_call((call), __builtin_frame_address(0)) \
                            : rt_mode == RT_ENDING ? 0 : (RT_CLEAR_REGISTERS(), rt_enter((call), __builtin_frame_address(0))))

/* Switches to the runtime's stack and serves the call there; clears the registers that a call may change. */
uint64_t rt_enter(struct rt_call *, void *frame_address);
uint64_t rt_serve(struct rt_call *, void *frame_address);        /* the part of rt_enter on the runtime's stack */

void rt_wipe_stack(uint64_t bytes);

void rt_post(uint32_t event);                                    /* hands the slot to the controller */
uint32_t rt_await(void);                                         /* gives the next command */
void rt_die_with_controller(void);                               /* a new process: from now on, or at once if that is gone */
void rt_describe(const struct rt_call *, uint64_t place);        /* fills the slot */
void rt_note(const char *line);
void rt_allow_debugger(void);                                    /* kernel_thread.c: any may attach to this process */
_Noreturn void rt_die(int status);                               /* at once: no handlers, no controller */
_Noreturn void rt_fail(const char *words);                       /* the same, when the runtime cannot go on: the controller tells why */
#define RT_NO_MEMORY "no memory for the runtime in the program: is it limited, by ulimit -v or -d, or by the program itself (setrlimit)?"
#define RT_DISAGREE "what the runtime keeps in memory was changed"
#define RT_NO_MADVISE "memory cannot be put back, because the system refuses madvise; --restart 1 does without"

/* `stack`: where the program's stack ends. What is below it, left by calls that have returned, is cleared. */
void rt_fingerprint(const struct rt_call *, uint64_t stack, uint64_t signal_mask, uint64_t out[2]);
bool rt_has_open_files(void);                                    /* other than standard input at its beginning, output and error */
void rt_name_of_number(int fd, char *name);                      /* "/proc/self/fd/12" */
void rt_reopen_files(void);                                      /* in a copy: what it reads must not move on the original */

void rt_catch_crashes(void);
uint64_t rt_clock(void);                                         /* a look at the virtual clock, in nanoseconds */
void rt_catch_exits(void);
bool rt_has_exit_handlers(void);                                 /* has the program something to do when it ends? */
void rt_steady_libc(void);                                       /* see libc.c */

/* The C library's own version of an intercepted function. */
void *rt_next(const char *name);
#define RT_NEXT(function) ((__typeof__(&function))rt_next(#function))

/* Where the messages that this process receives from a queue stand: hashed, for the program sees them. */
char *rt_received(int queue);

RT_INLINE uint32_t rt_length(const char *s, uint32_t most)       /* at most `most` */
{
    uint32_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

/* ---- in a sharing group (wire.h) ---- */

#define RT_TOO_MANY "more threads and processes than VeriSoft can control (64 at a time, where processes that have ended count; 65535 by one)"

RT_INLINE bool rt_in_group(void) { return rt_mode == RT_GROUP; }
int  rt_self(void);                                              /* number of the process (thread) that is running */
uint64_t rt_group_enter(struct rt_call *, void *frame_address);
#define rt_group_enter(call, frame) (RT_CLEAR_REGISTERS(), (rt_group_enter)((call), (frame)))
uint64_t rt_deliver(struct rt_call *, void *frame_address, uint32_t result);     /* handler.c: a signal comes first */

RT_INLINE uint64_t rt_group_call(struct rt_call *call, void *frame)      /* what RT_ENTER comes to */
{
    uint64_t result = rt_group_enter(call, frame);
    return __builtin_expect(IS_RESULT_SIGNAL(result), 0) ? rt_deliver(call, frame, (uint32_t)result) : result;
}

/* For a function that only a group can control, called where there is none: asks to start again as a group, does not return. */
#define RT_NEED_GROUP(function) \
    do { struct rt_call need = {.event = EVENT_GROUP, .text = #function}; RT_ENTER(&need); } while (0)

/* The program calls what is not controlled: that path goes no further. words: the function, and more in parentheses; or what it
 * wishes (REFUSED_WISH, REFUSED_ROOM). Comes back only when the process is ending already. */
#define RT_REFUSE_AS(how, words) \
    do { struct rt_call rt_refused_ = {.event = EVENT_REFUSE, .arg = {how}, .text = (words)}; RT_ENTER(&rt_refused_); } while (0)
#define RT_REFUSE(words)  RT_REFUSE_AS(REFUSED_CALL, words)
#define RT_NO_ROOM(words) RT_REFUSE_AS(REFUSED_ROOM, words)
#define RT_REFUSE_SIZE(words) RT_REFUSE_AS(REFUSED_SIZE, words)      /* the function is controlled, but not for so much */

/* The program broke a rule of the interface in a way that POSIX leaves undefined: an error; does not return. */
#define RT_MISUSE(words) \
    do { struct rt_call wrong = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_STRUCTURE, .index = -1, \
                                 .text = (words)}; RT_ENTER(&wrong); } while (0)

/* Memory that all UNIX processes of the group see, at the same address; zero; never given back. It goes back with snapshots. */
void *rt_shared(size_t bytes);
void *rt_try_shared(size_t bytes);                               /* NULL: there is no room */
bool  rt_is_shared(const void *);
void *rt_shared_tables(size_t bytes);                            /* one such place, the same for all; free until it is used */
void  rt_kernel_keeps_state(const char *why);                    /* from now on memory alone does not say where the group stands */

#include "modes.h"

#endif
