/* About how many different ones there were: HyperLogLog (Flajolet and others, 2007) with the estimator of Ertl (New cardinality
 * estimation algorithms for HyperLogLog sketches, 2017), which is good for few and for many. For who sees states again and cannot keep them all.
 * It takes 16 kilobytes, and is wrong by about one per cent.
 * SPDX-License-Identifier: MIT */
#ifndef DISTINCT_H
#define DISTINCT_H

#include <stdint.h>

enum { DISTINCT_BITS = 14 };
struct distinct { uint8_t longest[1 << DISTINCT_BITS]; };        /* all zero: none yet */

void     distinct_add(struct distinct *, const uint64_t fingerprint[2]);
uint64_t distinct_count(const struct distinct *);

#endif
