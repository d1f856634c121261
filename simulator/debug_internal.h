/* What the files of debug.h share: debug_copy.c (the copy of the program, the gdbs that hold it, the frames of a process), debug.c (stacks and
 * variables), debug_lines.c (line by line).
 * SPDX-License-Identifier: MIT */
#ifndef DEBUG_INTERNAL_H
#define DEBUG_INTERNAL_H

#include "simulator/debug.h"
#include "simulator/gdb.h"
#include "simulator/live.h"

enum { MOST_GDBS = 8 };

struct seat { struct gdb *gdb; uint64_t used; };

struct debug {
    const struct job *job;
    struct live      *live;
    struct seat       seats[MOST_GDBS];
    uint64_t          now;           /* counts uses */
    struct inside     inside;
};

/* Where one process stands: its gdb, its thread there, and the frames of its own code, innermost first. */
struct debug_view {
    struct gdb *gdb;
    int         thread;
    json_t     *frames;              /* as gdb gives them */
    bool        cut;                 /* there are more, further out */
};

void debug_forget_inside(struct debug *);
void debug_spoil(struct debug *);                /* what gdb held may have breakpoints in it, and what ran may be anywhere */
void debug_bury_dead(struct debug *);            /* has a gdb been killed that held the program? Then the copy is no more what it was */
int  debug_await(struct debug *, struct err *);  /* until the copy has done what it was told */

const char *debug_text(const json_t *object, const char *key);   /* "": it is not there */
/* Of the program's own code: neither of the runtime and the C library, which have no lines, nor of the compiler's headers. */
bool debug_is_own(const json_t *frame);

/* Where the process stands behind the first `at` events. A copy or a gdb that somebody has killed shows when it is asked: then all begins
 * again, once; not so with debug_look_once, which gives -ESRCH. */
int  debug_look(struct debug *, const struct trace *, uint32_t at, int process, struct debug_view *, struct err *);
int  debug_look_once(struct debug *, const struct trace *, uint32_t at, int process, struct debug_view *, struct err *);
int  debug_find_frames(struct debug_view *, struct err *);
void debug_view_fini(struct debug_view *);

#endif
