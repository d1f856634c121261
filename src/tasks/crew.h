/* Where a crew's commands run: one const struct for each kind of place, and what it keeps, behind a struct crew as its first member.
 * SPDX-License-Identifier: MIT */
#ifndef CREW_H
#define CREW_H

#include "tasks/tasks.h"

struct crew_place {
    void        (*free)(struct crew *);
    uint32_t    (*room)(const struct crew *);
    int         (*start)(struct crew *, const struct crew_order *, uint32_t count, struct err *);
    void        (*stop)(struct crew *, uint64_t ticket);
    int         (*look)(struct crew *, int milliseconds, struct crew_ended *, struct err *);
    const char *(*machine)(const struct crew *, uint64_t ticket);
};
struct crew { const struct crew_place *place; };

#endif
