/* An access that the machine makes in several pieces: a copy of a structure, a bit-field, which is read before it is written. The compiler tells of
 * it once, before all of them; others may come between any two. So the code behind the call is carried out here, one instruction after the
 * other, up to the last piece; before each piece of a visible location its reader is asked, who makes an operation of it. Then the program goes on by
 * itself behind that. Code that is not known (instruction.h), or that leads elsewhere, ends this early: what is left is then one piece.
 *
 * Invariant: all that is here lies on the stack of the process while others go first, and goes back with it.
 * SPDX-License-Identifier: MIT */
#ifndef RT_PIECES_H
#define RT_PIECES_H

#include "instruction.h"

/* What the machine does at one go. */
static inline bool rt_is_word(uint64_t bytes) { return bytes <= sizeof(uint64_t) && !(bytes & (bytes - 1)); }

struct rt_machine {
    uint64_t registers[RT_GENERAL], flags;
    uint8_t  wide[512] __attribute__((aligned(16)));     /* as the machine keeps its wide registers (fxsave) */
};

/* What the compiler told of; left: bytes of which no piece was made yet, more or less; 0: it need not come to them. */
struct rt_told { uint64_t at, bytes, place; int64_t left; bool writes; };

struct rt_pieces {
    struct rt_machine     machine;
    struct rt_instruction in;
    struct rt_told        told[2];
    uint32_t count, steps, done;     /* done: bytes of the operand */
    enum { RT_FETCH, RT_READ, RT_LOAD, RT_RUN, RT_WRITE, RT_STORE } phase;
    uint64_t next;                   /* the instruction */
    uint8_t  operand[16] __attribute__((aligned(16)));
    struct rt_piece { uint64_t at, bytes, place; bool writes; } piece;
};

/* The program has called from `place`, with `frame`; `registers`: those that a call leaves alone, as door.inc keeps them. False: nobody can. */
bool rt_pieces_begin(struct rt_pieces *, const struct rt_told *, const void *frame, const uint64_t registers[6]);
bool rt_pieces_next(struct rt_pieces *);                 /* stands before `piece`; false: there is none any more */
_Noreturn void rt_pieces_end(const struct rt_pieces *);  /* the program goes on */
uint64_t rt_pieces_state(const struct rt_pieces *);      /* what is in the registers, as a number */

#endif
