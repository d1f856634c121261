/* Contexts: stacks, thread-local storage, and the switch from one to the other.
 *
 * A context that is not running has its callee-saved registers and the control words of the floating-point units on its stack;
 * what a call may change need not be kept, for it stands in a call.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"
#include "group.h"
#include "insides.h"
#include "sys.h"

#include <asm/prctl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#pragma GCC poison malloc calloc free printf

enum { PAGE = 4096, GAP = 64 << 10, FSGSBASE = 2 };

_Static_assert(offsetof(struct rt_context, stack_pointer) == 0 && offsetof(struct rt_context, result) == 8, "known below");

/* ---- the switch ---- */

/* What a call may change: leftovers of the scheduler would get into the program's memory where a function keeps all of its arguments,
 * as printf does. */
#define CLEAR_REGISTERS \
    "    pxor %xmm0, %xmm0\n    pxor %xmm1, %xmm1\n    pxor %xmm2, %xmm2\n    pxor %xmm3, %xmm3\n" \
    "    pxor %xmm4, %xmm4\n    pxor %xmm5, %xmm5\n    pxor %xmm6, %xmm6\n    pxor %xmm7, %xmm7\n" \
    "    xorl %ecx, %ecx\n    xorl %edx, %edx\n    xorl %esi, %esi\n    xorl %edi, %edi\n" \
    "    xorl %r8d, %r8d\n    xorl %r9d, %r9d\n    xorl %r10d, %r10d\n    xorl %r11d, %r11d\n"

/* As long as the scheduler runs, frames are found through rbp, though the stack pointer jumps. */
#define DROP_REGISTERS \
    "    ldmxcsr (%rsp)\n" \
    "    fldcw 4(%rsp)\n" \
    "    addq $8, %rsp\n" \
    "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n" \
    CLEAR_REGISTERS

__asm__(
    ".text\n"
    ".globl rt_group_enter\n.hidden rt_group_enter\n.type rt_group_enter, @function\n"
    "rt_group_enter:\n"
    "    .cfi_startproc\n"
    "    cmpb $0, rt_kernel_threads(%rip)\n"
    "    jne rt_group_enter_thread\n"
    "    pushq %rbp\n"
    "    .cfi_def_cfa_offset 16\n"
    "    .cfi_offset %rbp, -16\n"
    "    movq %rsp, %rbp\n"
    "    .cfi_def_cfa_register %rbp\n"
    "    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
    "    .cfi_offset %rbx, -24\n"
    "    .cfi_offset %r12, -32\n"
    "    .cfi_offset %r13, -40\n"
    "    .cfi_offset %r14, -48\n"
    "    .cfi_offset %r15, -56\n"
    "    subq $8, %rsp\n"
    "    stmxcsr (%rsp)\n"
    "    fnstcw 4(%rsp)\n"
    "    movq rt_running(%rip), %rax\n"
    "    movq %rsp, (%rax)\n"
    "    movq rt_stack_top(%rip), %rsp\n"
    "    call rt_group_schedule\n"
    "    movq (%rax), %rsp\n"
    "    movq 8(%rax), %rax\n"
    DROP_REGISTERS
    "    .cfi_def_cfa %rsp, 8\n"
    "    ret\n"
    "    .cfi_endproc\n"
    ".size rt_group_enter, .-rt_group_enter\n"

    ".globl rt_context_abandon\n.hidden rt_context_abandon\n.type rt_context_abandon, @function\n"
    "rt_context_abandon:\n"
    "    .cfi_startproc\n"
    "    .cfi_undefined %rip\n"
    "    movq rt_stack_top(%rip), %rsp\n"
    "    call rt_group_abandoned\n"
    "    ud2\n"
    "    .cfi_endproc\n"
    ".size rt_context_abandon, .-rt_context_abandon\n"

    ".globl rt_context_resume\n.hidden rt_context_resume\n.type rt_context_resume, @function\n"
    "rt_context_resume:\n"
    "    movq (%rdi), %rsp\n"
    "    movq 8(%rdi), %rax\n"
    DROP_REGISTERS
    "    ret\n"
    ".size rt_context_resume, .-rt_context_resume\n"

    /* The outermost frame of a context: an unwinder stops here. */
    ".type first, @function\n"
    "first:\n"
    "    .cfi_startproc\n"
    "    .cfi_undefined %rip\n"
    "    nop\n"                                          /* an unwinder looks at the instruction before a return address */
    "1:  xorl %ebp, %ebp\n"
    "    call rt_context_main\n"
    "    ud2\n"
    "    .cfi_endproc\n"
    ".size first, .-first\n"
    ".set rt_context_first, 1b\n"
    ".hidden rt_context_first\n");

extern const char rt_context_first[] __attribute__((visibility("hidden")));

struct saved { uint32_t vector_control; uint16_t float_control, unused; uint64_t registers[6], back, end; };
_Static_assert(sizeof(struct saved) == 72, "as the code above has it, and one word more");
_Static_assert(sizeof(struct wire_saved) == offsetof(struct saved, end), "as the controller knows it");

/* ---- thread-local storage ---- */

static rt_tls_allocate_t *allocate_tls;
static rt_tls_free_t     *free_tls;
static rt_ctype_init_t   *init_ctype;
static uint64_t tls_bytes, tls_alignment, block_bytes, id_at;

static uint64_t *word(uint64_t block, uint64_t offset) { return (uint64_t *)(block + offset); }

static uint64_t own_block(void)
{
    uint64_t block;
    __asm__("movq %%fs:0, %0" : "=r"(block));
    return block;
}

static bool fast_switch;

void rt_context_enter(struct rt_context *context)
{
    uint64_t block = context->thread_pointer;
    if (rt_kernel_threads || block == own_block())
        return;
    if (fast_switch)
        __asm__ volatile("wrfsbase %0" :: "r"(block) : "memory");
    else
        RT_SYS(SYS_arch_prctl, ARCH_SET_FS, block);
}

/* Where the C library keeps a thread's number, and behind it the list of its robust locks, which is empty: it points to
 * itself. */
static void copy_thread_fields(uint64_t block, uint64_t main_block, int process)
{
    if (!id_at)
        return;
    *(int32_t *)word(block, id_at) = FIRST_PID + process;
    for (uint64_t at = id_at + 8; at < id_at + RT_TCB_LISTS; at += 8)
        if (*word(main_block, at) - main_block < block_bytes)
            *word(block, at) = *word(main_block, at) - main_block + block;
}

static bool make_tls(struct rt_context *context)
{
    uint64_t creator = own_block();
    uint64_t block = ((uint64_t)context->memory_end - block_bytes) & ~(tls_alignment - 1);
    context->memory = (char *)((block - tls_bytes) & ~(uint64_t)63);
    memset(context->memory, 0, (size_t)(context->memory_end - context->memory));
    *word(block, RT_TCB_SELF) = *word(block, RT_TCB_POINTER) = block;
    *word(block, RT_TCB_STACK_GUARD) = *word(creator, RT_TCB_STACK_GUARD);
    *word(block, RT_TCB_POINTER_GUARD) = *word(creator, RT_TCB_POINTER_GUARD);
    *word(block, RT_TCB_FEATURES) = *word(creator, RT_TCB_FEATURES);
    copy_thread_fields(block, creator, context->process);
    context->thread_pointer = block;
    return allocate_tls((void *)block);
}

static void find_library_parts(void)
{
    rt_tls_info_t *tls_info = (rt_tls_info_t *)rt_next(RT_TLS_INFO);
    const uint32_t *size = rt_next(RT_BLOCK_SIZE);
    allocate_tls = (rt_tls_allocate_t *)rt_next(RT_TLS_ALLOCATE);
    free_tls = (rt_tls_free_t *)rt_next(RT_TLS_FREE);
    init_ctype = (rt_ctype_init_t *)rt_next(RT_CTYPE_INIT);
    tls_info(&tls_bytes, &tls_alignment);                /* with the control block, which lies above */
    block_bytes = (*size + 63u) & ~63u;
    tls_bytes -= *size < tls_bytes ? *size : 0;
    if (tls_alignment < 64)
        tls_alignment = 64;
}

/* ---- creating and ending ---- */

static struct rt_call start_call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_START, .index = -1};

static uint64_t window_end(int process) { return RT_STACKS_AT + ((uint64_t)process + 1) * RT_WINDOW - GAP; }

/* Stacks end at the upper end of the process's window. What is below cannot be used: it is not mapped, or, where an earlier
 * thread of this number had a larger stack, closed. */
static void limit_stack(int process, uint64_t bytes)
{
    uint64_t end = window_end(process), open = rt_core->stack_open[process];
    long refused = 0;
    if (bytes > open)
        refused = RT_SYS(SYS_mprotect, end - bytes, bytes - open, PROT_READ | PROT_WRITE);
    if (bytes < open)
        refused = RT_SYS(SYS_mprotect, end - open, open - bytes, PROT_NONE);
    if (refused)
        rt_fail("the system does not let the stack of a thread change its size (mprotect is refused)");
    rt_core->stack_open[process] = bytes;
}

static bool map_stack(int process, uint64_t bytes)
{
    uint64_t end = window_end(process), mapped = rt_core->stack_bytes[process];
    if (bytes > mapped) {
        if (bytes > RT_WINDOW / 2 || !rt_try_map(end - bytes, bytes - mapped, MAP_PRIVATE))
            return false;
        limit_stack(process, mapped);
        rt_core->stack_bytes[process] = rt_core->stack_open[process] = bytes;
    }
    limit_stack(process, bytes);
    return true;
}

/* Whose window its stack is in: a process that a thread forked goes on with that thread's. */
static int window_of(const struct rt_context *context)
{
    return (int)(((uint64_t)context->memory_end - RT_STACKS_AT) / RT_WINDOW);
}

void rt_stacks_open(void)
{
    for (int i = 0; i < MAX_PROCESSES; i++)
        if (rt_core->stack_bytes[i])
            limit_stack(i, rt_core->stack_bytes[i]);
}

void rt_stacks_close(void)
{
    for (int i = 0; i < rt_contexts_end; i++)
        if (rt_contexts[i].open)
            limit_stack(window_of(&rt_contexts[i]), rt_contexts[i].open);
}

static void prepare_registers(struct rt_context *context)
{
    uint64_t top = (uint64_t)context->stack_end & ~(uint64_t)15;
    struct saved *saved = (struct saved *)(top - 16 - offsetof(struct saved, end));
    memset(saved, 0, sizeof *saved);
    __asm__("stmxcsr %0" : "=m"(saved->vector_control));
    __asm__("fnstcw %0" : "=m"(saved->float_control));
    saved->back = (uint64_t)rt_context_first;
    context->stack_pointer = (uint64_t)saved;
}

void rt_context_main(void)
{
    init_ctype();
    rt_running->entry(rt_running->arg);
    rt_context_end();
}

static void set_stack(struct rt_context *context, char *stack, size_t stack_size)
{
    context->stack = stack ? stack : context->memory - stack_size;
    context->stack_end = stack ? stack + stack_size : context->memory;
}

/* Of the window: a stack of so many bytes, and thread-local storage. The C library takes that off the stack; so there is that much more
 * here, and the runtime, which uses the stack, too, needs less. */
static uint64_t bytes_open(size_t stack_size)
{
    uint64_t bytes = stack_size + tls_bytes + block_bytes + 2 * tls_alignment;
    return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

struct rt_context *rt_context_create(int process, void (*entry)(void *), void *arg, void *stack, size_t stack_size)
{
    if (process < 0 || process >= MAX_PROCESSES)
        return NULL;
    struct rt_context *context = &rt_contexts[process];
    uint64_t open = bytes_open(stack ? 0 : stack_size);
    if (stack_size > RT_WINDOW || !map_stack(process, open))
        return NULL;
    if (context->state == RT_ENDED && rt->wire->group & GROUP_STATES)    /* what the dynamic linker keeps of it would add up */
        free_tls((void *)context->thread_pointer, false);
    *context = (struct rt_context){.process = process, .host = rt_running->host, .entry = entry, .arg = arg, .open = open,
                                   .call = &start_call, .memory_end = (char *)window_end(process)};
    if (!make_tls(context))
        return NULL;
    set_stack(context, stack, stack_size);
    prepare_registers(context);
    context->state = RT_LIVE;
    if (process >= rt_contexts_end)
        rt_contexts_end = process + 1;
    rt_accesses_watch();
    rt_accesses_wipe(context);
    if (rt_kernel_threads && !rt_thread_start(context))
        return NULL;
    return context;
}

static void refuse(void *words)
{
    RT_REFUSE_AS(REFUSED_WISH, words);
}

void rt_context_create_refused(int process, const char *words)
{
    enum { SMALL = 64 << 10 };
    if (!rt_context_create(process, refuse, (void *)words, NULL, SMALL))
        rt_fail(RT_NO_MEMORY);
}

void rt_context_end(void)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_EXIT, .index = -1};
    rt_running->state = RT_ENDED;
    rt_group_enter(&call, NULL);
    rt_die(127);
}

/* ---- the first context: the stack and storage that the kernel and the dynamic linker gave it ---- */

/* What the kernel lets it grow to; less, so that what stands above __libc_stack_end (arguments, environment) has room, too. */
size_t rt_main_stack_size(void)
{
    enum { ABOVE = 256 << 10, LARGEST = 64 << 20 };
    struct rlimit limit = {0};
    long failed = RT_SYS(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit);
    if (failed || limit.rlim_cur > LARGEST)
        return LARGEST;
    return limit.rlim_cur > 2 * ABOVE ? limit.rlim_cur - ABOVE : limit.rlim_cur / 2;
}

void rt_contexts_begin(void)
{
    find_library_parts();
    id_at = rt_thread_id_at();
    fast_switch = getauxval(AT_HWCAP2) & FSGSBASE;
    struct rt_context *context = &rt_contexts[0];
    context->stack = __libc_stack_end - rt_main_stack_size();
    context->stack_end = __libc_stack_end;
    context->thread_pointer = own_block();
    context->state = RT_LIVE;
    rt_running = context;
}
