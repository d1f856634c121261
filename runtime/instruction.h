/* Instructions of the machine, as far as compilers use them between a call of the runtime and the access that it tells of: how long one is, and
 * which memory it reads and writes. What is not known is refused: its reader then lets the program go on by itself.
 * SPDX-License-Identifier: MIT */
#ifndef RT_INSTRUCTION_H
#define RT_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum { RT_RAX, RT_RCX, RT_RDX, RT_RBX, RT_RSP, RT_RBP, RT_RSI, RT_RDI, RT_GENERAL = 16 };       /* as the machine numbers them */

enum rt_kind { RT_PLAIN_CODE, RT_JUMP, RT_CALL, RT_MOVE_STRING, RT_SET_STRING, RT_POP, RT_LEAVE };

struct rt_instruction {
    enum rt_kind   kind;
    const uint8_t *code;
    uint8_t  length, prefix;         /* 0x66, 0xf2, 0xf3; 0: none */
    uint8_t  rex, map, opcode;       /* rex: 0: none; map: 1 of one byte, 2 behind 0x0f */
    uint8_t  mode_at;                /* where the byte is that names its operands; 0: none */
    uint8_t  rest;                   /* bytes behind that of an operand in memory: constants */
    bool     memory, relative;       /* has an operand in memory; that is named by its distance to the code */
    bool     reads, writes, aligned; /* aligned: it must be */
    uint8_t  bytes;                  /* of the operand */
    uint64_t address;                /* of the operand; where a jump or a call leads */
    uint64_t second;                 /* RT_MOVE_STRING: where it writes */
    bool     again;                  /* a string: as often as %rcx says */
};

/* At this address, with these registers and flags. False: it is none of those that are known. */
bool rt_instruction(struct rt_instruction *, uint64_t at, const uint64_t registers[RT_GENERAL], uint64_t flags);

/* The same with its operand elsewhere, `to` being near `code`: puts it there, and gives its length. Without one in memory it is as it was. */
uint32_t rt_instruction_put(const struct rt_instruction *, uint8_t *code, const void *to);

/* Is what a call gives back overwritten before anybody looks at it? The code behind the call is read as far as it is of a few simple kinds, all
 * of which leave it alone or overwrite it; with any other it counts as used, and so where the function returns. */
bool rt_is_unused(uint64_t place);

#endif
