/* Functions of the C library, of which the runtime has its own, that read or write memory that the program gives them: a buffer, the name of a file, where a
 * status goes. The compiler tells of none of these accesses, so the door of such a function does (door.inc). What is read is read before the call, what is
 * written is written after it: who waits is ordered by what it waited for.
 *
 * A visible location is not left to the function: it gets a copy of that memory, on the stack, and what it reads and writes there is copied from and to the
 * program's, word by word, each an operation (instrument.c). So nobody sees a value before the operation that writes it.
 * SPDX-License-Identifier: MIT */
#ifndef RT_GIVEN_H
#define RT_GIVEN_H

#include <stdint.h>

enum rt_given_how { RT_GIVEN_NO_MORE, RT_GIVEN_READS, RT_GIVEN_STRING, RT_GIVEN_WRITES,
                    RT_GIVEN_FIRST };        /* written, and before the call: what it begins may look there */
/* How many elements there are; less than ARGUMENTS: as many as that argument says. */
enum { RT_ARGUMENTS = 6, RT_GIVEN_BITS, RT_GIVEN_LENGTH, RT_GIVEN_ONE };      /* BITS: words, as the first argument says; LENGTH: bytes, as stands where the third leads */
enum rt_given_if { RT_GIVEN_UNLESS_NEGATIVE, RT_GIVEN_IF_ZERO, RT_GIVEN_IF_POSITIVE, RT_GIVEN_RESULT };      /* RESULT: so many elements */

/* Of each element `bytes` that lie `offset` behind its beginning; `stride`: to the next one. */
struct rt_given_part { uint8_t how, argument, count, written_if; uint16_t bytes, stride, offset; };
struct rt_given { const void *function; struct rt_given_part parts[10]; };     /* at least one NO_MORE */

/* What the door keeps of a call. `now`: its arguments as the function gets them; `copied`: bytes of which it got a copy, in `room`. */
struct rt_given_call {
    uint64_t now[RT_ARGUMENTS], args[RT_ARGUMENTS];
    uint32_t copied[RT_ARGUMENTS], reserved;
    char    *room;
    const struct rt_given *given;
};
_Static_assert(sizeof(struct rt_given_call) == 144, "as the code in given.c has it");

extern const char rt_given_back[] __attribute__((visibility("hidden")));      /* where a function that a door has called returns to */

/* Who called: the program, also where a door has called for it. */
static inline uint64_t rt_caller(const void *frame)
{
    const uint64_t *f = frame;
    return f[1] == (uint64_t)rt_given_back ? ((const uint64_t *)f[0])[1] : f[1];     /* the return address is above the saved rbp */
}

#endif
