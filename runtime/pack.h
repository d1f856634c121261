/* Copies of memory in which long runs of zeros take no room. When memory is put back they are looked at, and cleared where they
 * are not zero any more: to look is much cheaper than to copy, and most of what a program could write it never does.
 *
 * A copy is a list of pieces, in the order of their addresses, each with its bytes behind it.
 * SPDX-License-Identifier: MIT */
#ifndef RT_PACK_H
#define RT_PACK_H

#include <stdbool.h>
#include <stdint.h>

struct rt_piece {
    uint64_t at, bytes;
    bool     zero;                   /* no bytes follow */
} __attribute__((aligned(64)));      /* so the bytes are aligned, too, which makes them faster */

bool rt_pack_fast(void);             /* can this processor look at more at one go? `fast` of rt_core says so from then on */
/* Adds pieces for lo to hi at `to`. Gives where the next may stand; NULL: they do not fit below `end`. */
char *rt_pack(char *to, char *end, uint64_t lo, uint64_t hi);
const char *rt_unpack(const struct rt_piece *);          /* puts one back; gives where the next one is */

#endif
