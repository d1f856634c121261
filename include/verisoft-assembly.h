/* Notes in an object file: which statements of its sources are inline assembly (VERISOFT_ASSEMBLY), and where structures are passed by value (VERISOFT_VALUES): of these
 * nobody tells what they read and write. `verisoft cc` and `verisoft check` put this before sources that have some; the report says it.
 * SPDX-License-Identifier: MIT */
#if !defined VERISOFT_NOTED && !defined __ASSEMBLER__
#define VERISOFT_NOTED
#ifdef VERISOFT_ASSEMBLY
__asm__(".pushsection verisoft.assembly,\"\",@progbits\n\t.asciz \"" VERISOFT_ASSEMBLY "\"\n\t.popsection");
#endif
#ifdef VERISOFT_VALUES
__asm__(".pushsection verisoft.values,\"\",@progbits\n\t.asciz \"" VERISOFT_VALUES "\"\n\t.popsection");
#endif
#endif
