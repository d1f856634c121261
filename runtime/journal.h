/* The journal: what the memory of a sharing group comes to, as a number, and how to go back to what it was.
 *
 * Beside all memory that counts lies a mirror of it. Wherever the group comes to stand the two are compared, grain by grain; where they
 * differ the old words go into the journal, the mirror becomes like memory, and the sum of the hashes of all grains is set right. So a
 * step costs a look at memory and a few words, and to take it back costs these words: less than a snapshot, which copies all, and less
 * than page protection, which costs a fault for each page.
 *
 * What counts: data of program and libraries, what malloc gave, thread-local storage, stacks above their stack pointers, memory that is
 * shared. What is below a stack pointer is cleared, for leftovers of calls that have returned would come to light in the holes of later
 * frames, and so is what was freed. What the runtime keeps for itself (RT_PRIVATE) does not count.
 *
 * Invariant: while no context runs, the mirror is like memory, and `sum` is a function of what is there, not of how it came about: a
 * grain of zeros counts nothing, as if it had never been touched. Only where the group is one UNIX process.
 * SPDX-License-Identifier: MIT */
#ifndef RT_JOURNAL_H
#define RT_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

void rt_journal_note(uint32_t depth, uint64_t sum[2]);   /* the group stands where so many steps from its start led; gives the sum */
/* What is in the page at this address; false: it is none that is always there. */
bool rt_journal_copy(uint64_t page, unsigned char *to);
void rt_journal_back(uint32_t depth);                    /* to where it stood then, or the last time before that */

#endif
