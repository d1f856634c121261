/* SPDX-License-Identifier: MIT */
#include "instruction.h"

#include <string.h>
#pragma GCC poison malloc calloc free printf

enum { W = 8, R = 4, X = 2, B = 1 };                     /* of a REX prefix */
enum { SIZE_16 = 0x66, ONE = 0xf2, REPEAT = 0xf3 };      /* prefixes */

struct reader { struct rt_instruction *in; const uint64_t *registers; const uint8_t *at; };

static uint32_t word_size(const struct rt_instruction *in) { return in->rex & W ? 8 : in->prefix == SIZE_16 ? 2 : 4; }
static uint8_t  extension(const struct rt_instruction *in) { return in->code[in->mode_at] >> 3 & 7; }

static int64_t constant(const uint8_t *at, uint32_t bytes)
{
    int8_t narrow;
    int32_t wide;
    memcpy(&narrow, at, sizeof narrow);
    memcpy(&wide, at, bytes == sizeof wide ? sizeof wide : 0);
    return bytes == sizeof wide ? wide : narrow;
}

/* ---- operands ---- */

static uint64_t scaled(struct reader *r, uint8_t mode)           /* base, index and scale */
{
    const struct rt_instruction *in = r->in;
    uint8_t sib = *r->at++, index = (sib >> 3 & 7) | (in->rex & X ? 8 : 0), base = (sib & 7) | (in->rex & B ? 8 : 0);
    uint64_t at = index == RT_RSP ? 0 : r->registers[index] << (sib >> 6);
    if ((sib & 7) == RT_RBP && !(mode >> 6)) {
        at += (uint64_t)constant(r->at, 4);
        r->at += 4;
    } else {
        at += r->registers[base];
    }
    return at;
}

/* The byte that names the operands, and what belongs to it. The address of one that is relative is completed when the length is known. */
static void read_mode(struct reader *r)
{
    struct rt_instruction *in = r->in;
    in->mode_at = (uint8_t)(r->at - in->code);
    uint8_t mode = *r->at++, low = mode & 7, upper = mode >> 6;
    in->memory = upper != 3;
    in->relative = !upper && low == RT_RBP;
    if (!in->memory)
        return;
    in->address = low == RT_RSP ? scaled(r, mode) : in->relative ? 0 : r->registers[low | (in->rex & B ? 8 : 0)];
    uint32_t bytes = upper == 1 ? 1 : upper == 2 || in->relative ? 4 : 0;
    if (bytes)
        in->address += (uint64_t)constant(r->at, bytes);
    r->at += bytes;
}

static bool operand(struct reader *r, uint32_t bytes, bool reads, bool writes, uint32_t rest)
{
    struct rt_instruction *in = r->in;
    if (!in->mode_at)
        read_mode(r);
    r->at += in->rest = (uint8_t)rest;
    in->bytes = (uint8_t)bytes;
    in->reads = reads && in->memory;
    in->writes = writes && in->memory;
    return true;
}

static bool no_operand(struct reader *r, uint32_t rest)
{
    r->at += rest;
    return true;
}

/* ---- opcodes of one byte ---- */

static uint32_t constant_size(const struct rt_instruction *in) { return in->prefix == SIZE_16 ? 2 : 4; }

static bool arithmetic(struct reader *r)                         /* add, or, adc, sbb, and, sub, xor, cmp */
{
    struct rt_instruction *in = r->in;
    uint32_t size = in->opcode & 1 ? word_size(in) : 1, form = in->opcode & 7;
    if (form >= 6)
        return false;
    if (form >= 4)
        return no_operand(r, form == 4 ? 1 : constant_size(in));
    return operand(r, size, true, form < 2 && in->opcode < 0x38, 0);
}

static bool jump(struct reader *r, uint32_t bytes, bool taken)
{
    int64_t far = taken ? constant(r->at, bytes) : 0;
    r->at += bytes;
    r->in->kind = RT_JUMP;
    r->in->address = (uint64_t)(r->at + far);
    return true;
}

static bool holds(uint8_t condition, uint64_t flags)
{
    bool carry = flags & 1, parity = flags >> 2 & 1, zero = flags >> 6 & 1, sign = flags >> 7 & 1, over = flags >> 11 & 1;
    const bool all[8] = {over, carry, zero, carry || zero, sign, parity, sign != over, zero || sign != over};
    return all[condition >> 1 & 7] != (condition & 1);
}

static bool string(struct reader *r)
{
    struct rt_instruction *in = r->in;
    in->kind = in->opcode < 0xa6 ? RT_MOVE_STRING : RT_SET_STRING;
    in->bytes = (uint8_t)(in->opcode & 1 ? word_size(in) : 1);
    in->again = in->prefix == REPEAT;
    in->address = in->kind == RT_MOVE_STRING ? r->registers[RT_RSI] : 0;
    in->second = r->registers[RT_RDI];
    in->reads = in->kind == RT_MOVE_STRING;
    in->writes = true;
    return in->prefix != ONE;
}

static bool unary(struct reader *r)                              /* test, not, neg, mul, imul; div may trap */
{
    struct rt_instruction *in = r->in;
    uint32_t size = in->opcode & 1 ? word_size(in) : 1;
    read_mode(r);
    uint8_t which = extension(in);
    return which < 6 && operand(r, size, true, which == 2 || which == 3, which > 1 ? 0 : size == 1 ? 1 : constant_size(in));
}

static bool upward(struct reader *r)                             /* inc, dec; a call by an address in memory */
{
    struct rt_instruction *in = r->in;
    read_mode(r);
    if (in->opcode == 0xff && extension(in) == 2 && in->relative) {
        in->kind = RT_CALL;
        return true;
    }
    return extension(in) < 2 && operand(r, in->opcode & 1 ? word_size(in) : 1, true, true, 0);
}

static bool one_byte(struct reader *r, uint64_t flags)
{
    struct rt_instruction *in = r->in;
    uint8_t c = in->opcode;
    uint32_t size = c & 1 ? word_size(in) : 1, constants = constant_size(in);
    if (c < 0x40)
        return arithmetic(r);
    if (c >> 4 == 7)
        return jump(r, 1, holds(c, flags));
    if ((c >= 0x58 && c < 0x60) || c == 0xc9) {
        in->kind = c == 0xc9 ? RT_LEAVE : RT_POP;
        return !in->prefix;
    }
    switch (c) {
    case 0x63: return operand(r, 4, true, false, 0);                             /* movslq */
    case 0x69: return operand(r, word_size(in), true, false, constants);         /* imul */
    case 0x6b: return operand(r, word_size(in), true, false, 1);
    case 0x80: case 0x83: case 0x81:
        read_mode(r);
        return operand(r, size, true, extension(in) != 7, c == 0x81 ? constants : 1);
    case 0x84: case 0x85: case 0x8a: case 0x8b: return operand(r, size, true, false, 0);
    case 0x88: case 0x89: return operand(r, size, false, true, 0);
    case 0x8d: return operand(r, 0, false, false, 0);                            /* lea */
    case 0x90: case 0x98: case 0x99: return true;
    case 0xa4: case 0xa5: case 0xaa: case 0xab: return string(r);
    case 0xa8: case 0xa9: return no_operand(r, size == 1 ? 1 : constants);
    case 0xc0: case 0xc1: return operand(r, size, true, true, 1);                /* shifts */
    case 0xd0: case 0xd1: case 0xd2: case 0xd3: return operand(r, size, true, true, 0);
    case 0xc6: case 0xc7: return operand(r, size, false, true, size == 1 ? 1 : constants);
    case 0xe8: r->in->kind = RT_CALL; r->at += 4; return jump(r, 0, false) && (in->kind = RT_CALL, in->address += (uint64_t)constant(r->at - 4, 4), true);
    case 0xe9: return jump(r, 4, true);
    case 0xeb: return jump(r, 1, true);
    case 0xf6: case 0xf7: return unary(r);
    case 0xfe: case 0xff: return upward(r);
    default: break;
    }
    if (c >= 0xb0 && c < 0xb8)
        return no_operand(r, 1);
    return c >= 0xb8 && c < 0xc0 && no_operand(r, word_size(in));
}

/* ---- opcodes behind 0x0f ---- */

static uint32_t float_size(const struct rt_instruction *in) { return in->prefix == REPEAT ? 4 : in->prefix == ONE ? 8 : 16; }

static bool wide(struct reader *r, bool writes, bool aligned, uint32_t rest)
{
    r->in->aligned = aligned;
    return operand(r, 16, !writes, writes, rest);
}

static bool moves_float(struct reader *r)
{
    struct rt_instruction *in = r->in;
    switch (in->opcode) {
    case 0x10: return operand(r, float_size(in), true, false, 0);
    case 0x11: return operand(r, float_size(in), false, true, 0);
    case 0x12: case 0x16: return in->prefix != ONE && in->prefix != REPEAT && operand(r, 8, true, false, 0);
    case 0x13: case 0x17: return operand(r, 8, false, true, 0);
    case 0x14: case 0x15: case 0x28: return wide(r, false, true, 0);
    case 0x29: return wide(r, true, true, 0);
    default:   return false;
    }
}

static bool moves_whole(struct reader *r)                        /* integers in wide registers */
{
    struct rt_instruction *in = r->in;
    uint32_t size = in->rex & W ? 8 : 4;
    switch (in->opcode) {
    case 0x6e: return in->prefix == SIZE_16 && operand(r, size, true, false, 0);
    case 0x6f: return in->prefix && in->prefix != ONE && wide(r, false, in->prefix == SIZE_16, 0);
    case 0x70: return in->prefix && wide(r, false, true, 1);
    case 0x7e: return in->prefix == REPEAT ? operand(r, 8, true, false, 0) : in->prefix == SIZE_16 && operand(r, size, false, true, 0);
    case 0x7f: return in->prefix && in->prefix != ONE && wide(r, true, in->prefix == SIZE_16, 0);
    case 0xc6: return wide(r, false, true, 1);
    case 0xd6: return in->prefix == SIZE_16 && operand(r, 8, false, true, 0);
    case 0xd4: case 0xdb: case 0xdf: case 0xeb: case 0xef: case 0xfa: case 0xfb: case 0xfc: case 0xfd: case 0xfe:
    case 0x60: case 0x61: case 0x62: case 0x6c: case 0x6d: return in->prefix == SIZE_16 && wide(r, false, true, 0);
    case 0x71: case 0x72: case 0x73:
        read_mode(r);
        return !in->memory && in->prefix == SIZE_16 && operand(r, 16, false, false, 1);
    default:   return false;
    }
}

static bool two_bytes(struct reader *r, uint64_t flags)
{
    struct rt_instruction *in = r->in;
    uint8_t c = in->opcode;
    switch (c >> 4) {
    case 4: return operand(r, word_size(in), true, false, 0);                    /* conditional moves */
    case 8: return jump(r, 4, holds(c, flags));
    case 9: return operand(r, 1, false, true, 0);
    default: break;
    }
    switch (c) {
    case 0x1f: return operand(r, 0, false, false, 0);                            /* nop */
    case 0x54: case 0x55: case 0x56: case 0x57: return wide(r, false, true, 0);
    case 0xa4: return operand(r, word_size(in), true, true, 1);
    case 0xa5: return operand(r, word_size(in), true, true, 0);
    case 0xaf: return operand(r, word_size(in), true, false, 0);
    case 0xb6: case 0xbe: return operand(r, 1, true, false, 0);
    case 0xb7: case 0xbf: return operand(r, 2, true, false, 0);
    default:   break;
    }
    if (c >= 0xc8 && c < 0xd0)
        return true;                                                             /* bswap */
    return c < 0x60 ? moves_float(r) : moves_whole(r);
}

/* ---- all of it ---- */

static void read_prefixes(struct reader *r)
{
    struct rt_instruction *in = r->in;
    if (r->at[0] == 0x67 && r->at[1] == 0xe8)            /* what a linker makes of a call by way of a table */
        r->at++;
    while (*r->at == SIZE_16 || *r->at == ONE || *r->at == REPEAT) {
        in->prefix = in->prefix && *r->at == SIZE_16 ? in->prefix : *r->at;
        r->at++;
    }
    if (*r->at >> 4 == 4)
        in->rex = *r->at++;
}

bool rt_instruction(struct rt_instruction *in, uint64_t at, const uint64_t registers[RT_GENERAL], uint64_t flags)
{
    struct reader r = {in, registers, (const uint8_t *)at};
    *in = (struct rt_instruction){.code = (const uint8_t *)at, .map = 1};
    read_prefixes(&r);
    if (*r.at == 0x0f) {
        in->map = 2;
        r.at++;
    }
    in->opcode = *r.at++;
    if (in->map == 1 ? !one_byte(&r, flags) : !two_bytes(&r, flags))
        return false;
    in->length = (uint8_t)(r.at - in->code);
    if (in->relative)
        in->address += at + in->length;
    return true;
}

uint32_t rt_instruction_put(const struct rt_instruction *in, uint8_t *code, const void *to)
{
    if (!in->memory || !in->bytes) {
        memcpy(code, in->code, in->length);
        return in->length;
    }
    uint32_t mode = in->mode_at, length = mode + 1 + 4 + in->rest;
    int32_t far = (int32_t)((const uint8_t *)to - (code + length));
    memcpy(code, in->code, mode);
    code[mode] = (uint8_t)(extension(in) << 3 | RT_RBP);
    memcpy(code + mode + 1, &far, sizeof far);
    memcpy(code + mode + 1 + sizeof far, in->code + in->length - in->rest, in->rest);
    return length;
}

bool rt_is_unused(uint64_t place)
{
    const uint8_t *at = (const uint8_t *)place;
    for (int i = 0; i < 8; i++) {
        uint32_t wide = at[0] == 0x48, code = at[wide], mode = at[wide + 1];
        if (at[0] == 0xb8 || at[0] == 0xe8 || (at[0] == 0x31 && at[1] == 0xc0) || (at[0] == 0xff && at[1] == 0x15))
            return true;                                 /* mov $, %eax; call; xor %eax, %eax; call *() */
        if ((code == 0x8b || code == 0x8d) && (mode == 0x05 || mode == 0x45 || mode == 0x85))
            return true;                                 /* mov or lea of something below %rip or %rbp, to %rax */
        if ((wide || at[0] == 0x4c) && at[1] == 0x89 && (at[2] & 0xc7) == 0xc0 && (at[0] == 0x4c || at[2] & 0x38))
            return true;                                 /* mov of another register to %rax */
        if (wide && code == 0x83 && mode == 0xc4)
            at += 4;                                     /* add $, %rsp */
        else if (at[0] == 0x90)
            at += 1;                                     /* nop */
        else if (at[0] == 0xbf || at[0] == 0xbe || at[0] == 0xba)
            at += 5;                                     /* mov $, %edi, %esi, %edx: arguments of the next call */
        else if (wide && code == 0x8d && (mode == 0x3d || mode == 0x35))
            at += 7;                                     /* lea (%rip), %rdi, %rsi */
        else if (at[0] == 0xeb)
            at += 2 + (int8_t)at[1];                     /* jmp */
        else
            return false;
    }
    return false;
}
