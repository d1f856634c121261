/* Functions of the C library for which one of the treatments in functions.h is enough. Under the controller most are an error with its
 * place in the source; otherwise the C library's own function is called.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "functions.h"
#include "insides.h"
#include "plain_files.h"
#include "rt.h"
#include "thread.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

/* Rules; macros because the assembler must know them. */
#define TREATMENT_REFUSED          0
#define TREATMENT_REFUSED_IN_GROUP 1
#define TREATMENT_PLAIN_FILES      2
#define TREATMENT_ITSELF           3
#define TREATMENT_KEPT             4
#define TREATMENT_DROPPED          5
#define TREATMENT_READING          6
#define TREATMENT_MOVING           7
#define TREATMENT_PLAIN_POINT      8
#define TREATMENT_UNBLOCKED        9
#define TREATMENT_LOOKING          10
#define TREATMENT_CHANGING         11

enum { RETURN = 23 };                /* behind the arguments that rt_follow saves: where the call returns to */

long rt_refused(const char *words);
__attribute__((used)) long rt_refused(const char *words)
{
    struct rt_call call = {.event = EVENT_REFUSE, .text = words};
    RT_ENTER(&call);
    return -1;
}

static long nothing(void) { return 0; }

static bool names_own_file(unsigned arguments, const long *argument)
{
    for (int i = 0; arguments >> i; i++)
        if (arguments >> i & 1 && rt_file_of((int)argument[i]))
            return true;
    return false;
}

/* The kernel does not know our process ids; 0 stands for the caller there, too. */
static bool names_other(unsigned arguments, long *argument)
{
    for (int i = 0; arguments >> i; i++) {
        if (!(arguments >> i & 1))
            continue;
        if ((int)argument[i] == getpid() || (int)argument[i] == gettid())
            argument[i] = 0;
        if ((int)argument[i])
            return true;
    }
    return false;
}

/* What a treatment comes to in each mode. */
enum action { PASS_ON, REFUSE_IT, REFUSE_OWN_FILES, REFUSE_OTHERS, REFUSE_BLOCKED, READ, MOVE, KEEP, DROP, LOOK, CHANGE };
static const struct { uint8_t real, alone, group; } treatments[] = {
    [TREATMENT_REFUSED]          = {PASS_ON, REFUSE_IT,     REFUSE_IT},
    [TREATMENT_REFUSED_IN_GROUP] = {PASS_ON, PASS_ON,       REFUSE_IT},
    [TREATMENT_PLAIN_FILES]      = {PASS_ON, PASS_ON,       REFUSE_OWN_FILES},
    [TREATMENT_PLAIN_POINT]      = {PASS_ON, PASS_ON,       REFUSE_OWN_FILES},
    [TREATMENT_ITSELF]           = {PASS_ON, REFUSE_OTHERS, REFUSE_OTHERS},
    [TREATMENT_UNBLOCKED]        = {PASS_ON, PASS_ON,       REFUSE_BLOCKED},
    [TREATMENT_KEPT]             = {PASS_ON, PASS_ON,       KEEP},
    [TREATMENT_LOOKING]          = {PASS_ON, PASS_ON,       LOOK},
    [TREATMENT_CHANGING]         = {PASS_ON, PASS_ON,       CHANGE},
    [TREATMENT_DROPPED]          = {PASS_ON, DROP,          DROP},
    [TREATMENT_READING]          = {READ,    READ,          READ},    /* without a controller only looked up in another way */
    [TREATMENT_MOVING]           = {MOVE,    MOVE,          MOVE},
};

static enum action action_of(unsigned treatment)
{
    RT_BY_MODE(enum action, , , DO(treatments[treatment].real), DO(treatments[treatment].alone), DO(treatments[treatment].group))
}

static bool is_refused(enum action action, unsigned arguments, long *argument)
{
    return action == REFUSE_IT || (action == REFUSE_OWN_FILES && names_own_file(arguments, argument))
        || (action == REFUSE_OTHERS && names_other(arguments, argument)) || (action == REFUSE_BLOCKED && rt_thread.mask);
}

static bool reads_input(unsigned arguments, const long *argument)
{
    FILE *stream = arguments ? (FILE *)argument[__builtin_ctz(arguments)] : stdin;
    return stream && *rt_stream_number(stream) == 0 && rt_is_input(0);
}

/* As the program has it: a header of the C library makes __isoc99_scanf of scanf, and _IO_getc of getc. */
static const char *plain(const char *name)
{
    static const char *const added[] = {"__isoc99_", "__isoc23_", "_IO_"};
    for (unsigned i = 0; i < sizeof added / sizeof *added; i++)
        if (!strncmp(name, added[i], strlen(added[i])))
            return name + strlen(added[i]);
    return name;
}

/* Programs read byte by byte. */
static void *next_reader(const char *name)
{
    static struct { const char *name; void *function; } known[512];
    unsigned at = (unsigned)((uint64_t)name / 8 % 512);
    if (known[at].name != name) {
        known[at].function = rt_next(name);
        known[at].name = name;
    }
    return known[at].function;
}

static unsigned how_moved(const char *name)              /* 0: not at all */
{
    return strstr(name, "pread") ? RT_LOOKS : strstr(name, "pwrite") ? RT_CHANGES : 0;
}

/* Who reads byte by byte has most of them already. */
static bool asks_the_file(const char *name, const FILE *f)
{
    return f && (!strstr(name, "getc") || f->_IO_read_ptr >= f->_IO_read_end);
}

/* Where the call goes. Behind the name stand the words for what is refused. The first three arguments may be changed. */
void *rt_obey(const char *name, unsigned treatment, unsigned arguments, long *argument);
__attribute__((used)) void *rt_obey(const char *name, unsigned treatment, unsigned arguments, long *argument)
{
    enum action action = action_of(treatment);
    bool refused = is_refused(action, arguments, argument);
    uint64_t place = (uint64_t)argument[RETURN];
    if (treatment == TREATMENT_PLAIN_POINT && action == REFUSE_OWN_FILES && !refused) {
        rt_cancel_point(name, place);
        if (how_moved(name))
            rt_before_file(name, (int)argument[0], how_moved(name), place);
    }
    bool of_stream = action == READ || action == MOVE;
    if (of_stream && reads_input(arguments, argument))
        refused = !rt_before_input(plain(name), place) && action == READ;
    else if (of_stream && arguments && asks_the_file(name, (FILE *)argument[__builtin_ctz(arguments)]))
        rt_before_moving(plain(name), *rt_stream_number((FILE *)argument[__builtin_ctz(arguments)]), RT_LOOKS, place);
    if (action == LOOK || action == CHANGE)
        rt_before_named(name, (const char *)argument[__builtin_ctz(arguments)], action == LOOK ? RT_LOOKS : RT_LOOKS | RT_CHANGES, place);
    if (refused) {
        argument[0] = (long)plain(name + rt_length(name, 64) + 1);
        return rt_refused;
    }
    if (of_stream)
        return next_reader(name);
    if (action == DROP)
        return nothing;
    if (action == KEEP)
        rt_kernel_keeps_state(name);
    return rt_next(name);
}

/* In assembly because the arguments, whatever they are, must reach the C library's function untouched: a jump there, or to
 * rt_refused, which then seems to be called by the program itself. */
#define WORDS(number) #number
#define FOLLOW(name, treatment, arguments, words) \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" \
            #name ":\n" \
            "    .cfi_startproc\n" \
            "    leaq 2f(%rip), %r11\n" \
            "    movl $(" WORDS(treatment) " * 256 + " #arguments "), %r10d\n" \
            "    jmp rt_follow\n" \
            "    .cfi_endproc\n" \
            ".size " #name ", .-" #name "\n" \
            ".section .rodata\n2: .asciz \"" #name "\", \"" #name words "\"\n.text\n");

/* All registers in which arguments may be. */
__asm__(".text\n.globl rt_follow\n.hidden rt_follow\n.type rt_follow, @function\n"
        "rt_follow:\n"
        "    .cfi_startproc\n"
        "    subq $184, %rsp\n"
        "    .cfi_adjust_cfa_offset 184\n"
        "    movq %rdi, 0(%rsp)\n    movq %rsi, 8(%rsp)\n    movq %rdx, 16(%rsp)\n    movq %rcx, 24(%rsp)\n"
        "    movq %r8, 32(%rsp)\n    movq %r9, 40(%rsp)\n    movq %rax, 48(%rsp)\n"
        "    movups %xmm0, 56(%rsp)\n    movups %xmm1, 72(%rsp)\n    movups %xmm2, 88(%rsp)\n    movups %xmm3, 104(%rsp)\n"
        "    movups %xmm4, 120(%rsp)\n    movups %xmm5, 136(%rsp)\n    movups %xmm6, 152(%rsp)\n    movups %xmm7, 168(%rsp)\n"
        "    movq %r11, %rdi\n"
        "    movl %r10d, %esi\n    shrl $8, %esi\n"
        "    movzbl %r10b, %edx\n"
        "    movq %rsp, %rcx\n"
        "    call rt_obey\n"
        "    movq %rax, %r11\n"
        "    movups 56(%rsp), %xmm0\n    movups 72(%rsp), %xmm1\n    movups 88(%rsp), %xmm2\n    movups 104(%rsp), %xmm3\n"
        "    movups 120(%rsp), %xmm4\n    movups 136(%rsp), %xmm5\n    movups 152(%rsp), %xmm6\n    movups 168(%rsp), %xmm7\n"
        "    movq 0(%rsp), %rdi\n    movq 8(%rsp), %rsi\n    movq 16(%rsp), %rdx\n    movq 24(%rsp), %rcx\n"
        "    movq 32(%rsp), %r8\n    movq 40(%rsp), %r9\n    movq 48(%rsp), %rax\n"
        "    addq $184, %rsp\n"
        "    .cfi_adjust_cfa_offset -184\n"
        "    jmp *%r11\n"
        "    .cfi_endproc\n"
        ".size rt_follow, .-rt_follow\n");

#define X(name) FOLLOW(name, TREATMENT_REFUSED, 0, "")
UNSUPPORTED(X)
#undef X
#define X(name) FOLLOW(name, TREATMENT_REFUSED_IN_GROUP, 0, "")
UNSUPPORTED_IN_GROUP(X)
#undef X
#define X(name, arguments) FOLLOW(name, TREATMENT_PLAIN_FILES, arguments, " (of what is no plain file)")
FOR_PLAIN_FILES(X)
#undef X
#define X(name, arguments) FOLLOW(name, TREATMENT_PLAIN_POINT, arguments, " (of what is no plain file)")
FOR_PLAIN_FILES_CANCELLABLE(X)
#undef X
#define X(name, arguments) FOLLOW(name, TREATMENT_LOOKING, arguments, "")
LOOKING_AT_NAMES(X)
#undef X
#define X(name, arguments) FOLLOW(name, TREATMENT_CHANGING, arguments, "")
CHANGING_NAMES(X)
#undef X
#define X(name, arguments) FOLLOW(name, TREATMENT_ITSELF, arguments, " (of another process)")
FOR_ITSELF(X)
#undef X
#define X(name) FOLLOW(name, TREATMENT_UNBLOCKED, 0, " (while signals are blocked)")
FOR_UNBLOCKED(X)
#undef X
#define X(name, arguments) FOLLOW(name, TREATMENT_READING, arguments, RT_NO_INPUT)
READING(X)
#undef X
#define X(name, arguments) FOLLOW(name, TREATMENT_MOVING, arguments, "")
MOVING(X)
#undef X
#define X(name) FOLLOW(name, TREATMENT_KEPT, 0, "")
KEPT_BY_KERNEL(X)
#undef X
#define X(name) FOLLOW(name, TREATMENT_DROPPED, 0, "")
NOT_SENT(X)
#undef X

#define X(name, usual) \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n    jmp " #usual "@PLT\n.size " #name ", .-" #name "\n");
OTHER_NAMES(X)
#undef X
