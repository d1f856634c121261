/* What an instrumented program reads and writes (wire.h: accesses).
 *
 * The compiler puts a call before each access to memory that others may see (instrument.c). As long as there is one thread nothing is
 * noted: all that it did happened before whatever others do. From then on the accesses of a step are gathered, each once, and at the
 * end of the step the set gets its number. Nothing of this lies in memory that goes back: a step that is run again is noted again, so
 * what is told always belongs to the path that was just run, and there is no shadow of the program's memory to be put back with it.
 *
 * Invariant: the set of a step does not depend on the order of its accesses, nor on what was run before.
 * SPDX-License-Identifier: MIT */
#ifndef RT_ACCESSES_H
#define RT_ACCESSES_H

#include "given.h"
#include "group.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

extern __attribute__((visibility("hidden"))) bool rt_watching;             /* there is a second process, and the controller wants to know. Goes back with snapshots */
extern bool rt_instrumented;         /* the program says so */

/* Clears the stack below where the context stands. Whether a process is as it was (instrument.c) must not depend on what earlier calls, or
 * an execution that was taken back, left in the holes of its frames. */
void rt_accesses_wipe(const struct rt_context *);

void rt_accesses_begin(void);        /* sets this up for the first process */
void rt_accesses_watch(void);        /* another process comes to be */
void rt_accesses_step(uint32_t at);  /* a step of the batch begins: none so far */
void rt_accesses_done(uint32_t at);  /* the step is at its end: its set is told */
/* How often the same process was at this place in this step. */
enum rt_often { RT_SELDOM, RT_OFTEN, RT_ENDLESSLY };
enum rt_often rt_accesses_note(const void *, uint64_t bytes, uint32_t kind, uint64_t place);
bool rt_accesses_wrote(const void *, uint64_t bytes);      /* has it written there itself, in this step? Then that is not what it waits for */

/* The program is about to use what threads synchronise by, which lies there: it must not be freed or written to meanwhile. Who calls from a
 * library is not asked: what orders its own affairs may be nothing that is seen. */
void rt_accesses_use(const void *object, uint64_t place);
RT_INLINE void rt_uses(const void *object)               /* in a function that the program has called */
{
    if (rt_watching)
        rt_accesses_use(object, rt_caller(__builtin_frame_address(0)));
}

/* Likewise a function of the C library, of which the runtime has its own, reads or writes so many bytes, if they are more than 0; no operation. */
void rt_accesses_touch(const void *, int64_t bytes, bool writes, uint64_t place);
RT_INLINE void rt_touches(const void *p, int64_t bytes, bool writes)
{
    if (rt_watching)
        rt_accesses_touch(p, bytes, writes, (uint64_t)__builtin_return_address(0));
}
void rt_accesses_copy(void *to, const void *from, uint64_t bytes, uint64_t place);       /* what is visible word by word, each an operation (instrument.c) */
void rt_accesses_whole(uint64_t place);                  /* an access there is no operation, or not all of it: for the report */
bool rt_of_program(uint64_t place);                      /* and of no library */

/* What printf with this format reads, other than numbers (format.c). */
void rt_format_reads(const char *format, va_list, uint64_t place);

/* The visible location that has one of these bytes; NULL: none. */
const struct wire_visible *rt_visible(const void *, uint64_t bytes);

/* An operation on it (LOCATION_* of wire.h), with what is stored or expected. */
struct rt_call rt_location_call(const struct wire_visible *, uint8_t code, int32_t order, uint64_t operand, uint64_t desired);

/* Registers of the program at its last call of a function of the runtime: see door.inc. */
extern uint64_t rt_registers[6] __attribute__((visibility("hidden")));

/* The program has called another function of the runtime since the last operation, or the last look (instrument.c). Above 1: several, the last
 * of which is the one that asks. */
extern __attribute__((visibility("hidden"))) uint8_t rt_called;

RT_INLINE void rt_looks_clear(struct rt_looks *looks)    /* it is a part of the state (journal.h) */
{
    memset(looks, 0, offsetof(struct rt_looks, at) + looks->count * sizeof *looks->at);
}

void rt_looks_forget(void);              /* what a process wrote itself, since it began to look (looks.c) */

/* The current process did something else than to look at visible locations. */
RT_INLINE void rt_looks_away(void)
{
    struct rt_looks *looks = &rt_running->looks;
    if (looks->count)
        rt_looks_forget();
    if (looks->count || looks->idle)
        rt_looks_clear(looks);
}

/* What the current process is, but for memory outside of its stack: who calls the runtime from where, and with which registers. A sum modulo a
 * prime in which each half word has a factor of its own, so that a counter that goes on by the same adds the same. */
#define RT_PRIME ((UINT64_C(1) << 61) - 1)
uint64_t rt_sum(const void *frame, bool registers);      /* frame: of a function that the program has called */
uint64_t rt_sum_of(uint64_t, uint64_t);                  /* of two words that are neither on its stack nor in its registers */
RT_INLINE uint64_t rt_sum_less(uint64_t a, uint64_t b) { return a < b ? a + RT_PRIME - b : a - b; }
RT_INLINE uint64_t rt_sum_add(uint64_t a, uint64_t b)  { return a + b < RT_PRIME ? a + b : a + b - RT_PRIME; }

/* While it stands before an operation others may write to its stack. Of a process that looks that is kept apart: it is not its own doing. */
#define RT_LOOKING(enter) ({ \
    const void *frame_ = __builtin_frame_address(0); \
    bool looks_ = rt_watching && rt_running->looks.count; \
    uint64_t before_ = looks_ ? rt_sum(frame_, false) : 0; \
    __typeof__(enter) result_ = (enter); \
    if (looks_) \
        rt_running->looks.others = rt_sum_add(rt_running->looks.others, rt_sum_less(rt_sum(frame_, false), before_)); \
    result_; })

/* In a round of a loop that only looks and counts, to let others go first is none: see looks.h. */
enum { RT_IDLE = 3 };
RT_INLINE bool rt_stays(void)
{
    bool stays = rt_watching && rt_running->looks.counting;
    if (stays)
        rt_called = false;
    return stays;
}

/* A process tries to get an object that somebody may hold. One who tries again what it could not get, and is as it was then, waits for
 * it; one who only counted meanwhile has tried in vain once more, in one go. (instrument.c; of a program that does not tell of what it writes nobody knows.)
 *
 * Who looks at variables, too, or tries several objects, waits until one of them changes. To say so the object is a visible location as well: who tries looks at it
 * first, who gives it back writes there afterwards (rt_gives). So nobody waits for what was given back since it was tried. UNTOLD: others than those who
 * call rt_gives may give it back (the end of a process that holds a robust mutex); then there is no waiting but for it alone. */
enum rt_try { RT_TRIES, RT_WAITS, RT_TRIED };
enum rt_tried { RT_NOT_TRIED, RT_TRIED_TOLD, RT_TRIED_UNTOLD };
enum rt_try rt_try(const void *object, enum rt_tried how, uint64_t place, const void *frame);
void rt_try_ends(const void *object, bool got);

/* The result of the operation: `tries` or `waits`, which fails never; `busy`: what was tried in vain. In a function that the program has called. */
#define RT_TRY(object, how, tries, waits, busy) ({ \
    enum rt_try try_ = rt_try(object, how, (uint64_t)__builtin_return_address(0), __builtin_frame_address(0)); \
    uint32_t got_ = try_ == RT_TRIED ? (busy) : RT_LOOKING(try_ == RT_WAITS ? (waits) : (tries)); \
    rt_try_ends(object, got_ != (busy)); \
    got_; })

void rt_accesses_give(const void *object, uint64_t place);
RT_INLINE void rt_gives(const void *object)              /* in a function that the program has called, after the operation */
{
    if (rt_watching)
        rt_accesses_give(object, rt_caller(__builtin_frame_address(0)));
}

/* How many rounds of a loop that looks and counts are operations; a place at which one does, and is taken to wait; can there be another? */
uint32_t rt_rounds(void);
bool rt_is_endless(uint64_t place);
bool rt_endless_room(void);

/* Has another process than the current one used a part of this atomic variable? From now on the current one has. UNKNOWN: there are too many. */
enum rt_sharing { RT_OF_ONE, RT_SHARED_BY_MANY, RT_UNKNOWN_SHARING };
enum rt_sharing rt_atomic_sharing(const void *, uint64_t bytes);

#endif
