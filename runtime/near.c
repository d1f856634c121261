/* The functions that a compiler calls before each plain access, in the program itself: `verisoft cc` links this into every executable and library that it
 * makes. Without a controller they do nothing, and cost no way to another library; under one they lead to those of the runtime (accessed.inc), which are
 * in another library, and there called __tsan_far_*.
 * SPDX-License-Identifier: MIT */
#define HIDDEN __attribute__((visibility("hidden")))

extern HIDDEN char verisoft_watched;                     /* somebody wants to know */
char verisoft_watched;

int __tsan_far(void);                                    /* is it the runtime? */

__asm__(
    ".macro near name\n"
    ".hidden __tsan_\\name\n"
    ".globl __tsan_\\name\n"
    ".type __tsan_\\name, @function\n"
    ".balign 32\n"
    "__tsan_\\name:\n"
    "    cmpb $0, verisoft_watched(%rip)\n"
    "    jne 1f\n"
    "    ret\n"
    "1:  jmp *__tsan_far_\\name@GOTPCREL(%rip)\n"        /* runtime/pieces.c reads this */
    ".size __tsan_\\name, . - __tsan_\\name\n"
    ".endm\n"
    ".text\n"
    ".irp bytes, 1, 2, 4, 8, 16\n"
    "    near read\\bytes\n"
    "    near write\\bytes\n"
    "    near unaligned_read\\bytes\n"
    "    near unaligned_write\\bytes\n"
    "    near volatile_read\\bytes\n"
    "    near volatile_write\\bytes\n"
    "    near unaligned_volatile_read\\bytes\n"
    "    near unaligned_volatile_write\\bytes\n"
    ".endr\n"
    "near read_range\n"
    "near write_range\n"
    "near vptr_read\n"
    "near vptr_update\n");

static void begin(void) { verisoft_watched = (char)__tsan_far(); }

/* Before anything that the compiler has called as the program begins. */
static void (*const first)(void) __attribute__((section(".init_array.00098"), used)) = begin;
