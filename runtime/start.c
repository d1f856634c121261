/* The start of a process: is there a controller? Then take part in its game.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"
#include "group.h"
#include "insides.h"
#include "kernel.h"
#include "sys.h"

#include <gnu/libc-version.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

/* By this note the controller knows, before it runs a program, that the runtime is in it and speaks its language. */
__attribute__((section(".note.verisoft"), used, aligned(4)))
static const struct { uint32_t name_size, data_size, type; char name[(sizeof WIRE_NOTE + 3) / 4 * 4]; } note =
    {sizeof WIRE_NOTE, 0, WIRE_VERSION, WIRE_NOTE};

/* Far from where anything else is mapped, so that they disturb no address of the program. */
#define WIRE_AT     ((void *)0x200000000000)
#define STATE_AT    ((void *)0x210000000000)
#define RECEIVED_AT ((void *)0x220000000000)

/* The dynamic linker and the code below use less. What they leave there depends on what was in memory by chance (which pages
 * were loaded, say), and would show up in the holes of the frames of main. */
enum { STARTUP_STACK = 48 << 10 };

static char *received;

struct received { struct received *next; int queue; char text[MAX_MESSAGE + 1]; };       /* in a group */
static struct received *all_received;

/* A sanitizer remembers real process ids and times, so that two starts of the program are not alike. */
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_get_current_report(void) __attribute__((weak));
extern void __msan_init(void) __attribute__((weak));

static void *map_at(void *at, size_t bytes, int flags, int fd)
{
    void *p = mmap(at, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, 0);
    if (p == MAP_FAILED)
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, fd, 0);
    if (p == MAP_FAILED)
        rt_fail(RT_NO_MEMORY);
    return p;
}

static char *received_in_group(int queue)
{
    struct received *r = all_received;
    while (r && r->queue != queue)
        r = r->next;
    if (r)
        return r->text;
    r = rt_heap_get(sizeof *r);
    if (!r)
        rt_fail("no memory for a message that the program receives");
    *r = (struct received){.next = all_received, .queue = queue};
    all_received = r;
    return r->text;
}

char *rt_received(int queue)
{
    if (rt_core)
        return received_in_group(queue);
    return received + (size_t)((unsigned)queue % MAX_OBJECTS) * (MAX_MESSAGE + 1);
}

static void refuse(const char *why)
{
    RT_SYS(SYS_write, 2, why, rt_length(why, 1000));
    rt_die(127);
}

static struct wire *connect(const char *number)
{
    int fd = atoi(number);
    long bytes = RT_SYS(SYS_lseek, fd, 0, SEEK_END);
    if (bytes < (long)sizeof(struct wire))
        refuse(WIRE_VARIABLE " is set, but no verisoft command is there: unset it to run the program by itself\n");
    struct wire *wire = map_at(WIRE_AT, (size_t)bytes, MAP_SHARED, fd);
    RT_SYS(SYS_close, fd);
    if (wire->version != WIRE_VERSION)
        refuse("the runtime in this program is not of the version of the verisoft command: compile it again\n");
    return wire;
}

/* Built on one machine and run on another, or before the system was renewed. */
static void look_at_libc(void)
{
    const char *version = gnu_get_libc_version();
    if (!rt_libc_is_known(version) && !rt_libc_was_probed(version))
        refuse("the runtime in this program does not know the C library that is here, which is not the one that VeriSoft was built with: "
               "build VeriSoft again (make) and compile the program again\n");
}

/* A function of its own, because start() goes on into the program's first state: what is left in its frame would be a part of that. */
__attribute__((noinline)) static void wait_for_tracer(void)
{
    RT_SYS(SYS_tgkill, RT_SYS(SYS_getpid), RT_SYS(SYS_gettid), SIGSTOP);
}

__attribute__((constructor(101))) static void start(void)
{
    const char *number = getenv(WIRE_VARIABLE);
    if (!number)
        return;
    struct wire *wire = connect(number);
    look_at_libc();
    rt = map_at(STATE_AT, sizeof *rt, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    rt->wire = wire;
    rt_die_with_controller();
    wire->launched |= LAUNCH_CONNECTED;
    rt->slot = &wire->slots[0];
    rt_stack_top = rt->stack + RT_STACK;
    received = map_at(RECEIVED_AT, (size_t)MAX_OBJECTS * (MAX_MESSAGE + 1), MAP_PRIVATE | MAP_ANONYMOUS, -1);
    rt_remember_standard_files();
    rt_steady_libc();
    rt_catch_crashes();
    rt_catch_exits();
    if (wire->group & GROUP_THREADS)
        rt_allow_debugger();
    if (__asan_init || __tsan_get_current_report || __msan_init)
        wire->launched |= LAUNCH_SANITIZED;
    if (rt_instrumented)
        wire->launched |= LAUNCH_INSTRUMENTED;
    if (wire->launched & LAUNCH_TRACED)
        wait_for_tracer();
    if (wire->group & GROUP_ON) {
        rt_group_begin();
        rt_names_of_semaphores_begin();
        rt_queues_begin();
        rt_stdio_begin();
    } else {
        rt_mode = RT_CONTROLLED;
    }
    rt_wipe_stack(STARTUP_STACK);
}
