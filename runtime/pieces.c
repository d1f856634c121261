/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"
#include "pieces.h"
#include "sys.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#pragma GCC poison malloc calloc free printf

enum { WORD = 8, MOST_STEPS = 1 << 16, MXCSR_AT = 24, WIDE_AT = 160, WIDE_BYTES = 256, PAGE = 4096, CODE_ROOM = 64 };

/* One instruction, its operand beside it, and the way back. Not memory that goes back. */
struct scratch { uint8_t code[CODE_ROOM], operand[16] __attribute__((aligned(16))); };
#define SCRATCH_AT (RT_CORE_AT + (UINT64_C(3) << 31))
static struct scratch *const scratch = (struct scratch *)SCRATCH_AT;

/* ---- one instruction on the program's registers ---- */

struct rt_run { struct rt_machine machine; uint64_t target, stack; };
struct rt_run rt_run RT_PRIVATE __attribute__((visibility("hidden"), aligned(16)));
void rt_run_code(void) __attribute__((visibility("hidden")));
extern const char rt_run_back[] __attribute__((visibility("hidden")));
_Static_assert(offsetof(struct rt_machine, flags) == 128 && offsetof(struct rt_machine, wide) == 144, "as the code below has it");
_Static_assert(offsetof(struct rt_run, target) == 656 && offsetof(struct rt_run, stack) == 664, "as the code below has it");

__asm__(
    ".text\n"
    ".hidden rt_run_code\n"
    ".globl rt_run_code\n"
    ".type rt_run_code, @function\n"
    "rt_run_code:\n"
    "    pushq %rbx\n    pushq %rbp\n    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
    "    movq %rsp, 664+rt_run(%rip)\n"
    "    fxrstor64 144+rt_run(%rip)\n"
    "    pushq 128+rt_run(%rip)\n    popfq\n"
    "    movq 0+rt_run(%rip), %rax\n    movq 8+rt_run(%rip), %rcx\n    movq 16+rt_run(%rip), %rdx\n    movq 24+rt_run(%rip), %rbx\n"
    "    movq 40+rt_run(%rip), %rbp\n    movq 48+rt_run(%rip), %rsi\n    movq 56+rt_run(%rip), %rdi\n    movq 64+rt_run(%rip), %r8\n"
    "    movq 72+rt_run(%rip), %r9\n    movq 80+rt_run(%rip), %r10\n    movq 88+rt_run(%rip), %r11\n    movq 96+rt_run(%rip), %r12\n"
    "    movq 104+rt_run(%rip), %r13\n    movq 112+rt_run(%rip), %r14\n    movq 120+rt_run(%rip), %r15\n"
    "    movq 32+rt_run(%rip), %rsp\n"
    "    jmp *656+rt_run(%rip)\n"
    ".hidden rt_run_back\n"
    ".globl rt_run_back\n"
    "rt_run_back:\n"
    "    movq %rax, 0+rt_run(%rip)\n    movq %rcx, 8+rt_run(%rip)\n    movq %rdx, 16+rt_run(%rip)\n    movq %rbx, 24+rt_run(%rip)\n"
    "    movq %rsp, 32+rt_run(%rip)\n    movq %rbp, 40+rt_run(%rip)\n    movq %rsi, 48+rt_run(%rip)\n    movq %rdi, 56+rt_run(%rip)\n"
    "    movq %r8, 64+rt_run(%rip)\n    movq %r9, 72+rt_run(%rip)\n    movq %r10, 80+rt_run(%rip)\n    movq %r11, 88+rt_run(%rip)\n"
    "    movq %r12, 96+rt_run(%rip)\n    movq %r13, 104+rt_run(%rip)\n    movq %r14, 112+rt_run(%rip)\n    movq %r15, 120+rt_run(%rip)\n"
    "    movq 664+rt_run(%rip), %rsp\n"
    "    pushfq\n    popq 128+rt_run(%rip)\n"
    "    fxsave64 144+rt_run(%rip)\n"
    "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbp\n    popq %rbx\n"
    "    ret\n"
    ".size rt_run_code, .-rt_run_code\n");

static void run_code(struct rt_machine *m, const void *code)
{
    rt_run.machine = *m;
    rt_run.target = (uint64_t)code;
    rt_run_code();
    *m = rt_run.machine;
}

static bool may_run(void)
{
    static enum { UNKNOWN, MAY, MAY_NOT } may RT_PRIVATE;
    if (may == UNKNOWN) {
        long got = RT_SYS(SYS_mmap, SCRATCH_AT, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        may = got == (long)SCRATCH_AT ? MAY : MAY_NOT;
    }
    return may == MAY;
}

static void load_address(struct rt_pieces *p)                    /* lea */
{
    const struct rt_instruction *in = &p->in;
    uint64_t *to = &p->machine.registers[(in->code[in->mode_at] >> 3 & 7) | (in->rex & 4 ? 8 : 0)];
    *to = in->rex & 8 ? in->address : in->prefix ? (*to & ~UINT64_C(0xffff)) | (uint16_t)in->address : (uint32_t)in->address;
}

static void pop(struct rt_pieces *p)                             /* what is below is the runtime's frames: they may stay there */
{
    uint64_t *r = p->machine.registers, to = p->in.kind == RT_LEAVE ? RT_RBP : (p->in.opcode & 7u) | (p->in.rex & 1 ? 8 : 0), value;
    if (p->in.kind == RT_LEAVE)
        r[RT_RSP] = r[RT_RBP];
    memcpy(&value, (const void *)r[RT_RSP], sizeof value);
    r[RT_RSP] += sizeof value;
    r[to] = value;
    p->next += p->in.length;
}

static void go_on(struct rt_pieces *p)                           /* a string */
{
    uint64_t *r = p->machine.registers, bytes = p->in.bytes;
    if (p->in.kind == RT_MOVE_STRING)
        r[RT_RSI] += bytes;
    else
        memcpy(p->operand, &r[RT_RAX], sizeof r[RT_RAX]);
    r[RT_RDI] += bytes;
    r[RT_RCX] -= p->in.again;
    if (!p->in.again || !r[RT_RCX])
        p->next += p->in.length;
}

static void run(struct rt_pieces *p)
{
    static const uint8_t way_back[6] = {0xff, 0x25};             /* jmp *(%rip) */
    const struct rt_instruction *in = &p->in;
    uint64_t back = (uint64_t)rt_run_back;
    memcpy(scratch->operand, p->operand, sizeof p->operand);
    uint32_t length = rt_instruction_put(in, scratch->code, scratch->operand);
    memcpy(scratch->code + length, way_back, sizeof way_back);
    memcpy(scratch->code + length + sizeof way_back, &back, sizeof back);
    run_code(&p->machine, scratch->code);
    memcpy(p->operand, scratch->operand, sizeof p->operand);
    p->next += in->length;
}

/* ---- which memory ---- */

static bool in_told(const struct rt_told *t, uint64_t at) { return at - t->at < t->bytes; }

static struct rt_told *told_of(struct rt_pieces *p, uint64_t at, bool writes)
{
    struct rt_told *other = NULL;
    for (uint32_t i = 0; i < p->count; i++)
        if (in_told(&p->told[i], at)) {
            other = &p->told[i];
            if (other->writes == writes)
                return other;
        }
    return other && other->writes ? other : NULL;        /* what is to be written may be read before */
}

static bool on_stack(const struct rt_pieces *p, uint64_t at)
{
    uint64_t low = p->machine.registers[RT_RSP], end = (uint64_t)rt_running->stack_end;
    return at >= low && at < end;
}

/* Is it mapped? The kernel is asked, who tells without a fault. */
static bool is_there(uint64_t at)
{
    enum { NO_WAY = 99 };
    return RT_SYS(SYS_rt_sigprocmask, NO_WAY, at / WORD * WORD, NULL, WORD) != -EFAULT;
}

static bool may_read(const struct rt_pieces *p, uint64_t at, uint64_t bytes)
{
    return on_stack(p, at) || (is_there(at) && is_there(at + bytes - 1));
}

static bool may_write(struct rt_pieces *p, uint64_t at)
{
    const struct rt_told *t = told_of(p, at, true);
    return on_stack(p, at) || (t && t->writes);
}

static bool is_possible(struct rt_pieces *p)
{
    const struct rt_instruction *in = &p->in;
    uint64_t to = in->kind == RT_PLAIN_CODE ? in->address : in->second;
    if (in->aligned && in->memory && in->address % sizeof p->operand)
        return false;
    return in->bytes <= sizeof p->operand && (!in->reads || may_read(p, in->address, in->bytes)) && (!in->writes || may_write(p, to));
}

/* ---- calls ---- */

/* Behind a call of a function of another library. */
static uint64_t behind_stub(uint64_t at)
{
    static const uint8_t endbr[4] = {0xf3, 0x0f, 0x1e, 0xfa};
    const uint8_t *code = (const uint8_t *)at;
    if (!memcmp(code, endbr, sizeof endbr))
        code += sizeof endbr;
    code += code[0] == 0xf2;
    if (code[0] == 0x80 && code[1] == 0x3d)              /* near.c */
        code += 10;
    if (code[0] != 0xff || code[1] != 0x25)
        return at;
    int32_t far;
    uint64_t to;
    memcpy(&far, code + 2, sizeof far);
    memcpy(&to, code + 6 + far, sizeof to);
    return to;
}

/* Doors and what is behind them (door.inc). */
struct watched { uint64_t door; const void *behind; };
extern const struct watched __start_rt_watched[] __attribute__((visibility("hidden"))), __stop_rt_watched[] __attribute__((visibility("hidden")));

/* accessed.inc */
void __tsan_read1(void *), __tsan_read2(void *), __tsan_read4(void *), __tsan_read8(void *), __tsan_read16(void *), __tsan_unaligned_read2(void *),
     __tsan_unaligned_read4(void *), __tsan_unaligned_read8(void *), __tsan_unaligned_read16(void *), __tsan_read_range(void *, uint64_t);

/* Of a function of the runtime that the code calls: is it one for a read, and of how many bytes? rsi: its second argument. */
static bool is_read(uint64_t function, uint64_t rsi, uint64_t *bytes)
{
    static const struct { void (*function)(void *); uint64_t bytes; } reads[] = {
        {__tsan_read1, 1}, {__tsan_read2, 2}, {__tsan_read4, 4}, {__tsan_read8, 8}, {__tsan_read16, 16}, {__tsan_unaligned_read2, 2},
        {__tsan_unaligned_read4, 4}, {__tsan_unaligned_read8, 8}, {__tsan_unaligned_read16, 16}};
    const struct watched *w = __start_rt_watched;
    while (w < __stop_rt_watched && w->door != function)
        w++;
    if (w == __stop_rt_watched)
        return false;
    *bytes = rsi;
    if (w->behind == (const void *)__tsan_read_range)
        return true;
    for (uint32_t i = 0; i < sizeof reads / sizeof *reads; i++)
        if (w->behind == (const void *)reads[i].function) {
            *bytes = reads[i].bytes;
            return true;
        }
    return false;
}

/* Of a copy the compiler tells twice: of what is written, and of what is read. */
static bool call(struct rt_pieces *p)
{
    const uint64_t *r = p->machine.registers;
    uint64_t to = p->in.address, bytes;
    if (p->in.memory)
        memcpy(&to, (const void *)p->in.address, sizeof to);
    if (p->count == 2 || !is_read(behind_stub(to), r[RT_RSI], &bytes))
        return false;
    p->next += p->in.length;
    struct rt_told read = {r[RT_RDI], bytes, p->next, rt_visible((const void *)r[RT_RDI], bytes) ? (int64_t)bytes : 0, false};
    p->told[p->count++] = read;
    return true;
}

/* ---- one after the other ---- */

static bool is_done(const struct rt_pieces *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->told[i].left > 0)
            return false;
    return true;
}

static bool fetch(struct rt_pieces *p)
{
    struct rt_instruction *in = &p->in;
    if (is_done(p) || p->steps++ == MOST_STEPS || !rt_instruction(in, p->next, p->machine.registers, p->machine.flags))
        return false;
    p->done = 0;
    if (in->kind == RT_CALL)
        return call(p);
    if (in->kind == RT_POP || (in->kind == RT_LEAVE && on_stack(p, p->machine.registers[RT_RBP]))) {
        pop(p);
        return true;
    }
    if (in->kind == RT_JUMP)
        p->next = in->address;
    else if (in->again && !p->machine.registers[RT_RCX])
        p->next += in->length;
    else if (in->kind == RT_LEAVE || !is_possible(p))
        return false;
    else
        p->phase = RT_READ;
    return true;
}

/* The next part of the operand. Of a bit-field the compiler tells of the whole word, and may write less: that is all, then. True: it is of a visible location that was told of. */
static bool find_piece(struct rt_pieces *p, bool writes)
{
    uint64_t at = (writes && p->in.kind != RT_PLAIN_CODE ? p->in.second : p->in.address) + p->done, left = p->in.bytes - p->done;
    uint64_t bytes = left < WORD ? left : WORD;
    struct rt_told *told = told_of(p, at, writes);
    p->piece = (struct rt_piece){at, bytes, told ? told->place : 0, writes};
    if (told && told->writes == writes)
        told->left = rt_is_word(told->bytes) ? 0 : told->left - (int64_t)bytes;
    return told && rt_visible((const void *)at, bytes);
}

static void move_piece(struct rt_pieces *p)
{
    void *here = p->operand + p->done, *there = (void *)p->piece.at;
    memcpy(p->piece.writes ? there : here, p->piece.writes ? here : there, p->piece.bytes);
    p->done += (uint32_t)p->piece.bytes;
}

static void run_any(struct rt_pieces *p)
{
    if (p->in.kind != RT_PLAIN_CODE) {
        go_on(p);
    } else if (p->in.map == 1 && p->in.opcode == 0x8d) {
        load_address(p);
        p->next += p->in.length;
    } else {
        run(p);
    }
    p->done = 0;
}

bool rt_pieces_next(struct rt_pieces *p)
{
    for (;;)
        switch (p->phase) {
        case RT_FETCH:
            if (!fetch(p))
                return false;
            break;
        case RT_READ:
        case RT_WRITE:
            if (!(p->phase == RT_READ ? p->in.reads : p->in.writes) || p->done == p->in.bytes) {
                p->phase = p->phase == RT_READ ? RT_RUN : RT_FETCH;
                break;
            }
            p->phase++;
            if (find_piece(p, p->phase == RT_STORE))
                return true;
            break;
        case RT_LOAD:
        case RT_STORE:
            move_piece(p);
            p->phase--;
            break;
        case RT_RUN:
            run_any(p);
            p->phase = RT_WRITE;
            break;
        }
}

bool rt_pieces_begin(struct rt_pieces *p, const struct rt_told *told, const void *frame, const uint64_t registers[6])
{
    static const uint8_t kept[6] = {RT_RBX, RT_RBP, 12, 13, 14, 15};
    if (!may_run())
        return false;
    memset(p, 0, sizeof *p);
    __asm__ volatile("fnstcw %0\n stmxcsr %1" : "=m"(*(uint16_t *)p->machine.wide), "=m"(*(uint32_t *)(p->machine.wide + MXCSR_AT)));
    for (uint32_t i = 0; i < sizeof kept; i++)
        p->machine.registers[kept[i]] = registers[i];
    p->machine.registers[RT_RSP] = (uint64_t)frame + 2 * sizeof(void *);
    p->machine.flags = 0x202;
    p->next = told->place;
    p->told[p->count++] = *told;
    return true;
}

void rt_pieces_end(const struct rt_pieces *p)
{
    rt_run.machine = p->machine;
    rt_run.target = p->next;
    rt_run_code();
    __builtin_unreachable();
}

uint64_t rt_pieces_state(const struct rt_pieces *p)
{
    uint64_t state = p->next + p->done;
    for (uint32_t i = 0; i < RT_GENERAL; i++)
        state = rt_sum_of(state, p->machine.registers[i]);
    for (uint32_t at = WIDE_AT; at < WIDE_AT + WIDE_BYTES; at += WORD) {
        uint64_t word;
        memcpy(&word, p->machine.wide + at, sizeof word);
        state = rt_sum_of(state, word);
    }
    return state;
}
