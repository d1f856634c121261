/* Files without a name, for what is written before it is known what stands in front of it.
 * SPDX-License-Identifier: MIT */
#ifndef SPOOL_H
#define SPOOL_H

#include <stdint.h>
#include <stdio.h>

/* In the folder of the file `near`: there is room for it there, or nowhere. NULL with errno. Gives. */
FILE *spool_open(const char *near);
/* So many bytes of it, from `at` on, to another. 0, or negative errno. */
int   spool_copy(FILE *spool, uint64_t at, uint64_t bytes, FILE *to);

#endif
