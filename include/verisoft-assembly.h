/* A note in an object file: which statements of its sources are inline assembly, of which nobody tells what they read and write. `verisoft cc` and
 * `verisoft check` put this before sources that have some (VERISOFT_ASSEMBLY names them); the report says it.
 * SPDX-License-Identifier: MIT */
#ifndef __ASSEMBLER__
__asm__(".pushsection verisoft.assembly,\"\",@progbits\n\t.asciz \"" VERISOFT_ASSEMBLY "\"\n\t.popsection");
#endif
