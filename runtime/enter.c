/* The step from the program's stack to the runtime's and back. What the runtime does leaves no trace below the program's
 * stack pointer or in a register: such leftovers would show up in the holes of the program's later frames, and copies of
 * a process, which sit in different slots, would seem to differ.
 * SPDX-License-Identifier: MIT */
#include "rt.h"

char *rt_stack_top;

/* Frames are found through rbp, also by a debugger, though the stack pointer jumps. */
__asm__(
    ".text\n"
    ".globl rt_enter\n"
    ".hidden rt_enter\n"
    ".type rt_enter, @function\n"
    "rt_enter:\n"
    "    .cfi_startproc\n"
    "    pushq %rbp\n"
    "    .cfi_def_cfa_offset 16\n"
    "    .cfi_offset %rbp, -16\n"
    "    movq %rsp, %rbp\n"
    "    .cfi_def_cfa_register %rbp\n"
    "    movq rt_stack_top(%rip), %rsp\n"
    "    call rt_serve\n"
    "    movq %rbp, %rsp\n"
    "    popq %rbp\n"
    "    .cfi_def_cfa %rsp, 8\n"
    "    pxor %xmm0, %xmm0\n"
    "    pxor %xmm1, %xmm1\n"
    "    pxor %xmm2, %xmm2\n"
    "    pxor %xmm3, %xmm3\n"
    "    pxor %xmm4, %xmm4\n"
    "    pxor %xmm5, %xmm5\n"
    "    pxor %xmm6, %xmm6\n"
    "    pxor %xmm7, %xmm7\n"
    "    pxor %xmm8, %xmm8\n"
    "    pxor %xmm9, %xmm9\n"
    "    pxor %xmm10, %xmm10\n"
    "    pxor %xmm11, %xmm11\n"
    "    pxor %xmm12, %xmm12\n"
    "    pxor %xmm13, %xmm13\n"
    "    pxor %xmm14, %xmm14\n"
    "    pxor %xmm15, %xmm15\n"
    "    xorl %ecx, %ecx\n"
    "    xorl %edx, %edx\n"
    "    xorl %esi, %esi\n"
    "    xorl %edi, %edi\n"
    "    xorl %r8d, %r8d\n"
    "    xorl %r9d, %r9d\n"
    "    xorl %r10d, %r10d\n"
    "    xorl %r11d, %r11d\n"
    "    ret\n"
    "    .cfi_endproc\n"
    ".size rt_enter, .-rt_enter\n");

/* Clears as much below the stack pointer as the largest frame that stands before an operation, and then some. */
__asm__(
    ".text\n"
    ".globl rt_clear_below\n"
    ".hidden rt_clear_below\n"
    ".type rt_clear_below, @function\n"
    "rt_clear_below:\n"
    "    .cfi_startproc\n"
    "    pxor %xmm15, %xmm15\n"
    "    .set below, 16\n"
    "    .rept 72\n"
    "        movups %xmm15, -below(%rsp)\n"
    "        .set below, below + 16\n"
    "    .endr\n"
    "    ret\n"
    "    .cfi_endproc\n"
    ".size rt_clear_below, .-rt_clear_below\n");

/* Clears so many bytes (a multiple of 8) below the caller's frame. */
__asm__(
    ".text\n"
    ".globl rt_wipe_stack\n"
    ".hidden rt_wipe_stack\n"
    ".type rt_wipe_stack, @function\n"
    "rt_wipe_stack:\n"
    "    .cfi_startproc\n"
    "    movq %rdi, %rcx\n"
    "    movq %rsp, %rdi\n"
    "    subq %rcx, %rdi\n"
    "    shrq $3, %rcx\n"
    "    xorl %eax, %eax\n"
    "    rep stosq\n"
    "    ret\n"
    "    .cfi_endproc\n"
    ".size rt_wipe_stack, .-rt_wipe_stack\n");
