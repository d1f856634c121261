/* The frames of a process of a sharing group that stands before an operation: who called whom, by the unwind tables of the program
 * and the libraries, which need no frame pointers. Nobody stops or traces it; its memory is read.
 * SPDX-License-Identifier: MIT */
#ifndef FRAMES_H
#define FRAMES_H

#include "native/where.h"
#include "wire.h"

enum { FRAME_REGISTERS = 17, MOST_FRAMES = 64 };         /* as the ABI numbers them for debug information; the last is the address */

struct call_frame {
    uint64_t pc;                                         /* where it goes on: behind the call of the frame before it */
    uint64_t cfa;                                        /* where its frame begins; 0: unknown */
    uint64_t registers[FRAME_REGISTERS];
    uint32_t known;                                      /* which of these: bits */
};

struct frames { struct call_frame at[MOST_FRAMES]; int count; };

/* `saved`: where its registers are (struct wire_saved). The first is in the runtime. None, when its memory may not be read. */
void frames_of(struct where *, pid_t, uint64_t saved, struct frames *);

/* Memory of a process that stands still. Most of what is asked for lies near what was asked before. Or memory as it was when a step was
 * only tried, of which the pages are left that were read before (`wire.h`: struct wire_led). */
enum { MEMORY_WINDOW = TOLD_PAGE };
struct memory_view {
    pid_t         pid;
    uint64_t      begin;                         /* of the window; 0: nothing was read yet */
    unsigned char window[MEMORY_WINDOW];
    uint64_t      pages[MAX_TOLD_PAGES];         /* that were ever read; 0: no more */
    const unsigned char (*told)[TOLD_PAGE];      /* NULL, or: these, and nothing else can be read */
    bool          missed;                        /* something else was to be read then */
};
bool memory_view_read(struct memory_view *, uint64_t address, void *to, size_t bytes);  /* false: not all of it can be read */

#endif
