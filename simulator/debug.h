/* gdb on the live program. A copy of the program is brought to where the trace stands, and only when something is asked; it is kept
 * there for the next question, and goes on when the trace goes on. One process at a time can be inside its invisible code.
 *
 * All positions and processes are those of simulator.h: `at` events of the trace have been executed. The replies are the JSON of
 * doc/protocol.md. A gdb or a copy that was killed is started again at the next question.
 * SPDX-License-Identifier: MIT */
#ifndef DEBUG_H
#define DEBUG_H

#include "report/job.h"
#include "report/trace.h"

#include <jansson.h>

struct debug;
struct debug *debug_new(const struct job *);                             /* starts nothing yet; the job is borrowed */
void          debug_free(struct debug *);                                /* NULL is fine; leaves no process */
bool          debug_possible(void);                                      /* is gdb installed? */

/* All give, or NULL with err. Frames are those of the program's own code; their levels, which `frame` means, count from 0, the
 * innermost. Where there is none, `frame` 0 has the global variables. `cut`: there are more frames, further out. */
json_t *debug_stack(struct debug *, const struct trace *, uint32_t at, int process, bool *cut, struct err *);   /* frames */
json_t *debug_locals(struct debug *, const struct trace *, uint32_t at, int process, int frame, struct err *);  /* variables */
json_t *debug_print(struct debug *, const struct trace *, uint32_t at, int process, int frame, const char *expression, struct err *);

/* Where a process is inside its invisible code. */
struct inside {
    int   process;                   /* -1: nobody is inside */
    char *file, *function;           /* owned by the debug; NULL: unknown */
    int   line;
};

const struct inside *debug_inside(const struct debug *);         /* changes also when gdb or the copy was killed: then nobody is */

enum stride { STRIDE_STEP, STRIDE_NEXT };

/* The process is before event `at - 1` of the trace, which is its own and which the copy executes first; or inside already. Then it
 * executes a line. `inside` says where it is then: process -1 when it came to its next visible operation. */
int  debug_stride(struct debug *, const struct trace *, uint32_t at, int process, enum stride, struct inside *, struct err *);
/* On to its next visible operation. */
int  debug_leave(struct debug *, struct err *);

#endif
