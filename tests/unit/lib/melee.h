/* Random made-up programs whose processes do anything with the objects of threads: locks, conditions, barriers, messages.
 * SPDX-License-Identifier: MIT */
#ifndef MELEE_H
#define MELEE_H

#include "system/system.h"
#include "wire.h"

enum { MELEE_PROCESSES = 4, MELEE_LENGTH = 24 };

struct melee {
    uint64_t  seed;
    int       processes, length[MELEE_PROCESSES];
    struct op code[MELEE_PROCESSES][MELEE_LENGTH];
    uint8_t   skip[MELEE_PROCESSES][MELEE_LENGTH];           /* how many operations are left out when the result is not 0 */
    /* while it is open */
    struct runner   runner;
    struct history *history;
    struct texts   *texts;
    struct system  *system;
};

void melee_make_up(struct melee *, uint64_t seed);
/* Four processes: 1 writes; 2 locks what nobody else does; 3 posts; 4 reads the count, and writes. Where 1 has been tried, and sleeps after 2, it
 * stands by when 3 and 4 change places, and still that has to be searched there: 4 comes to write, too. */
void melee_bystander(struct melee *);
void melee_print(const struct melee *);
void melee_open(struct melee *);
void melee_close(struct melee *);

#endif
