/* A sharing group: threads as contexts that the runtime switches by itself, one kernel thread for all contexts of
 * a UNIX process (a host), and memory that can be put back.
 *
 * Invariant: a context that is not running stands before a visible operation (`call`); all that it is lies in memory: its
 * registers on its stack, the rest here. So a copy of the host's writable memory is a copy of the host.
 *
 * What is in .data and .bss, the runtime's own included, goes back with a snapshot; what must not is in struct rt.
 * SPDX-License-Identifier: MIT */
#ifndef RT_GROUP_H
#define RT_GROUP_H

#include "rt.h"

struct rt_thread;                    /* thread.c's */

enum rt_state { RT_UNUSED, RT_LIVE, RT_ENDED };
enum { RT_MOST_LOOKS = 8 };          /* places at which a loop looks before it is as it was; with more it never waits */

struct rt_context {
    uint64_t          stack_pointer; /* while it is not running: its registers are there (context.c) */
    uint64_t          result;        /* of the operation it stood before */
    uint64_t          thread_pointer;                    /* fs base: its thread control block */
    char             *stack, *stack_end;                 /* bounds of its stack */
    struct rt_call   *call;          /* what it stands before */
    void             *frame;         /* of the function that the program called; NULL: none */
    struct rt_thread *thread;        /* NULL until thread.c sets it */
    void            (*entry)(void *);
    void             *arg;
    char             *memory_end;    /* its thread control block and all of its thread-local storage are below this ... */
    char             *memory;        /* ... and above this; a stack of ours ends here, too */
    uint64_t          open;          /* of the window for its stack so many bytes can be used; 0: it has none */
    int32_t           process;
    int32_t           host;
    uint32_t          state;         /* enum rt_state */
    uint32_t          turn;          /* futex, with a kernel thread for each context: 1: it may run */
    char              name[16];      /* "": "thread N" */
    struct rt_looks {                /* looks.h */
        uint32_t count, now, added, counting;            /* counting: rounds in which it did nothing but look, and count */
        uint32_t idle;               /* how often it let others go first since it did anything else, up to RT_IDLE */
        uint64_t others;             /* what others have done to its stack since (RT_LOOKING) */
        uint64_t object;             /* at which it looked by its last operation; 0: that was another one */
        struct rt_look { uint64_t place, seen, address, object, thing, state, delta, value, mark; uint32_t visit, rounds, solid, tried, kept, times, marked, reserved; } at[RT_MOST_LOOKS];       /* those from count on are zero */
    } looks;
    char             *kept_stack;    /* while a handler runs on another stack: of its own this is in use; else NULL */
};

extern struct rt_context rt_contexts[MAX_PROCESSES];             /* by process number */
extern int               rt_contexts_end;                        /* those from here on were never used */

/* A new context that stands at PROCESS_START. stack NULL: one of ours, of stack_size bytes. NULL: no
 * memory. When entry returns, the context ends. */
struct rt_context *rt_context_create(int process, void (*entry)(void *), void *arg, void *stack, size_t stack_size);
void rt_context_create_refused(int process, const char *words);      /* the controller counts on it, but it cannot be: it says so */
_Noreturn void rt_context_end(void);                             /* the current one stands at PROCESS_EXIT from now on */
struct rt_context *rt_current(void);                             /* NULL: not in a group */

extern char *__libc_stack_end;                                   /* the first thread's; it reaches so far down: */
size_t rt_main_stack_size(void);

/* After PROCESS_CREATE gave the number `child`: 0 in the new UNIX process, which has only this context, under the number
 * `child`; 1 in the old one; or a negative errno. */
int rt_fork(int child);

/* Zeroed memory of whole pages, private to the host, which goes back with snapshots; NULL: none left. Its protection must stay
 * as it is, unless rt_kernel_keeps_state is called. unmap: false when this is no such memory. */
void *rt_heap_map(size_t bytes);
bool  rt_kernel_has(uint64_t bytes);                             /* would the program by itself be given so much? */
#define RT_MUCH_MEMORY " (of more memory than VeriSoft has: 1 GB for each thread, 1 GB to share, less where ulimit -v or -d is set)"
bool  rt_heap_unmap(void *, size_t bytes);
void *rt_heap_get(size_t bytes);                                 /* malloc for the runtime's own use in a group; zeroed */
void  rt_heap_put(void *);

/* ---- between the files of the core ---- */

enum { RT_CODE = 256 };
struct rt_code { uint64_t lo, bytes; bool system; };             /* system: of a library that nobody debugs */

struct rt_part { uint64_t lo, bytes, shift; };                   /* of the program: layout.c */

/* What does not go back with a snapshot. */
struct rt_core {
    struct wire_batch *batch;
    bool     stepping;               /* a step is under way, and its end counts */
    bool     quiet;                  /* the next arrival is not to be told: the controller knows it */
    bool     unwinding;              /* after a crash: a fault is the unwinder's */
    bool     copying;                /* memory is being copied: a fault is our own */
    bool     states;                 /* the controller compares states (GROUP_STATES) */
    bool     fast;                   /* pack.h */
    bool     gathers;                /* accesses of the program (accesses.h) */
    uint32_t code_count;
    struct rt_code code[RT_CODE];    /* of the program and the libraries */
    uint32_t part_count;             /* 0: every start has the same addresses */
    struct rt_part parts[MAX_PARTS];
    uint64_t heap_bytes[MAX_PROCESSES];                  /* of the window for malloc that are mapped; 0: not yet */
    uint64_t stack_bytes[MAX_PROCESSES];                 /* likewise of the window for the stack, from its upper end, ... */
    uint64_t stack_open[MAX_PROCESSES];                  /* ... of which so many can be used */
    int      heaps;                  /* processes from this number on have no window for malloc */
    int32_t  kernel_threads[MAX_PROCESSES];              /* futex: not 0 while the kernel thread of this number is there */
    bool     signal_stacks[MAX_PROCESSES];               /* those that have one */
};

/* Far from where anything else is mapped; a window of addresses for each process. */
#define RT_CORE_AT    UINT64_C(0x228000000000)
#define RT_SHARED_AT  WIRE_SHARED_AT
#define RT_STORED_AT  WIRE_SHARED_END           /* snapshots of shared memory */
#define RT_HEAPS_AT   UINT64_C(0x240000000000)
#define RT_STACKS_AT  UINT64_C(0x250000000000)
#define RT_COPIES_AT  UINT64_C(0x260000000000)           /* snapshots of private memory */
#define RT_FIRSTS_AT  UINT64_C(0x270000000000)           /* pages as they were before the first touch */
#define RT_WINDOW     (UINT64_C(1) << 30)

extern struct rt_core    *rt_core;
extern struct rt_context *rt_running;                    /* NULL: not in a group */
extern bool               rt_kernel_threads;             /* each context is run by a kernel thread of its own */

RT_INLINE int rt_host(void) { return rt_running ? rt_running->host : 0; }

void *rt_map(uint64_t at, uint64_t bytes, int flags);    /* zeroed; flags: MAP_PRIVATE or MAP_SHARED; dies when it cannot */
bool rt_try_map(uint64_t at, uint64_t bytes, int flags);
uint64_t rt_map_most(uint64_t at, uint64_t most, uint64_t least, int flags);     /* gives the bytes; fails when it is less than `least` */
uint64_t rt_fair_share(void);                            /* bytes that one part of the memory may take */
void rt_group_begin(void);                               /* sets all this up for the first process */
struct rt_context *rt_group_schedule(struct rt_call *, void *frame);     /* the current one stands before this: who is next? */
struct rt_context *rt_group_next(uint32_t event);        /* posts the event (the slot is filled), waits; who is next? */
_Noreturn void rt_group_crashed(void *stack_pointer);    /* the slot is filled with the crash of the current context */
const struct rt_code *rt_code_at(uint64_t address);      /* NULL: there is no code */
void rt_group_describe(const struct rt_call *, uint64_t place);          /* fills the slot, but for its callers */
uint64_t rt_place(const struct rt_call *, const void *frame);
void rt_callers(uint64_t frame, uint64_t stack_end, uint64_t below, uint64_t *callers);

void rt_names_of_semaphores_begin(void);                  /* counter.c: sets its tables up; so do the next two */
void rt_queues_begin(void);
void rt_stdio_begin(void);

void rt_layout_begin(void);                              /* layout.c */
uint64_t rt_in_first(uint64_t address);                  /* what it would be in the first start of the program */
uint64_t rt_value_anywhere(uint64_t value);
void rt_tell_in_first(struct wire_slot *);               /* the same for all addresses in the slot */

void rt_warm_unwinder(void);                             /* or it would do at its first use what must be done once (crash.c) */

void rt_contexts_begin(void);
void rt_stacks_open(void);                               /* all of every window that was ever used: memory is to be put back */
void rt_stacks_close(void);                              /* to what each context has */
_Noreturn void rt_context_main(void);                    /* the current context, from its beginning to its end */
uint64_t rt_thread_id_at(void);                          /* offset of the thread id in a thread control block; 0: not found */
_Noreturn void rt_context_resume(struct rt_context *);   /* leaves the current stack */
_Noreturn void rt_context_abandon(void);                 /* goes to the runtime's stack and calls rt_group_abandoned there */
_Noreturn void rt_group_abandoned(void);
void rt_context_enter(struct rt_context *);              /* its thread-local storage is the one in use */

void rt_threads_begin(void);                             /* from now on each context is a kernel thread */
bool rt_thread_start(struct rt_context *);               /* one that waits for the context's turn */
void rt_thread_name(const struct rt_context *);          /* the current one gets the context's name */
uint64_t rt_group_enter_thread(struct rt_call *, void *frame);
_Noreturn void rt_thread_crashed(void);

uint64_t rt_heap_used(int process);                      /* bytes from the start of its window; what is above is zero */

void rt_shared_begin(void);
void rt_shared_snapshot(uint32_t number);
void rt_shared_restore(uint32_t number);
void rt_shared_each(void (*)(uint64_t lo, uint64_t hi)); /* what is in use of it, or was */
uint64_t rt_shared_window(void);                         /* bytes for all that it can be */

void rt_snapshot(uint32_t number);                       /* of this host; those above it are dropped */
void rt_restore(uint32_t number);
void rt_snapshots_drop(void);

#endif
