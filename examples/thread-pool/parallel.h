/* Loops over a range, cut into pieces that the pool works on; the caller takes the last piece, and helps with the others.
 * SPDX-License-Identifier: MIT */
#ifndef PARALLEL_H
#define PARALLEL_H

#include "pool.h"

#include <stddef.h>

/* The piece from begin to end (exclusive): 0 or a negative errno, which ends up with the caller. */
typedef int body_function(size_t begin, size_t end, void *context);

/* Calls body on pieces of at most `grain`, which together are the range. 0, or the error of one of the pieces: the others are
 * still run. A piece that the pool does not take, because it is full, is run by the caller. */
int parallel_for(struct pool *, size_t begin, size_t end, size_t grain, body_function *, void *context);

/* The sum of value(i, context) over the range. */
typedef long value_function(size_t i, void *context);
int parallel_sum(struct pool *, size_t begin, size_t end, size_t grain, value_function *, void *context, long *sum);

#endif
