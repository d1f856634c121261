/* Structural properties: which process may do which operation on which object (manual, section 5.4.3). Every operation on an
 * object of which nothing is declared may be done by every process. Of an object of which something is declared, an operation
 * that is not may be done by those who are seen to do it.
 * SPDX-License-Identifier: MIT */
#ifndef STRUCTURE_H
#define STRUCTURE_H

#include <stdbool.h>
#include <stdint.h>

struct declaration {
    uint8_t  type, code;
    uint32_t number;                 /* of the object within its type */
    int32_t  index;                  /* of a semaphore in its array; -1 where there is no array */
    uint64_t allowed;                /* mask of processes, bit 0 is process 1 */
    int      line;                   /* where in system_file.VS it was first declared */
    int      lines[64];              /* and where for each process; 0: not */
};

struct structure {
    struct declaration *declarations;
    uint32_t     count, room;
};

void structure_init(struct structure *);
void structure_fini(struct structure *);
/* Declares that `process` (counts from 1; 0: no process at all) may do it; adds to what was declared before. */
void structure_declare(struct structure *, uint8_t type, uint8_t code, uint32_t number, int32_t index, int process, int line);
/* What is declared of this operation; NULL: nothing. NULL structure: nothing. */
const struct declaration *structure_declared(const struct structure *, uint8_t type, uint8_t code, uint32_t number, int32_t index);
/* The processes that may do it by what is declared of just this operation: all ones where nothing is. */
uint64_t structure_allowed(const struct structure *, uint8_t type, uint8_t code, uint32_t number, int32_t index);
bool structure_mentions(const struct structure *, uint8_t type, uint32_t number, int32_t index);      /* any operation of it */

#endif
